import { SPREAD_PERCENTILES, type SpreadPercentiles, type SpreadRequest, type SpreadResult } from '../../../domain/search.js'
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

const BITS = new DataView(new ArrayBuffer(8))

function bitsOf(value: number): bigint {
  BITS.setFloat64(0, value)
  return BITS.getBigInt64(0)
}

/** Whether an interval has room for its lower end alone. */
function isOneNumber({ low, high }: Interval): boolean {
  if (low === 0) return high === Number.MIN_VALUE
  return Number.isFinite(low) && Number.isFinite(high) && bitsOf(high) - bitsOf(low) === (low > 0 ? 1n : -1n)
}

function intervalsOf(counts: readonly number[], cuts: readonly number[]): readonly Interval[] {
  const all = counts.map((count, i) => ({ low: cuts[i - 1] ?? -Number.MAX_VALUE, high: cuts[i] ?? Number.MAX_VALUE, count }))
  return all.filter(({ count }) => count > 0)
}

/** The last number that an interval may have: its upper end, unless it has room for one. */
function lastOf(interval: Interval): number {
  return isOneNumber(interval) ? interval.low : interval.high
}

/** The percentile by its rank among the counts, and the width of its interval relative to the larger end. */
function placed(intervals: readonly Interval[], rank: number): { readonly value: number; readonly error: number } {
  let below = 0
  for (const interval of intervals) {
    const { low, count } = interval
    if (below + count >= rank) {
      const high = lastOf(interval)
      const error = high === low ? 0 : (high - low) / Math.max(Math.abs(low), Math.abs(high))
      return { value: low + (high - low) * ((rank - below) / count), error }
    }
    below += count
  }
  return { value: lastOf(intervals.at(-1)!), error: 0 }
}

/** Reads the result of the aggregation of its distribution. */
export function readSpread(plan: DistributionPlan, result: AggregationResult | undefined): SpreadResult {
  const { field, bounds } = plan.request
  const intervals = intervalsOf(readDistribution(plan, result).counts, bounds)
  const numbers = intervals.reduce((sum, { count }) => sum + count, 0)
  const [first, last] = [intervals[0], intervals.at(-1)]
  if (!first || !last) {
    const nothing = { min: null, max: null, areExtremesExact: true, relativeError: 0 }
    return { field, numbers, ...nothing, percentiles: [null, null, null, null, null] }
  }
  const percentiles = SPREAD_PERCENTILES.map(at => placed(intervals, at * numbers))
  return {
    ...{ field, numbers, min: first.low, max: lastOf(last), areExtremesExact: isOneNumber(first) && isOneNumber(last) },
    percentiles: percentiles.map(({ value }) => value) as unknown as SpreadPercentiles,
    relativeError: Math.max(...percentiles.map(({ error }) => error))
  }
}
