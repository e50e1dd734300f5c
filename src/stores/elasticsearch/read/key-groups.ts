import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import { compareKeys } from '../../../domain/string-order.js'
import type { DocumentKind } from '../document/field-names.js'
import { groupTerms, type GroupTerms } from './group-terms.js'
import type { SearchContext } from './pages.js'
import { every, none, type Query } from './query.js'
import type { AggregationResult, Aggregations } from './search-engine.js'
import { anyTerm } from './term-condition.js'

/** Combinations of values that one request lists, and that are looked at in all. */
const PAGE = 5_000
/** Groups that one aggregation returns. */
export const MAX_KEY_GROUPS = 20_000
/** Groups and buckets in one request. */
const GROUPS_AT_ONCE = 100
const BUCKETS_AT_ONCE = 30_000

/** Results of aggregations by their names. */
export type Counted = Readonly<Record<string, AggregationResult>>

/** Records with one combination of values. */
export interface KeyGroup {
  readonly key: readonly (string | null)[]
  readonly count: number
  readonly query: Query
  /** The requested counts, in parts. */
  readonly parts: readonly Counted[]
}

/** Records to be grouped by known fields of one value, without fields as a whole, and the request for each part of a group. */
export interface KeyGroupsRequest {
  readonly kind: DocumentKind
  readonly query: Query
  readonly groupBy: readonly Field[]
  readonly aggs?: Aggregations
}

function singleTerms(field: Field, kind: DocumentKind): GroupTerms {
  const group = groupTerms(field, kind)
  if (field.in === 'known' && group.isSingle && !group.isNumber) return group
  throw new GatewayError('query_unsupported', `${kind} are not grouped by ${field.name}`, { field: field.name })
}

function groupQuery(groups: readonly GroupTerms[], key: KeyGroup['key'], query: Query): Query {
  const parts = groups.map((group, i) => {
    const value = key[i]!
    return value === null ? none(group.present) : anyTerm(group.field, group.termsOf(value))
  })
  return every([query, ...parts])
}

function keyOf(bucket: AggregationResult, groups: readonly GroupTerms[]): KeyGroup['key'] {
  const values = bucket.key as unknown as Readonly<Record<string, string | null>>
  // The empty string is not a value.
  return groups.map((_, i) => values[String(i)] || null)
}

async function theWhole({ engine, scope, signal }: SearchContext, { query, aggs = {} }: KeyGroupsRequest): Promise<KeyGroup> {
  const body = { query: scope.confine(query), size: 0, track_total_hits: true, aggs }
  const { hits, aggregations = {} } = await engine.search(scope.target.indices, body, signal)
  return { key: [], count: hits.total!.value, query, parts: [aggregations] }
}

/** All combinations with their counts, most records first, ties by key; cut when there are more than `MAX_KEY_GROUPS`. */
export async function listKeyGroups(
  context: SearchContext,
  request: KeyGroupsRequest
): Promise<{ readonly groups: readonly KeyGroup[]; readonly isCut: boolean }> {
  const { kind, query, groupBy, aggs = {} } = request
  const { engine, scope, signal } = context
  const terms = groupBy.map(field => singleTerms(field, kind))
  if (scope.target.indices.length === 0) return { groups: [], isCut: false }
  if (terms.length === 0) return { groups: [await theWhole(context, request)], isCut: false }
  const found = new Map<string, Omit<KeyGroup, 'query'>>()
  const sources = terms.map(({ field }, i) => ({ [String(i)]: { terms: { field, missing_bucket: true } } }))
  let after: AggregationResult['after_key']
  let isCut = false
  for (;;) {
    const listed = { composite: { size: PAGE, sources, ...(after && { after }) }, aggs }
    const body = { query: scope.confine(query), size: 0, track_total_hits: false, aggs: { groups: listed } }
    const { aggregations } = await engine.search(scope.target.indices, body, signal)
    const { buckets = [], after_key } = aggregations?.['groups'] ?? {}
    for (const bucket of buckets) {
      const key = keyOf(bucket, terms)
      const text = JSON.stringify(key)
      const { count = 0, parts = [] } = found.get(text) ?? {}
      found.set(text, { key, count: count + bucket.doc_count!, parts: [...parts, bucket as unknown as Counted] })
    }
    after = after_key
    if (buckets.length < PAGE) break
    isCut = found.size >= MAX_KEY_GROUPS
    if (isCut) break
  }
  const groups = Array.from(found.values(), group => ({ ...group, query: groupQuery(terms, group.key, query) }))
  return { groups: groups.sort((a, b) => b.count - a.count || compareKeys(a.key, b.key)), isCut }
}

/** The request for each group; `buckets`: the limit of the engine for one. */
interface GroupRequest<Group> {
  readonly buckets: number
  readonly aggregationsOf: (group: Group) => Aggregations
}

/**
 * Requests the groups, some at a time; those whose records have gone since they were listed are left out. One group with more
 * buckets than the engine makes (65,536) is refused by it: `unsupported_by_store`.
 */
export async function countGroups<Group extends { readonly query: Query }>(
  { engine, scope, signal }: SearchContext,
  groups: readonly Group[],
  { buckets, aggregationsOf }: GroupRequest<Group>
): Promise<readonly { readonly group: Group; readonly count: number; readonly found: Counted }[]> {
  const step = Math.max(1, Math.min(GROUPS_AT_ONCE, Math.floor(BUCKETS_AT_ONCE / buckets)))
  const counted: { group: Group; count: number; found: Counted }[] = []
  for (let at = 0; at < groups.length; at += step) {
    const some = groups.slice(at, at + step)
    const aggs = some.map((group, i) => [String(i), { filter: group.query, aggs: aggregationsOf(group) }])
    const body = { query: scope.confine(every([])), size: 0, track_total_hits: false, aggs: Object.fromEntries(aggs) }
    const { aggregations } = await engine.search(scope.target.indices, body, signal)
    for (const [i, group] of some.entries()) {
      // Without an index, as before the first record, the engine aggregates nothing.
      const found = aggregations?.[String(i)]
      const count = found?.doc_count ?? 0
      if (count > 0) counted.push({ group, count, found: found as unknown as Counted })
    }
  }
  return counted
}
