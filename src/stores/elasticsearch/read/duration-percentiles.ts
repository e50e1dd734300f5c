import { KNOWN } from '../document/field-names.js'
import type { AggregationResult } from './search-engine.js'

const DURATION = KNOWN.spans.duration_ns.field
/** So few spans are listed, and their percentiles exact; those of more are estimates within 0.1 %. */
export const FEW_SPANS = 1_000
const SIGNIFICANT_DIGITS = 3
// Histograms of the engine fail on values that are further apart than 46 powers of two: from 1 ns on, this is safe.
const MAX_HISTOGRAM_NS = 10_000_000_000_000
const COMPRESSION = 1_000

/** A value and how many spans have it. */
interface Counted {
  readonly value: number
  readonly count: number
}

function valueAt(counted: readonly Counted[], rank: number): number {
  let below = 0
  for (const { value, count } of counted) {
    below += count
    if (rank < below) return value
  }
  return counted.at(-1)!.value
}

/** Percentiles of values in order, by linear interpolation between closest ranks; null without values. */
export function interpolated(counted: readonly Counted[], percentiles: readonly number[]): readonly (number | null)[] {
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return percentiles.map(() => null)
  return percentiles.map(percentile => {
    const rank = percentile * (total - 1)
    const low = Math.floor(rank)
    const below = valueAt(counted, low)
    return below + (valueAt(counted, Math.ceil(rank)) - below) * (rank - low)
  })
}

/** The longest duration, to be requested before `percentilesAggregation`. */
export const LONGEST = { max: { field: DURATION } } as const

/** Spans whose percentiles are requested. */
export interface MeasuredSpans {
  readonly spans: number
  readonly longestNs: number
}

/** The aggregation that percentiles of so many spans come from. */
export function percentilesAggregation(
  percentiles: readonly number[],
  { spans, longestNs }: MeasuredSpans
): Readonly<Record<string, unknown>> {
  if (spans <= FEW_SPANS) return { terms: { field: DURATION, size: FEW_SPANS, order: { _key: 'asc' } } }
  const percents = percentiles.map(percentile => percentile * 100)
  const method =
    longestNs <= MAX_HISTOGRAM_NS
      ? { hdr: { number_of_significant_value_digits: SIGNIFICANT_DIGITS } }
      : { tdigest: { compression: COMPRESSION } }
  return { percentiles: { field: DURATION, percents, keyed: false, ...method } }
}

/** Reads the result of `percentilesAggregation`. */
export function durationPercentiles(percentiles: readonly number[], result: AggregationResult): readonly (number | null)[] {
  if (result.buckets) {
    const counted = result.buckets.map(({ key, doc_count }) => ({ value: Number(key), count: doc_count! }))
    return interpolated(counted, percentiles)
  }
  const values = result.values as unknown as readonly { readonly value: number | null }[] | undefined
  return percentiles.map((_, i) => values?.[i]?.value ?? null)
}
