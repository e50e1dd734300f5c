import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import { compareStrings } from '../../../domain/string-order.js'
import type { ErrorGroup, EventStore } from '../../../ports/event-store.js'
import { APM_ERRORS } from '../document/record-kinds.js'
import { KNOWN, TIME } from '../document/field-names.js'
import { decidedQuery } from './decider.js'
import { MAX_PAGE, ordering, type SearchContext } from './pages.js'
import { every, type Query } from './query.js'
import type { AggregationResult, AggregationBucket } from './search-engine.js'
import { anyTerm } from './term-condition.js'

type ErrorGroupsRequest = Parameters<EventStore['errorGroups']>[1]

const FINGERPRINT = KNOWN.errors.fingerprint.field
/** Groups beyond the limit that are looked at because they may share its millisecond. */
const SLACK = 50

/** Fingerprints whose newest error may be among the `limit` + 1 most recent; the engine orders by milliseconds only. */
async function candidates(context: SearchContext, query: Query, limit: number): Promise<readonly string[]> {
  for (let size = limit + 1 + SLACK; ; size = Math.min(size * 4, MAX_PAGE)) {
    const order = [{ last: 'desc' }, { _key: 'asc' }]
    const terms = { field: FINGERPRINT, size, shard_size: size * 2, order }
    const aggs = { groups: { terms, aggs: { last: { max: { field: TIME } } } } }
    const body = { query: context.scope.confine(query), size: 0, track_total_hits: false, aggs }
    const { aggregations } = await context.engine.search(context.scope.target.indices, body, context.signal)
    const buckets = aggregations?.['groups']?.buckets ?? []
    const lastMs = (bucket: AggregationBucket | undefined) => (bucket?.['last'] as AggregationResult | undefined)?.value ?? -1
    const edge = lastMs(buckets[limit])
    const isWhole = buckets.length < size || lastMs(buckets.at(-1)) < edge || size >= MAX_PAGE
    if (isWhole) return buckets.filter(bucket => lastMs(bucket) >= edge).map(bucket => String(bucket.key))
  }
}

const NEWEST = { top_hits: { size: 1, ...ordering('desc', undefined) } }
const OLDEST = { top_hits: { size: 1, ...ordering('asc', undefined), _source: [TIME] } }

function toGroup(bucket: AggregationBucket): ErrorGroup {
  const hitOf = (name: string) => (bucket[name] as AggregationResult).hits!.hits[0]!._source
  const newest = APM_ERRORS.toRecord(hitOf('newest'))
  return {
    fingerprint: String(bucket.key),
    service: newest.service,
    type: newest.type,
    message: newest.message,
    count: bucket.doc_count!,
    firstSeenNs: parseRfc3339Ns(String(hitOf('oldest')[TIME]))!,
    lastSeenNs: newest.timestampNs,
    sampleId: newest.id
  }
}

function compareGroups(a: ErrorGroup, b: ErrorGroup): number {
  if (a.lastSeenNs !== b.lastSeenNs) return a.lastSeenNs > b.lastSeenNs ? -1 : 1
  return compareStrings(a.fingerprint, b.fingerprint)
}

/** Groups of errors, most recently seen first; the newest error of a group speaks for it. */
export async function readErrorGroups(
  context: SearchContext,
  { filter, limit }: ErrorGroupsRequest
): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }> {
  const query = await decidedQuery(context, 'errors', filter)
  const include = await candidates(context, query, limit)
  if (include.length === 0) return { groups: [], hasMore: false }
  const groups: ErrorGroup[] = []
  // So many groups that each has its newest and oldest record within one result.
  for (let at = 0; at < include.length; at += 500) {
    const some = include.slice(at, at + 500)
    const terms = { field: FINGERPRINT, include: some, size: some.length }
    const body = {
      query: context.scope.confine(every([query, anyTerm(FINGERPRINT, some)])),
      size: 0,
      track_total_hits: false,
      aggs: { groups: { terms, aggs: { newest: NEWEST, oldest: OLDEST } } }
    }
    const { aggregations } = await context.engine.search(context.scope.target.indices, body, context.signal)
    groups.push(...(aggregations?.['groups']?.buckets ?? []).map(toGroup))
  }
  groups.sort(compareGroups)
  return { groups: groups.slice(0, limit), hasMore: groups.length > limit }
}
