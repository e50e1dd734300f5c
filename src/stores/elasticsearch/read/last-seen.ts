import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import type { GroupTerms } from './group-terms.js'
import type { SearchContext } from './pages.js'
import { some, type Query } from './query.js'
import { timeClause } from './scope.js'
import type { AggregationResult } from './search-engine.js'

const MS_NS = 1_000_000n
/** Milliseconds that one request looks into; each is a clause. */
const MAX_TIMES = 500

/** A value whose newest record is known to the millisecond. */
export interface Sighting {
  readonly value: string
  readonly lastMs: number
}

/** Values of one field among the records of one filter. */
export interface SightingGroup {
  readonly group: GroupTerms
  readonly query: Query
  readonly sightings: readonly Sighting[]
}

const NEWEST = {
  top_hits: {
    size: 1,
    _source: false,
    sort: [{ '@timestamp': 'desc' }],
    docvalue_fields: [{ field: '@timestamp', format: 'strict_date_optional_time_nanos' }]
  }
}

function msClause(ms: number): Query {
  const startNs = BigInt(ms) * MS_NS
  return timeClause({ startNs, endNs: startNs + MS_NS })
}

function newestNs(bucket: AggregationResult): bigint {
  const [hit] = (bucket as unknown as { newest: AggregationResult }).newest.hits!.hits
  return parseRfc3339Ns(String(hit!.fields!['@timestamp']![0]))!
}

function chunksOf(groups: readonly SightingGroup[]): readonly (readonly SightingGroup[])[] {
  const chunks: SightingGroup[][] = [[]]
  let room = MAX_TIMES
  for (const { group, query, sightings } of groups) {
    for (let at = 0; at < sightings.length;) {
      if (room === 0) {
        chunks.push([])
        room = MAX_TIMES
      }
      const taken = sightings.slice(at, at + room)
      chunks.at(-1)!.push({ group, query, sightings: taken })
      at += taken.length
      room -= taken.length
    }
  }
  return chunks.filter(chunk => chunk.length > 0)
}

async function seenIn(
  { engine, scope, signal }: SearchContext,
  groups: readonly SightingGroup[],
  seen: Map<GroupTerms, Map<string, bigint>>
): Promise<void> {
  const times = new Set(groups.flatMap(({ sightings }) => sightings.map(({ lastMs }) => lastMs)))
  const aggs = groups.map(({ group, query, sightings }, i) => {
    const include = sightings.flatMap(({ value }) => group.termsOf(value))
    const values = { terms: { field: group.field, include, size: include.length }, aggs: { newest: NEWEST } }
    return [String(i), { filter: query, aggs: { values } }]
  })
  const body = {
    query: scope.confine(some([...times].map(msClause))),
    size: 0,
    track_total_hits: false,
    aggs: Object.fromEntries(aggs)
  }
  const { aggregations } = await engine.search(scope.target.indices, body, signal)
  for (const [i, { group }] of groups.entries()) {
    const { values } = aggregations![String(i)] as unknown as { values: AggregationResult }
    for (const bucket of values.buckets ?? []) {
      const value = group.valueOf(String(bucket.key))
      const known = seen.get(group)!.get(value)
      const ns = newestNs(bucket)
      if (known === undefined || known < ns) seen.get(group)!.set(value, ns)
    }
  }
}

/**
 * When values were last seen, to the nanosecond: aggregations of the engine stop at milliseconds, so the records of
 * just those milliseconds are looked at once more.
 */
export async function lastSeen(
  deps: SearchContext,
  groups: readonly SightingGroup[]
): Promise<ReadonlyMap<GroupTerms, ReadonlyMap<string, bigint>>> {
  const seen = new Map(groups.map(({ group }) => [group, new Map<string, bigint>()]))
  for (const chunk of chunksOf(groups)) await seenIn(deps, chunk, seen)
  for (const { group, sightings } of groups) {
    // A record that was removed meanwhile leaves its millisecond.
    for (const { value, lastMs } of sightings)
      if (!seen.get(group)!.has(value)) seen.get(group)!.set(value, BigInt(lastMs) * MS_NS)
  }
  return seen
}
