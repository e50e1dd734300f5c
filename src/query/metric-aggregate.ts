import type { SeriesSamples } from '../domain/metric-point.js'
import type { TimeRange } from '../domain/time-range.js'
import type { Grid } from './answer.js'
import { extrapolatedIncrease, extrapolatedRate } from './extrapolated-rate.js'
import type { Aggregation } from './metric-line.js'

type Points = (number | null)[]

/** Index of the first sample at or after a time, searched from `from`. */
function firstAt(timestampsNs: BigInt64Array, timeNs: bigint, from: number): number {
  let low = from
  let high = timestampsNs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timestampsNs[middle]! < timeNs) low = middle + 1
    else high = middle
  }
  return low
}

/** Calls back for every bucket of the grid that holds samples of the series. `shiftNs` 1 makes buckets open at their start. */
function eachBucket(
  samples: SeriesSamples,
  grid: Grid,
  shiftNs: bigint,
  visit: (bucket: number, from: number, to: number) => void
): void {
  const { timestampsNs } = samples
  let at = firstAt(timestampsNs, grid.startNs + shiftNs, 0)
  while (at < timestampsNs.length) {
    const bucket = Number((timestampsNs[at]! - shiftNs - grid.startNs) / grid.stepNs)
    if (bucket >= grid.length) return
    const to = firstAt(timestampsNs, grid.startNs + grid.stepNs * BigInt(bucket + 1) + shiftNs, at)
    visit(bucket, at, to)
    at = to
  }
}

function empty(grid: Grid): Points {
  return Array.from<number | null>({ length: grid.length }).fill(null)
}

/** Folds all samples of the group, bucket by bucket. */
function folded(group: readonly SeriesSamples[], grid: Grid, fold: (sum: number | null, value: number) => number): Points {
  const points = empty(grid)
  for (const samples of group)
    eachBucket(samples, grid, 0n, (bucket, from, to) => {
      let result = points[bucket]!
      for (let i = from; i < to; i++) result = fold(result, samples.values[i]!)
      points[bucket] = result
    })
  return points
}

function count(group: readonly SeriesSamples[], grid: Grid): Points {
  return folded(group, grid, sum => (sum ?? 0) + 1)
}

function sum(group: readonly SeriesSamples[], grid: Grid): Points {
  return folded(group, grid, (total, value) => (total ?? 0) + value)
}

function average(group: readonly SeriesSamples[], grid: Grid): Points {
  const counts = count(group, grid)
  return sum(group, grid).map((total, i) => (total === null ? null : total / counts[i]!))
}

/** The newest sample; of equally new ones that of the last series. */
function last(group: readonly SeriesSamples[], grid: Grid): Points {
  const points = empty(grid)
  const newestNs = new BigInt64Array(grid.length)
  for (const samples of group)
    eachBucket(samples, grid, 0n, (bucket, _from, to) => {
      const timeNs = samples.timestampsNs[to - 1]!
      if (points[bucket] !== null && timeNs < newestNs[bucket]!) return
      points[bucket] = samples.values[to - 1]!
      newestNs[bucket] = timeNs
    })
  return points
}

/** Sorted in place, NaN below all numbers: where Prometheus ranks it. */
function ranked(values: Float64Array): Float64Array {
  const numbers = values.sort().findIndex(Number.isNaN)
  if (numbers < 0) return values
  const nans = values.length - numbers
  return values.copyWithin(nans, 0, numbers).fill(Number.NaN, 0, nans)
}

/** Linear interpolation between closest ranks, as Prometheus's `quantile_over_time`. */
function quantile(sorted: Float64Array, q: number): number {
  const rank = q * (sorted.length - 1)
  const below = Math.floor(rank)
  const above = Math.min(below + 1, sorted.length - 1)
  const weight = rank - below
  // Not 0 times infinity.
  return weight === 0 ? sorted[below]! : sorted[below]! * (1 - weight) + sorted[above]! * weight
}

function percentile(group: readonly SeriesSamples[], grid: Grid, q: number): Points {
  const parts = new Map<number, Float64Array[]>()
  for (const samples of group)
    eachBucket(samples, grid, 0n, (bucket, from, to) => {
      const part = samples.values.subarray(from, to)
      const present = parts.get(bucket)
      if (present) present.push(part)
      else parts.set(bucket, [part])
    })
  const points = empty(grid)
  for (const [bucket, arrays] of parts) {
    points[bucket] = quantile(ranked(Float64Array.from(arrays.flatMap(array => [...array]))), q)
  }
  return points
}

/**
 * The sum over the group of what each counter rose. The value of a bucket is Prometheus's over the range of the bucket,
 * open at its start and closed at its end; the first and the last bucket are cut to the window.
 */
function risen(group: readonly SeriesSamples[], grid: Grid, range: TimeRange, kind: 'rate' | 'increase'): Points {
  const points = empty(grid)
  const compute = kind === 'rate' ? extrapolatedRate : extrapolatedIncrease
  for (const samples of group)
    eachBucket(samples, grid, 1n, (bucket, from, to) => {
      const startNs = grid.startNs + grid.stepNs * BigInt(bucket)
      const endNs = startNs + grid.stepNs
      const bounds = {
        startNs: startNs > range.startNs ? startNs : range.startNs,
        endNs: endNs < range.endNs ? endNs : range.endNs
      }
      const value = compute({ ...samples, from, to, ...bounds })
      if (value !== null) points[bucket] = (points[bucket] ?? 0) + value
    })
  return points
}

const QUANTILES: Readonly<Partial<Record<Aggregation, number>>> = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }

/** One value per bucket of the grid for a group of series; null where it has no sample (or, for rates, fewer than two). */
export function aggregate(
  aggregation: Aggregation,
  group: readonly SeriesSamples[],
  grid: Grid,
  range: TimeRange
): readonly (number | null)[] {
  switch (aggregation) {
    case 'avg':
      return average(group, grid)
    case 'sum':
      return sum(group, grid)
    case 'count':
      return count(group, grid)
    case 'min':
      return folded(group, grid, (least, value) => (least === null || value < least || Number.isNaN(least) ? value : least))
    case 'max':
      return folded(group, grid, (most, value) => (most === null || value > most || Number.isNaN(most) ? value : most))
    case 'last':
      return last(group, grid)
    case 'rate':
    case 'increase':
      return risen(group, grid, range, aggregation)
    default:
      return percentile(group, grid, QUANTILES[aggregation]!)
  }
}
