import { GatewayError } from '../../../domain/errors.js'
import { KNOWN } from '../document/field-names.js'
import type { SearchContext } from './pages.js'
import type { Query } from './query.js'
import type { AggregationResult } from './search-engine.js'

const SESSION = KNOWN.rum.session_id.field
const PAGE = 10_000
/** Sessions of one group that are counted one by one. */
const MAX_SESSIONS = 1_000_000
const GROUPS_AT_ONCE = 6

/** How many different sessions each of the queries finds, exactly: the engine's own count of different values is approximate. */
export async function countSessions(context: SearchContext, queries: readonly Query[]): Promise<readonly number[]> {
  const counts: number[] = []
  for (let at = 0; at < queries.length; at += GROUPS_AT_ONCE)
    counts.push(...(await countSome(context, queries.slice(at, at + GROUPS_AT_ONCE))))
  return counts
}

async function countSome({ engine, scope, signal }: SearchContext, queries: readonly Query[]): Promise<readonly number[]> {
  const counted = queries.map(query => ({
    query,
    sessions: 0,
    after: undefined as AggregationResult['after_key'],
    isDone: false
  }))
  if (scope.target.indices.length === 0) return queries.map(() => 0)
  for (;;) {
    const open = counted.filter(({ isDone }) => !isDone)
    if (open.length === 0) return counted.map(({ sessions }) => sessions)
    const aggs = open.map(({ query, after }, i) => {
      const composite = { size: PAGE, sources: [{ session: { terms: { field: SESSION } } }], ...(after && { after }) }
      return [String(i), { filter: query, aggs: { pages: { composite } } }]
    })
    const body = {
      query: scope.confine({ exists: { field: SESSION } }),
      size: 0,
      track_total_hits: false,
      aggs: Object.fromEntries(aggs)
    }
    const { aggregations } = await engine.search(scope.target.indices, body, signal)
    for (const [i, group] of open.entries()) {
      const { pages } = aggregations![String(i)] as unknown as { pages: AggregationResult }
      const found = pages.buckets?.length ?? 0
      group.sessions += found
      group.after = pages.after_key
      group.isDone = found < PAGE
      if (group.sessions > MAX_SESSIONS)
        throw new GatewayError(
          'unsupported_by_store',
          `this store counts at most ${MAX_SESSIONS} sessions; use a shorter time range`
        )
    }
  }
}
