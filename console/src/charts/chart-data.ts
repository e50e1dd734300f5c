/** Pure parts of the time chart: positions of samples, gaps, and selections as windows. */

import { formatInstantNs, toMs } from '../format/instant.js'
import type { TimeWindow } from '../url/time-window.js'

/** Buckets of time: the first starts at `start` (RFC 3339), each is `stepMs` long. */
export interface TimeGrid {
  readonly start: string
  readonly stepMs: number
  readonly length: number
}

/** One value per point of a grid; null where there is no sample. */
export type Samples = readonly (number | null | undefined)[]

/** Milliseconds since 1970 of each point of a grid. */
export function gridTimes({ start, stepMs, length }: TimeGrid): number[] {
  const startMs = toMs(start)
  return Array.from({ length }, (_, index) => startMs + index * stepMs)
}

/** Indices of samples without a neighbour: no line reaches them, so that they are drawn as points. */
export function isolatedSamples(samples: Samples): number[] {
  const isMissing = (index: number): boolean => samples[index] == null
  return samples.flatMap((_, index) => (!isMissing(index) && isMissing(index - 1) && isMissing(index + 1) ? [index] : []))
}

/** The last sample of a series; null without one. */
export function lastSample(samples: Samples): number | null {
  return samples.findLast(value => value != null) ?? null
}

/** `samples` without those of buckets that begin before the window or end after it: a part of a bucket has no full rate. */
export function wholeBuckets({ start, stepMs }: TimeGrid, samples: Samples, { from, to }: TimeWindow): Samples {
  const [startMs, fromMs, untilMs] = [toMs(start), toMs(from), toMs(to)]
  const isWhole = (index: number): boolean => startMs + index * stepMs >= fromMs && startMs + (index + 1) * stepMs <= untilMs
  return samples.map((value, index) => (isWhole(index) ? value : null))
}

/** RFC 3339 of a time in milliseconds since 1970. */
export function instantOf(ms: number): string {
  return formatInstantNs(BigInt(Math.round(ms)) * 1_000_000n)
}

/** The window between two times in milliseconds, in any order and not outside `bounds`; null when it is empty. */
export function windowBetween(aMs: number, bMs: number, bounds: TimeWindow): TimeWindow | null {
  const [first, last] = [Math.min(aMs, bMs), Math.max(aMs, bMs)]
  const from = first <= toMs(bounds.from) ? bounds.from : instantOf(first)
  const to = last >= toMs(bounds.to) ? bounds.to : instantOf(last)
  return toMs(from) < toMs(to) ? { from, to } : null
}
