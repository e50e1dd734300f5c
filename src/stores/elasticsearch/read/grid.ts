import { GatewayError } from '../../../domain/errors.js'
import type { HistogramRequest } from '../../../domain/search.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { AggregationResult, AggregationBucket } from './search-engine.js'
import { timeClause } from './scope.js'

const MS_NS = 1_000_000n
/** Buckets with bounds inside a millisecond are one clause each. */
const MAX_FINE_BUCKETS = 1_000

function isWholeMs({ startNs, stepNs }: HistogramRequest): boolean {
  return startNs % MS_NS === 0n && stepNs % MS_NS === 0n
}

function bucketRange({ startNs, stepNs }: HistogramRequest, at: number): TimeRange {
  return { startNs: startNs + stepNs * BigInt(at), endNs: startNs + stepNs * BigInt(at + 1) }
}

/** The whole of a grid. */
export function gridRange(grid: HistogramRequest): TimeRange {
  return { startNs: grid.startNs, endNs: grid.startNs + grid.stepNs * BigInt(grid.count) }
}

/** The part of a range that a grid covers. */
export function overlap(range: TimeRange, grid: HistogramRequest): TimeRange {
  const { startNs, endNs } = gridRange(grid)
  return { startNs: startNs > range.startNs ? startNs : range.startNs, endNs: endNs < range.endNs ? endNs : range.endNs }
}

/** Aggregation that counts records per bucket of the grid. Histograms of the engine count whole milliseconds only. */
export function gridAggregation(grid: HistogramRequest): Readonly<Record<string, unknown>> {
  if (isWholeMs(grid)) {
    const [startMs, stepMs] = [grid.startNs / MS_NS, grid.stepNs / MS_NS]
    const offset = `${((startMs % stepMs) + stepMs) % stepMs}ms`
    return { date_histogram: { field: '@timestamp', fixed_interval: `${stepMs}ms`, offset, min_doc_count: 1 } }
  }
  if (grid.count > MAX_FINE_BUCKETS)
    throw new GatewayError(
      'unsupported_by_store',
      `a histogram with steps below 1 ms must not exceed ${MAX_FINE_BUCKETS} buckets`
    )
  const filters = Array.from({ length: grid.count }, (_, at) => timeClause(bucketRange(grid, at)))
  return { filters: { filters } }
}

/** Aggregation that adds up a field per bucket of the grid, too. */
export function gridSumsAggregation(grid: HistogramRequest, field: string): Readonly<Record<string, unknown>> {
  return { ...gridAggregation(grid), aggs: { sum: { sum: { field } } } }
}

/** Counts per bucket out of the result of `gridAggregation`. */
export function gridCounts(grid: HistogramRequest, result: AggregationResult | undefined): number[] {
  return gridValues(grid, result, ({ doc_count }) => doc_count ?? 0)
}

/** Sums per bucket out of the result of `gridSumsAggregation`; the engine adds up doubles. */
export function gridSums(grid: HistogramRequest, result: AggregationResult | undefined): number[] {
  return gridValues(grid, result, ({ sum }) => (sum as AggregationResult).value ?? 0)
}

/** The bucket of each step out of the result of `gridAggregation`; undefined where no record is. */
export function gridBuckets(grid: HistogramRequest, result: AggregationResult | undefined): (AggregationBucket | undefined)[] {
  const found: (AggregationBucket | undefined)[] = Array.from({ length: grid.count })
  const isWhole = isWholeMs(grid)
  for (const [i, bucket] of (result?.buckets ?? []).entries()) {
    const at = isWhole ? Number((BigInt(bucket.key!) * MS_NS - grid.startNs) / grid.stepNs) : i
    if (at >= 0 && at < grid.count) found[at] = bucket
  }
  return found
}

function gridValues(
  grid: HistogramRequest,
  result: AggregationResult | undefined,
  valueOf: (bucket: AggregationBucket) => number
): number[] {
  return gridBuckets(grid, result).map(bucket => (bucket === undefined ? 0 : valueOf(bucket)))
}
