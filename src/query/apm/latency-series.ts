import type { SpanGridCounts } from '../../ports/trace-store.js'

/** Percentiles of durations per bucket of a grid, in milliseconds; null for buckets without requests. */
export interface LatencySeries {
  readonly p50Ms: readonly (number | null)[]
  readonly p95Ms: readonly (number | null)[]
  readonly p99Ms: readonly (number | null)[]
}

/** From 131 us to 1,100 s, in powers of two. */
const FIRST_POWER = 17
const LAST_POWER = 40
/** Bounds between two powers of two: a duration differs from the middle of its bucket by 4.5 % at most. */
const FINE = 8
/** By 9.1 %: search stores count at most 65,536 buckets for one service. */
const COARSE = 4
/** Longest grid with the fine bounds. */
export const MOST_FINE_POINTS = 300

const NS_PER_MS = 1e6

function boundAt(step: number, perPower: number): bigint {
  return BigInt(Math.round(2 ** (FIRST_POWER + step / perPower)))
}

/** Upper bounds of the buckets of duration, in nanoseconds, that percentiles on a grid of so many points are computed from. */
export function latencyBounds(points: number): readonly bigint[] {
  const perPower = points <= MOST_FINE_POINTS ? FINE : COARSE
  return Array.from({ length: (LAST_POWER - FIRST_POWER) * perPower + 1 }, (_, i) => boundAt(i, perPower))
}

/** The duration that represents those of a bucket: the geometric middle, half of the first bound, the last bound. */
function middles(bounds: readonly bigint[]): readonly number[] {
  const numbers = bounds.map(Number)
  return [...numbers.map((bound, i) => (i === 0 ? bound / 2 : Math.sqrt(numbers[i - 1]! * bound))), numbers.at(-1)!]
}

/** The percentile by linear interpolation between closest ranks, as stores have those of a whole window. */
function percentileNs(counts: readonly number[], total: number, percentile: number, middleNs: readonly number[]): number {
  const rank = percentile * (total - 1)
  const at = (place: number): number => {
    let below = 0
    const found = counts.findIndex(count => (below += count) > place)
    return middleNs[found]!
  }
  const low = at(Math.floor(rank))
  return low + (at(Math.ceil(rank)) - low) * (rank - Math.floor(rank))
}

/** Percentiles over time of what a store counted by `latencyBounds`. */
export function latencySeries({ buckets = [], spans }: SpanGridCounts, bounds: readonly bigint[]): LatencySeries {
  const middleNs = middles(bounds)
  const counted = spans.map((_, at) => buckets.map(counts => counts[at] ?? 0))
  const series = (percentile: number): (number | null)[] =>
    counted.map(counts => {
      const total = counts.reduce((sum, count) => sum + count, 0)
      return total === 0 ? null : percentileNs(counts, total, percentile, middleNs) / NS_PER_MS
    })
  return { p50Ms: series(0.5), p95Ms: series(0.95), p99Ms: series(0.99) }
}

/** The same without any requests. */
export function emptyLatency(points: number): LatencySeries {
  const nulls = Array.from({ length: points }, () => null)
  return { p50Ms: nulls, p95Ms: nulls, p99Ms: nulls }
}
