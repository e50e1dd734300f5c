import { sql } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type { LostLines } from '../../domain/log-stream.js'
import type { LostLinesRequest } from '../../ports/stream-ledger.js'
import type { ControlDb } from './control-db.js'
import { toGap } from './stream-rows.js'

/** Time of what is stored before the gap; runs that end within it do, too. Null: nothing is. */
const MIN_MS = sql<number | null>`(select coalesce(r.min_ms, r.at_ms) from stream_runs r
  where r.namespace_id = g.namespace_id and r.stream_id = g.stream_id
    and r.bytes_from < case when g.bytes_to > g.bytes_from then g.bytes_to else g.bytes_from + 1 end
  order by r.bytes_from desc limit 1)`

/** Time of what is stored after it; of nothing yet, that of the latest batch or of the gap itself. */
const MAX_MS = sql<number>`coalesce(
  (select coalesce(r.max_ms, r.at_ms) from stream_runs r
    where r.namespace_id = g.namespace_id and r.stream_id = g.stream_id and r.bytes_to > g.bytes_from
    order by r.bytes_from limit 1),
  case when s.last_at_ms > g.at_ms then s.last_at_ms else g.at_ms end)`

/** Gaps whose lines can have been written in a time, with the rule of `proofOf`. */
export async function lostLines(db: ControlDb, ns: NamespaceId, request: LostLinesRequest): Promise<readonly LostLines[]> {
  let query = db
    .selectFrom('streams as s')
    .innerJoin('stream_gaps as g', join => join.onRef('g.namespace_id', '=', 's.namespace_id').onRef('g.stream_id', '=', 's.id'))
    .selectAll('g')
    .select(['s.path', 's.host', MIN_MS.as('least_ms'), MAX_MS.as('most_ms')])
    .where('s.namespace_id', '=', ns)
    .where('s.gap_count', '>', 0)
    .where('g.reason', '!=', 'dropped')
  for (const [column, values] of [
    ['s.id', request.ids],
    ['s.host', request.hosts],
    ['s.path', request.paths]
  ] as const)
    if (values !== undefined) query = query.where(column, 'in', values)
  const { services, anyService } = request
  if (services !== undefined)
    query = query.where(eb => {
      const named = eb('s.service', 'in', services)
      return anyService ? eb.or([named, eb('s.service', 'is', null)]) : named
    })
  const rows = await query
    .where(MAX_MS, '>=', request.sinceMs)
    .where(eb => eb.or([eb(MIN_MS, 'is', null), eb(MIN_MS, '<', request.untilMs)]))
    .orderBy('s.id')
    .orderBy('g.bytes_from')
    .orderBy('g.no')
    .limit(request.limit)
    .execute()
  return rows.map(row => ({
    ...{ streamId: row.stream_id, path: row.path, host: row.host, gap: toGap(row) },
    times: { minMs: row.least_ms ?? 0, maxMs: row.most_ms }
  }))
}
