import { nextUp } from '../../../domain/next-up.js'
import {
  type DistributionRequest,
  SPREAD_PERCENTILES,
  type SpreadPercentiles,
  type SpreadRequest,
  type SpreadResult
} from '../../../domain/search.js'
import type { Searched } from './compile-filter.js'
import { type DistributionPlan, distributionPlan, readDistribution } from './distributions.js'
import type { Query } from './query.js'
import type { AggregationResult } from './search-engine.js'

// The engine computes with numbers of free fields by scripts alone, which take about a microsecond for each record and are switched
// off on some servers. Ranges of its sortable terms come from the index: counts between the cuts place extremes and percentiles.

/** Values between two cuts, from `low` on and below `high`, and how many there are. */
interface Interval {
  readonly low: number
  readonly high: number
  readonly count: number
}

/** Counts of a spread between its cuts; `rest`: the part of its filter that the search around it does not demand. */
export function spreadPlan({ field, cuts }: SpreadRequest, rest: Query, searched: Searched): DistributionPlan {
  return distributionPlan({ field, bounds: cuts }, rest, searched)
}

/** Whether an interval has room for its lower end alone. */
function isOneNumber({ low, high }: Interval): boolean {
  return nextUp(low) === high
}

function intervalsOf(counts: readonly number[], cuts: readonly number[]): readonly Interval[] {
  const all = counts.map((count, i) => ({ low: cuts[i - 1] ?? -Number.MAX_VALUE, high: cuts[i] ?? Number.MAX_VALUE, count }))
  return all.filter(({ count }) => count > 0)
}

/** The last number that an interval may have: its upper end, unless it has room for one. */
function lastOf(interval: Interval): number {
  return isOneNumber(interval) ? interval.low : interval.high
}

/** Where a number may be, and where it is likely to be. */
interface Placed {
  readonly low: number
  readonly value: number
  readonly high: number
}

/** The number of a rank, from 0, among the counts. */
function placed(intervals: readonly Interval[], rank: number): Placed {
  let below = 0
  for (const interval of intervals) {
    const { low, count } = interval
    if (rank < below + count) {
      const high = lastOf(interval)
      return { low, value: low + (high - low) * ((rank - below + 0.5) / count), high }
    }
    below += count
  }
  throw new RangeError(`no number has the rank ${rank}`)
}

function between(a: number, b: number, share: number): number {
  return a === b ? a : a * (1 - share) + b * share
}

/** The percentile, interpolated between the closest ranks. */
function percentileOf(intervals: readonly Interval[], numbers: number, at: number): Placed {
  const rank = at * (numbers - 1)
  const [a, b] = [placed(intervals, Math.floor(rank)), placed(intervals, Math.ceil(rank))]
  const share = rank - Math.floor(rank)
  return { low: between(a.low, b.low, share), value: between(a.value, b.value, share), high: between(a.high, b.high, share) }
}

/** The most that the value is away from the true one, relative to the true one; null where that may be 0, or next to 0. */
function errorOf({ low, high }: Placed): number | null {
  if (low === high) return 0
  const error = (high - low) / Math.min(Math.abs(low), Math.abs(high))
  return (low <= 0 && high >= 0) || !Number.isFinite(error) ? null : error
}

function largestOf(errors: readonly (number | null)[]): number | null {
  const known = errors.filter(error => error !== null)
  return known.length < errors.length ? null : Math.max(...known)
}

/** The spread of numbers of which `counts` has those below the first bound, those between each two, and those from the last on. */
export function spreadOfCounts({ field, bounds }: DistributionRequest, counts: readonly number[]): SpreadResult {
  const intervals = intervalsOf(counts, bounds)
  const numbers = intervals.reduce((sum, { count }) => sum + count, 0)
  const [first, last] = [intervals[0], intervals.at(-1)]
  if (!first || !last) {
    const nothing = { min: null, max: null, areExtremesExact: true, relativeError: 0 }
    return { field, numbers, ...nothing, percentiles: [null, null, null, null, null] }
  }
  const percentiles = SPREAD_PERCENTILES.map(at => percentileOf(intervals, numbers, at))
  return {
    ...{ field, numbers, min: first.low, max: lastOf(last), areExtremesExact: isOneNumber(first) && isOneNumber(last) },
    percentiles: percentiles.map(({ value }) => value) as unknown as SpreadPercentiles,
    relativeError: largestOf(percentiles.map(errorOf))
  }
}

/** Reads the result of the aggregation of its distribution. */
export function readSpread(plan: DistributionPlan, result: AggregationResult | undefined): SpreadResult {
  return spreadOfCounts(plan.request, readDistribution(plan, result).counts)
}
