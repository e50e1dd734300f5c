import type { TimeRange } from '../domain/time-range.js'
import type { Grid } from './result.js'

const MS_NS = 1_000_000n
const STEADY_STEP_NS = 300_000n * MS_NS
const STEADY_RANGE_NS = 21_600_000n * MS_NS

/** About `buckets` equal buckets over the range, each a whole number of milliseconds; the last may reach beyond it. */
export function gridOf(range: TimeRange, buckets: number): Grid {
  const span = range.endNs - range.startNs
  const perBucket = BigInt(buckets) * MS_NS
  const stepMs = (span + perBucket - 1n) / perBucket
  return gridOfStep(range, (stepMs > 0n ? stepMs : 1n) * MS_NS)
}

/**
 * As `gridOf`; over a long range of whole steps of five minutes since 1970, so that the next refresh of a sliding window reuses
 * buckets that were counted before. The first may begin before the range.
 */
export function steadyGridOf(range: TimeRange, buckets: number): Grid {
  const grid = gridOf(range, buckets)
  if (range.endNs - range.startNs < STEADY_RANGE_NS || grid.stepNs < STEADY_STEP_NS) return grid
  const stepNs = ((grid.stepNs + STEADY_STEP_NS - 1n) / STEADY_STEP_NS) * STEADY_STEP_NS
  return gridOfStep({ startNs: range.startNs - (range.startNs % stepNs), endNs: range.endNs }, stepNs)
}

/** Buckets of `stepNs` from the start of the range until its end is covered; at least one. */
export function gridOfStep(range: TimeRange, stepNs: bigint): Grid {
  const span = range.endNs - range.startNs
  const length = Number((span + stepNs - 1n) / stepNs)
  return { startNs: range.startNs, stepNs, length: Math.max(length, 1) }
}
