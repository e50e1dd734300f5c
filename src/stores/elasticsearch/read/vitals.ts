import { VITALS, type VitalName } from '../../../domain/records/rum.js'
import { compareStrings } from '../../../domain/string-order.js'
import type { VitalsRequest, VitalsRow, VitalStats } from '../../../ports/event-store.js'
import { VITAL_FIELDS } from '../document/field-names.js'
import { decidedQuery } from './decider.js'
import { groupTerms, termsAggregation } from './group-terms.js'
import type { SearchContext } from './pages.js'
import { ALL, every, none, type Query } from './query.js'
import type { AggregationResult } from './search-engine.js'
import { countSessions } from './session-counts.js'
import { anyTerm } from './term-condition.js'
import { valuesAtRanks, type RankRequest } from './vital-ranks.js'

/** Values of the field to group by that are looked at, so that the groups with most events are among them. */
const MAX_GROUPS = 10_000
/** Groups whose numbers one request covers. */
const GROUPS_AT_ONCE = 20
/** How far below a percentile, in percent, values are listed from: more than the engine's own are off. */
const MARGIN = 2

interface Group {
  readonly key: string | null
  readonly events: number
  readonly query: Query
}

/** Numbers of one vital in one group, percentiles still to be found. */
interface Counted {
  readonly vital: VitalName
  readonly samples: number
  readonly good: number
  readonly poor: number
  readonly near: readonly (number | null)[]
}

async function search(
  { engine, scope, signal }: SearchContext,
  query: Query,
  aggs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
) {
  const body = { query: scope.confine(query), size: 0, track_total_hits: true, aggs }
  return engine.search(scope.target.indices, body, signal)
}

/** Groups with most events first, equal ones by text, those without the field last among equals. */
function compareGroups(a: Group, b: Group): number {
  if (a.events !== b.events) return b.events - a.events
  if (a.key === null || b.key === null) return a.key === null ? 1 : -1
  return compareStrings(a.key, b.key)
}

async function listGroups(context: SearchContext, query: Query, { groupBy }: VitalsRequest): Promise<readonly Group[]> {
  if (!groupBy) {
    const { hits } = await search(context, query, {})
    return [{ key: null, events: hits.total!.value, query }]
  }
  const terms = groupTerms(groupBy, 'rum')
  const without = none(terms.present)
  const { aggregations = {} } = await search(context, query, {
    values: { terms: termsAggregation(terms, MAX_GROUPS, MAX_GROUPS) },
    without: { filter: without }
  })
  const events = new Map<string, number>()
  for (const bucket of aggregations['values']?.buckets ?? []) {
    const value = terms.valueOf(String(bucket.key))
    events.set(value, (events.get(value) ?? 0) + bucket.doc_count!)
  }
  const groups = [...events].map(([key, count]): Group => ({
    key,
    events: count,
    query: every([query, anyTerm(terms.field, terms.termsOf(key))])
  }))
  const missing = aggregations['without']?.doc_count ?? 0
  if (missing > 0) groups.push({ key: null, events: missing, query: every([query, without]) })
  return groups.sort(compareGroups)
}

function vitalAggregation(vital: VitalName, percentiles: readonly number[]): Readonly<Record<string, unknown>> {
  const { field } = VITAL_FIELDS[vital]
  const { good, poor } = VITALS[vital]
  const percents = percentiles.map(percentile => Math.max(percentile * 100 - MARGIN, 0))
  return {
    filter: { exists: { field } },
    aggs: {
      ...(good !== null && { good: { filter: { range: { [field]: { lte: good } } } } }),
      ...(poor !== null && { poor: { filter: { range: { [field]: { gt: poor } } } } }),
      ...(percents.length > 0 && { near: { percentiles: { field, percents, keyed: false } } })
    }
  }
}

function toCounted(vital: VitalName, result: AggregationResult): Counted {
  const { good, poor, near } = result as {
    good?: AggregationResult
    poor?: AggregationResult
    near?: { readonly values: readonly { readonly value: number | null }[] }
  }
  return {
    vital,
    samples: result.doc_count ?? 0,
    good: good?.doc_count ?? 0,
    poor: poor?.doc_count ?? 0,
    near: (near?.values ?? []).map(({ value }) => value)
  }
}

async function countVitals(
  context: SearchContext,
  groups: readonly Group[],
  request: VitalsRequest
): Promise<readonly (readonly Counted[])[]> {
  const counted: (readonly Counted[])[] = []
  for (let at = 0; at < groups.length; at += GROUPS_AT_ONCE) {
    const some = groups.slice(at, at + GROUPS_AT_ONCE)
    const vitals = request.vitals.map((vital, i) => [String(i), vitalAggregation(vital, request.percentiles)])
    const aggs = some.map(({ query }, i) => [String(i), { filter: query, aggs: Object.fromEntries(vitals) }])
    const { aggregations = {} } = await search(context, ALL, Object.fromEntries(aggs))
    for (const [i] of some.entries()) {
      const group = aggregations[String(i)] as Readonly<Record<string, AggregationResult>> | undefined
      counted.push(request.vitals.map((vital, at) => toCounted(vital, group?.[String(at)] ?? {})))
    }
  }
  return counted
}

/** Ranks around a percentile: linear interpolation between the closest. */
function ranksOf(percentile: number, samples: number): { readonly low: number; readonly high: number; readonly part: number } {
  const rank = percentile * (samples - 1)
  const low = Math.floor(rank)
  return { low, high: Math.ceil(rank), part: rank - low }
}

function rankRequest({ query }: Group, { vital, samples, near }: Counted, percentiles: readonly number[]): RankRequest {
  const about = new Map<number, number>()
  for (const [i, percentile] of percentiles.entries()) {
    const { low, high } = ranksOf(percentile, samples)
    for (const rank of [low, high]) about.set(rank, Math.min(about.get(rank) ?? Infinity, near[i] ?? -Infinity))
  }
  return { query, field: VITAL_FIELDS[vital].field, ranks: [...about.keys()], near: [...about.values()] }
}

function toStats(counted: Counted, values: ReadonlyMap<number, number> | undefined, percentiles: readonly number[]): VitalStats {
  const { vital, samples, good, poor } = counted
  const isRated = VITALS[vital].good !== null
  const percentileOf = (percentile: number) => {
    const { low, high, part } = ranksOf(percentile, samples)
    const [below, above] = [values!.get(low)!, values!.get(high)!]
    return below + (above - below) * part
  }
  return {
    vital,
    samples,
    percentiles: percentiles.map(percentile => (samples === 0 ? null : percentileOf(percentile))),
    good,
    needsImprovement: isRated ? samples - good - poor : 0,
    poor
  }
}

/** Percentiles and ratings per group, most events first, all exact. Throws `unsupported_by_store` beyond what can be. */
export async function readVitals(
  context: SearchContext,
  request: VitalsRequest
): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }> {
  const query = await decidedQuery(context, 'rum', request.filter)
  const all = await listGroups(context, query, request)
  const groups = all.slice(0, request.limit)
  const counted = await countVitals(context, groups, request)
  const sessions = await countSessions(
    context,
    groups.map(group => group.query)
  )
  const requested = groups.flatMap((group, i) =>
    counted[i]!.filter(({ samples }) => samples > 0).map(each => ({
      each,
      rank: rankRequest(group, each, request.percentiles)
    }))
  )
  const found = await valuesAtRanks(
    context,
    requested.map(({ rank }) => rank)
  )
  const values = new Map(requested.map(({ each }, i) => [each, found[i]!]))
  const rows = groups.map(({ key, events }, i) => ({
    key,
    events,
    sessions: sessions[i]!,
    vitals: counted[i]!.map(each => toStats(each, values.get(each), request.percentiles))
  }))
  return { rows, hasMore: all.length > request.limit }
}
