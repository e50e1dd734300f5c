import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import { compareKeys } from '../../../domain/text-order.js'
import type { SpanStats, SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { KNOWN, TIME } from '../document/field-names.js'
import { decidedQuery } from './decided-query.js'
import { durationPercentiles, LONGEST, percentilesAggregation, type MeasuredSpans } from './duration-percentiles.js'
import { gridAggregation, gridCounts } from './grid.js'
import { groupTerms, type GroupTerms } from './group-terms.js'
import type { Asking } from './pages.js'
import { every, none, type Query } from './query.js'
import type { AggregationResult, Aggregations } from './search-engine.js'
import { anyTerm } from './term-condition.js'

const F = KNOWN.spans
const IS_ERROR: Query = { term: { [F.status.field]: 'error' } }
/** Combinations of values that one request lists, and that are looked at in all. */
const PAGE = 5_000
export const MAX_STATS_GROUPS = 20_000
/** Groups and buckets that one request asks for. */
const GROUPS_AT_ONCE = 100
const BUCKETS_AT_ONCE = 30_000

/** Spans with one combination of values. */
interface Group extends MeasuredSpans {
  readonly key: readonly (string | null)[]
  readonly query: Query
}

function singleTerms(field: Field): GroupTerms {
  const group = groupTerms(field, 'spans')
  if (field.in === 'known' && group.isSingle && !group.isNumber) return group
  throw new GatewayError('query_unsupported', `spans are not grouped by ${field.name}`, { field: field.name })
}

function groupQuery(groups: readonly GroupTerms[], key: Group['key'], query: Query): Query {
  const parts = groups.map((group, i) => {
    const value = key[i]!
    return value === null ? none(group.present) : anyTerm(group.field, group.termsOf(value))
  })
  return every([query, ...parts])
}

function keyOf(bucket: AggregationResult, groups: readonly GroupTerms[]): Group['key'] {
  const values = bucket.key as unknown as Readonly<Record<string, string | null>>
  // The empty text is no value.
  return groups.map((_, i) => values[String(i)] || null)
}

/** All combinations with their counts, most spans first. */
async function listGroups(
  { engine, scope, signal }: Asking,
  query: Query,
  groups: readonly GroupTerms[]
): Promise<{ readonly groups: readonly Group[]; readonly isCut: boolean }> {
  const counts = new Map<string, Omit<Group, 'query'>>()
  const sources = groups.map(({ field }, i) => ({ [String(i)]: { terms: { field, missing_bucket: true } } }))
  let after: AggregationResult['after_key']
  let isCut = false
  for (;;) {
    const aggs = { groups: { composite: { size: PAGE, sources, ...(after && { after }) }, aggs: { longest: LONGEST } } }
    const body = { query: scope.confine(query), size: 0, track_total_hits: false, aggs }
    const { aggregations } = await engine.search(scope.target.indices, body, signal)
    const { buckets = [], after_key } = aggregations?.['groups'] ?? {}
    for (const bucket of buckets) {
      const key = keyOf(bucket, groups)
      const text = JSON.stringify(key)
      const known = counts.get(text)
      const longestNs = Math.max(known?.longestNs ?? 0, (bucket['longest'] as AggregationResult).value ?? 0)
      counts.set(text, { key, spans: (known?.spans ?? 0) + bucket.doc_count!, longestNs })
    }
    after = after_key
    if (buckets.length < PAGE) break
    isCut = counts.size >= MAX_STATS_GROUPS
    if (isCut) break
  }
  const found = [...counts.values()].map(group => ({ ...group, query: groupQuery(groups, group.key, query) }))
  return { groups: found.sort((a, b) => b.spans - a.spans || compareKeys(a.key, b.key)), isCut }
}

const NEWEST = {
  top_hits: { size: 1, _source: [TIME], sort: [{ [TIME]: 'desc' }] }
}

function durationRanges(bounds: readonly bigint[]): Readonly<Record<string, unknown>> {
  // From inclusive, to exclusive.
  const edges = bounds.map(bound => Number(bound) + 1)
  const ranges = [...edges.map((to, i) => (i === 0 ? { to } : { from: edges[i - 1]!, to })), { from: edges.at(-1) ?? 0 }]
  return { range: { field: F.duration_ns.field, ranges } }
}

function detailAggregations({ grid, percentiles, boundsNs }: SpanStatsRequest, group: Group): Aggregations {
  return {
    errors: { filter: IS_ERROR, ...(grid && { aggs: { grid: gridAggregation(grid) } }) },
    ...(grid && { grid: gridAggregation(grid) }),
    ...(boundsNs && { buckets: durationRanges(boundsNs) }),
    ...(percentiles.length > 0 && { durations: percentilesAggregation(percentiles, group) }),
    newest: NEWEST
  }
}

type Details = Readonly<Record<string, AggregationResult>>

function toRow({ key, spans }: Group, found: Details, { grid, percentiles, boundsNs }: SpanStatsRequest): SpanStatsRow {
  const errors = found['errors'] as AggregationResult & { readonly grid?: AggregationResult }
  const [newest] = found['newest']!.hits!.hits
  return {
    key,
    spans,
    errors: errors.doc_count ?? 0,
    percentilesNs: durationPercentiles(percentiles, found['durations'] ?? {}),
    lastSeenNs: parseRfc3339Ns(String(newest!._source[TIME]))!,
    ...(boundsNs && { buckets: found['buckets']!.buckets!.map(({ doc_count }) => doc_count ?? 0) }),
    ...(grid && { grid: { spans: gridCounts(grid, found['grid']), errors: gridCounts(grid, errors.grid) } })
  }
}

function groupsAtOnce({ grid, boundsNs, percentiles }: SpanStatsRequest): number {
  const buckets = 1 + 2 * (grid?.count ?? 0) + (boundsNs?.length ?? 0) + (percentiles.length > 0 ? 1_000 : 0)
  return Math.max(1, Math.min(GROUPS_AT_ONCE, Math.floor(BUCKETS_AT_ONCE / buckets)))
}

async function readRows(asking: Asking, request: SpanStatsRequest, groups: readonly Group[]): Promise<readonly SpanStatsRow[]> {
  const { engine, scope, signal } = asking
  const rows: SpanStatsRow[] = []
  const step = groupsAtOnce(request)
  for (let at = 0; at < groups.length; at += step) {
    const some = groups.slice(at, at + step)
    const aggs = some.map((group, i) => [String(i), { filter: group.query, aggs: detailAggregations(request, group) }])
    const body = { query: scope.confine(every([])), size: 0, track_total_hits: false, aggs: Object.fromEntries(aggs) }
    const { aggregations } = await engine.search(scope.target.indices, body, signal)
    for (const [i, group] of some.entries()) {
      const found = aggregations![String(i)]!
      // Its spans may have been deleted since they were listed.
      if ((found.doc_count ?? 0) > 0)
        rows.push(toRow({ ...group, spans: found.doc_count! }, found as unknown as Details, request))
    }
  }
  return rows
}

/** Requests, errors and durations per group, those with most spans first; one group over all without fields to group by. */
export async function readSpanStats(asking: Asking, request: SpanStatsRequest): Promise<SpanStats> {
  const query = await decidedQuery(asking, 'spans', request.filter)
  const fields = request.groupBy.map(singleTerms)
  if (asking.scope.target.indices.length === 0) return { rows: [], hasMore: false, complete: true, warnings: [] }
  const { groups, isCut } =
    fields.length > 0 ? await listGroups(asking, query, fields) : { groups: [await theWhole(asking, query)], isCut: false }
  const rows = await readRows(asking, request, groups.slice(0, request.limit))
  const warnings = isCut ? [`only ${MAX_STATS_GROUPS} groups were compared`] : []
  return { rows, hasMore: groups.length > request.limit, complete: !isCut, warnings }
}

async function theWhole({ engine, scope, signal }: Asking, query: Query): Promise<Group> {
  const body = { query: scope.confine(query), size: 0, track_total_hits: true, aggs: { longest: LONGEST } }
  const { hits, aggregations } = await engine.search(scope.target.indices, body, signal)
  return { key: [], spans: hits.total!.value, longestNs: aggregations?.['longest']?.value ?? 0, query }
}
