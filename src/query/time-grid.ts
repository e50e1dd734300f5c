import type { TimeRange } from '../domain/time-range.js'
import type { Grid } from './answer.js'

const MS_NS = 1_000_000n

/** About `buckets` equal buckets over the range, each a whole number of milliseconds; the last may reach beyond it. */
export function gridOf(range: TimeRange, buckets: number): Grid {
  const span = range.endNs - range.startNs
  const perBucket = BigInt(buckets) * MS_NS
  const stepMs = (span + perBucket - 1n) / perBucket
  return gridOfStep(range, (stepMs > 0n ? stepMs : 1n) * MS_NS)
}

/** Buckets of `stepNs` from the start of the range until its end is covered; at least one. */
export function gridOfStep(range: TimeRange, stepNs: bigint): Grid {
  const span = range.endNs - range.startNs
  const length = Number((span + stepNs - 1n) / stepNs)
  return { startNs: range.startNs, stepNs, length: Math.max(length, 1) }
}
