import { sql } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type { FoundGap } from '../../domain/log-stream.js'
import type { FoundGapsRequest } from '../../ports/stream-ledger.js'
import type { ControlDb } from './control-db.js'
import { toGap } from './stream-rows.js'

// A literal: the index has the same condition.
const DROPPED = sql.lit('dropped')

/** Gaps of the time, numbered by stream. */
function gapsOf(db: ControlDb, { fromMs, toMs }: FoundGapsRequest) {
  return db
    .selectFrom('stream_gaps')
    .selectAll()
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over(o => o.partitionBy(['namespace_id', 'stream_id']).orderBy('at_ms').orderBy('no'))
        .as('of_stream')
    )
    .where('at_ms', '>=', fromMs)
    .where('at_ms', '<', toMs)
    .where('reason', '!=', DROPPED)
}

/** The first gap of each stream, numbered by service. */
function firstGapsOf(db: ControlDb, request: FoundGapsRequest) {
  return db
    .selectFrom(gapsOf(db, request).as('g'))
    .innerJoin('streams as s', join => join.onRef('s.namespace_id', '=', 'g.namespace_id').onRef('s.id', '=', 'g.stream_id'))
    .selectAll('g')
    .select(['s.host', 's.path', 's.service'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over(o => o.partitionBy(['g.namespace_id', 's.service']).orderBy('g.at_ms').orderBy('g.stream_id'))
        .as('of_service')
    )
    .where('g.of_stream', '=', 1)
}

/** `found` of the ledger. */
export async function foundGaps(db: ControlDb, request: FoundGapsRequest): Promise<readonly FoundGap[]> {
  const ranked = db
    .selectFrom(firstGapsOf(db, request).as('f'))
    .selectAll()
    .select(({ fn }) => [
      fn
        .agg<number>('row_number')
        .over(o => o.partitionBy('namespace_id').orderBy('of_service').orderBy('at_ms').orderBy('stream_id'))
        .as('of_namespace'),
      fn
        .countAll<number>()
        .over(o => o.partitionBy('namespace_id'))
        .as('streams')
    ])
  const rows = await db
    .selectFrom(ranked.as('r'))
    .selectAll()
    .where('of_namespace', '<=', request.streams)
    .orderBy('of_namespace')
    .orderBy('at_ms')
    .orderBy('namespace_id')
    .limit(request.limit)
    .execute()
  return rows.map(row => ({
    ...{ namespaceId: row.namespace_id as NamespaceId, streamId: row.stream_id, gap: toGap(row) },
    ...{ host: row.host, path: row.path, service: row.service, streams: row.streams }
  }))
}

/** `firstFound` of the ledger. */
export async function firstFoundMs(db: ControlDb, fromMs: number): Promise<number | null> {
  const since = db.selectFrom('stream_gaps').select('at_ms').where('at_ms', '>=', fromMs).where('reason', '!=', DROPPED)
  return (await since.orderBy('at_ms').limit(1).executeTakeFirst())?.at_ms ?? null
}
