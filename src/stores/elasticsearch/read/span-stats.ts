import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import type { SpanGrid, SpanGridCounts, SpanStats, SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { KNOWN, TIME } from '../document/field-names.js'
import { decidedQuery } from './decider.js'
import { durationPercentiles, LONGEST, percentilesAggregation } from './duration-percentiles.js'
import { gridAggregation, gridCounts, gridSums, gridSumsAggregation } from './grid.js'
import { countGroups, type Counted, type KeyGroup, listKeyGroups, MAX_KEY_GROUPS } from './key-groups.js'
import type { SearchContext } from './pages.js'
import type { Query } from './query.js'
import type { Aggregations } from './search-engine.js'

const F = KNOWN.spans
const IS_ERROR: Query = { term: { [F.status.field]: 'error' } }

const NEWEST = {
  top_hits: { size: 1, _source: [TIME], sort: [{ [TIME]: 'desc' }] }
}

function durationRanges(bounds: readonly bigint[]): Readonly<Record<string, unknown>> {
  // From inclusive, to exclusive.
  const edges = bounds.map(bound => Number(bound) + 1)
  const ranges = [...edges.map((to, i) => (i === 0 ? { to } : { from: edges[i - 1]!, to })), { from: edges.at(-1) ?? 0 }]
  return { range: { field: F.duration_ns.field, ranges } }
}

function longestOf({ parts }: KeyGroup): number {
  return Math.max(...parts.map(part => part['longest']?.value ?? 0))
}

function errorsAggregation({ grid, boundsNs, errorBuckets }: SpanStatsRequest): Readonly<Record<string, unknown>> {
  const overTime = grid && { grid: gridAggregation(grid) }
  const byBounds = boundsNs && errorBuckets === true && { buckets: durationRanges(boundsNs) }
  return { filter: IS_ERROR, ...((overTime || byBounds) && { aggs: { ...overTime, ...byBounds } }) }
}

function aggregationsOf(request: SpanStatsRequest, group: KeyGroup): Aggregations {
  const { grid, percentiles, boundsNs } = request
  const measured = { spans: group.count, longestNs: longestOf(group) }
  return {
    errors: errorsAggregation(request),
    ...(grid && { grid: grid.sums === true ? gridSumsAggregation(grid, F.duration_ns.field) : gridAggregation(grid) }),
    ...(boundsNs && {
      buckets: { ...durationRanges(boundsNs), ...(grid?.buckets === true && { aggs: { grid: gridAggregation(grid) } }) }
    }),
    ...(percentiles.length > 0 && { durations: percentilesAggregation(percentiles, measured) }),
    newest: NEWEST
  }
}

function gridOf(grid: SpanGrid, found: Counted): SpanGridCounts {
  const within = (result: unknown): number[] => gridCounts(grid, (result as Counted)['grid'])
  return {
    spans: within(found),
    errors: within(found['errors']),
    ...(grid.sums === true && { durationsNs: gridSums(grid, found['grid']).map(BigInt) }),
    ...(grid.buckets === true && found['buckets'] && { buckets: found['buckets'].buckets!.map(within) })
  }
}

function bucketCounts(result: unknown): readonly number[] {
  return (result as Counted)['buckets']!.buckets!.map(({ doc_count }) => doc_count ?? 0)
}

function toRow({ key }: KeyGroup, count: number, found: Counted, request: SpanStatsRequest): SpanStatsRow {
  const { grid, percentiles, boundsNs, errorBuckets } = request
  const [newest] = found['newest']!.hits!.hits
  return {
    key,
    spans: count,
    errors: found['errors']!.doc_count ?? 0,
    percentilesNs: durationPercentiles(percentiles, found['durations'] ?? {}),
    lastSeenNs: parseRfc3339Ns(String(newest!._source[TIME]))!,
    ...(boundsNs && { buckets: bucketCounts(found) }),
    ...(boundsNs && errorBuckets === true && { errorBuckets: bucketCounts(found['errors']) }),
    ...(grid && { grid: gridOf(grid, found) })
  }
}

/** How many buckets the engine may make for one group. */
function bucketsOf({ grid, boundsNs, errorBuckets, percentiles }: SpanStatsRequest): number {
  const bounds = boundsNs ? boundsNs.length + 1 : 0
  const overTime = grid ? grid.count * (2 + (grid.buckets === true ? bounds : 0)) : 0
  return 1 + overTime + bounds * (errorBuckets === true ? 2 : 1) + (percentiles.length > 0 ? 1_000 : 0)
}

function isRounded({ grid }: SpanStatsRow): boolean {
  return grid?.durationsNs?.some(ns => ns > Number.MAX_SAFE_INTEGER) === true
}

/** Requests, errors and durations per group, those with most spans first; one group over all without fields to group by. */
export async function readSpanStats(context: SearchContext, request: SpanStatsRequest): Promise<SpanStats> {
  const query = await decidedQuery(context, 'spans', request.filter)
  const requested = { kind: 'spans', query, groupBy: request.groupBy, aggs: { longest: LONGEST } } as const
  const { groups, isCut } = await listKeyGroups(context, requested)
  const grouping = { buckets: bucketsOf(request), aggregationsOf: (group: KeyGroup) => aggregationsOf(request, group) }
  const counted = await countGroups(context, groups.slice(0, request.limit), grouping)
  const rows = counted.map(({ group, count, found }) => toRow(group, count, found, request))
  const warnings = [
    ...(isCut ? [`only ${MAX_KEY_GROUPS} groups were compared`] : []),
    ...(rows.some(isRounded) ? ['sums of durations beyond 2^53 nanoseconds are rounded'] : [])
  ]
  return { rows, hasMore: groups.length > request.limit, complete: !isCut, warnings }
}
