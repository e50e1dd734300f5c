import type { HistogramRequest, HistogramSeries } from '../../../domain/search.js'
import { compareStrings } from '../../../domain/string-order.js'
import { gridAggregation, gridCounts, gridRange, overlap } from './grid.js'
import { termsAggregation, type GroupTerms } from './group-terms.js'
import { every, none, type Query } from './query.js'
import { timeClause, type Scope } from './scope.js'
import type { AggregationResult } from './search-engine.js'
import { histogramCut } from '../../shared/cuts.js'
import type { Warning } from '../../../domain/warning.js'

/** More values of `by` than these are left out, the rarest first, and the result is marked so. */
export const MAX_HISTOGRAM_SERIES = 1_000
/** Terms of each shard that are looked at. */
const SHARD_TERMS = 10_000

/** A histogram to count: its grid, the field it is split by, and the filter of its records. */
export interface HistogramPlan {
  readonly grid: HistogramRequest
  readonly group: GroupTerms | null
  readonly query: Query
}

/** A histogram, and what it does not show. */
export interface Histogram {
  readonly series: readonly HistogramSeries[]
  readonly warnings: readonly Warning[]
}

type Result = Readonly<Record<string, AggregationResult>>

function inGrid({ grid, query }: HistogramPlan, scope: Scope): Query {
  const { startNs, endNs } = gridRange(grid)
  const coversRange = startNs <= scope.range.startNs && endNs >= scope.range.endNs
  return coversRange ? query : every([query, timeClause(overlap(scope.range, grid))])
}

/** The aggregation of a histogram. */
export function histogramAggregation(plan: HistogramPlan, scope: Scope): Readonly<Record<string, unknown>> {
  const { grid, group } = plan
  const buckets = gridAggregation(grid)
  const query = inGrid(plan, scope)
  if (!group) return { filter: query, aggs: { buckets } }
  const values = { terms: termsAggregation(group, MAX_HISTOGRAM_SERIES + 1, SHARD_TERMS), aggs: { buckets } }
  const without = { filter: none(group.present), aggs: { buckets } }
  return { filter: query, aggs: { values, without } }
}

function bucketsOf(grid: HistogramRequest, result: AggregationResult): number[] {
  return gridCounts(grid, (result as unknown as Result)['buckets'])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** Series with most records first, equal ones by text, the one of records without the field last among its equals. */
function compareSeries(a: HistogramSeries, b: HistogramSeries): number {
  const byCount = sum(b.counts) - sum(a.counts)
  if (byCount !== 0 || a.key === b.key) return byCount
  if (a.key === null || b.key === null) return a.key === null ? 1 : -1
  return compareStrings(a.key, b.key)
}

/** Reads the result of `histogramAggregation`. */
export function readHistogram(plan: HistogramPlan, result: AggregationResult = {}): Histogram {
  const { grid, group } = plan
  if (!group) return { series: [{ key: null, counts: bucketsOf(grid, result) }], warnings: [] }
  const { values, without } = result as { values?: AggregationResult; without?: AggregationResult }
  const byValue = new Map<string, number[]>()
  for (const bucket of values?.buckets ?? []) {
    const key = group.valueOf(String(bucket.key))
    const counts = bucketsOf(grid, bucket)
    // A value may have several terms, but each record has it under one.
    byValue.set(key, byValue.get(key)?.map((count, at) => count + counts[at]!) ?? counts)
  }
  const series: HistogramSeries[] = [...byValue].map(([key, counts]) => ({ key, counts }))
  if (without && (without.doc_count ?? 0) > 0) series.push({ key: null, counts: bucketsOf(grid, without) })
  const isCut = series.length > MAX_HISTOGRAM_SERIES || (values?.sum_other_doc_count ?? 0) > 0
  const mayMiss = (values?.doc_count_error_upper_bound ?? 0) > 0
  return {
    series: series.toSorted(compareSeries).slice(0, MAX_HISTOGRAM_SERIES),
    warnings: [
      ...(isCut ? [histogramCut(MAX_HISTOGRAM_SERIES)] : []),
      ...(mayMiss ? ['the values of the histogram are too many to count exactly'] : [])
    ]
  }
}
