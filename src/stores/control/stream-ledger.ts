import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { FoundGap, LogStream, LostLines, StreamGap, StreamRun } from '../../domain/log-stream.js'
import type {
  FoundGapsRequest,
  LostLinesRequest,
  StreamAccount,
  StreamChange,
  StreamLedger,
  StreamListRequest,
  StreamTimes
} from '../../ports/stream-ledger.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'
import { firstFoundMs, foundGaps } from './found-gaps.js'
import { lostLines } from './lost-lines.js'
import type { ControlSchema } from './schema.js'
import { LAST_RUN_COLUMNS, streamRow, toGap, toLastRun, toRun, toStream } from './stream-rows.js'

async function putStream(db: ControlDb, stream: LogStream): Promise<void> {
  const { namespace_id, id, ...content } = streamRow(stream)
  await db
    .insertInto('streams')
    .values({ namespace_id, id, ...content })
    .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doUpdateSet(content))
    .execute()
}

async function putRun(db: ControlDb, { namespaceId, id }: LogStream, run: StreamRun): Promise<void> {
  const content = {
    bytes_to: run.to,
    first_line: run.firstLine,
    lines: run.lines,
    stored: run.stored,
    min_ms: run.minMs,
    max_ms: run.maxMs,
    at_ms: run.atMs
  }
  await db
    .insertInto('stream_runs')
    .values({ namespace_id: namespaceId, stream_id: id, bytes_from: run.from, ...content })
    .onConflict(conflict => conflict.columns(['namespace_id', 'stream_id', 'bytes_from']).doUpdateSet(content))
    .execute()
}

async function putGap(db: ControlDb, { namespaceId, id }: LogStream, gap: StreamGap): Promise<void> {
  const content = {
    bytes_from: gap.from,
    bytes_to: gap.to,
    first_line: gap.firstLine,
    lines: gap.lines,
    reason: gap.reason,
    code: gap.code,
    first_seq: gap.missing?.first ?? null,
    end_seq: gap.missing?.end ?? null,
    merged: gap.merged,
    at_ms: gap.atMs
  }
  await db
    .insertInto('stream_gaps')
    .values({ namespace_id: namespaceId, stream_id: id, no: gap.no, ...content })
    .onConflict(conflict => conflict.columns(['namespace_id', 'stream_id', 'no']).doUpdateSet(content))
    .execute()
}

async function saveOne(db: ControlDb, { stream, runs, gaps, closed }: StreamChange): Promise<void> {
  await putStream(db, stream)
  for (const run of runs) await putRun(db, stream, run)
  if (closed.length > 0) {
    const removal = db.deleteFrom('stream_gaps').where('namespace_id', '=', stream.namespaceId)
    await removal.where('stream_id', '=', stream.id).where('no', 'in', closed).execute()
  }
  for (const gap of gaps) await putGap(db, stream, gap)
}

/** Removes what belongs to streams whose own rows are removed. */
async function forgetParts(db: ControlDb, ns: NamespaceId, ids: readonly string[]): Promise<void> {
  for (const table of ['stream_runs', 'stream_gaps'] as const) {
    await db.deleteFrom(table).where('namespace_id', '=', ns).where('stream_id', 'in', ids).execute()
  }
}

/** Gaps that nothing can close any more; those of missing batches last as long as their stream. */
async function forgetGaps(db: ControlDb, ns: NamespaceId, atMs: number): Promise<void> {
  const removal = db.deleteFrom('stream_gaps').where('namespace_id', '=', ns).where('at_ms', '<', atMs)
  const removed = await removal.where('first_seq', 'is', null).returning('stream_id').execute()
  for (const id of new Set(removed.map(gap => gap.stream_id))) {
    const gaps = removed.filter(gap => gap.stream_id === id).length
    await db
      .updateTable('streams')
      .set(eb => ({ gap_count: eb('gap_count', '-', gaps) }))
      .where('namespace_id', '=', ns)
      .where('id', '=', id)
      .execute()
  }
}

type StreamsBuilder = ExpressionBuilder<ControlSchema, 'streams'>

function hasTimes(eb: StreamsBuilder, times: StreamTimes): ExpressionWrapper<ControlSchema, 'streams', SqlBool> {
  const { isEnded, sinceMs, quietSinceMs } = times
  const conditions = [eb('end_reason', isEnded ? 'is not' : 'is', null)]
  if (sinceMs !== undefined) conditions.push(eb('last_at_ms', '>=', sinceMs))
  if (quietSinceMs !== undefined) conditions.push(eb('last_at_ms', '<', quietSinceMs))
  return eb.and(conditions)
}

/** Streams forgotten by one transaction. */
const FORGOTTEN_AT_ONCE = 500

export class KyselyStreamLedger implements StreamLedger {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async account(ns: NamespaceId, id: string): Promise<StreamAccount | null> {
    const row = await this.#withLastRun(ns, id).executeTakeFirst()
    if (!row) return null
    const stream = toStream(row)
    const gaps = stream.gapCount === 0 ? [] : await this.#gapsOf(ns, id).orderBy('no').execute()
    return { stream, lastRun: toLastRun(row), gaps: gaps.map(toGap) }
  }

  save(changes: readonly StreamChange[]): Promise<void> {
    return atomically(this.#db, async trx => {
      for (const change of changes) await saveOne(trx, change)
    })
  }

  async list(ns: NamespaceId, request: StreamListRequest): Promise<readonly LogStream[]> {
    let query = this.#streams(ns)
    for (const [column, value] of [
      ['host_id', request.hostId],
      ['host', request.host],
      ['path', request.path],
      ['service', request.service]
    ] as const)
      if (value !== undefined) query = query.where(column, '=', value)
    const { times, hostOrNone } = request
    if (hostOrNone !== undefined) query = query.where(eb => eb.or([eb('host', 'is', null), eb('host', '=', hostOrNone)]))
    if (times !== undefined) query = query.where(eb => eb.or(times.map(one => hasTimes(eb, one))))
    if (request.hasGaps !== undefined) query = query.where('gap_count', request.hasGaps ? '>' : '=', 0)
    if (request.sinceMs !== undefined) query = query.where('last_at_ms', '>=', request.sinceMs)
    const { endedSinceMs } = request
    if (endedSinceMs !== undefined)
      query = query.where(eb => eb.or([eb('end_reason', 'is', null), eb('last_at_ms', '>=', endedSinceMs)]))
    if (request.untilMs !== undefined) query = query.where('first_at_ms', '<', request.untilMs)
    if (request.after !== undefined) query = query.where('id', '>', request.after)
    return (await query.orderBy('id').limit(request.limit).execute()).map(toStream)
  }

  async count(ns: NamespaceId): Promise<number> {
    const counted = await this.#db
      .selectFrom('streams')
      .select(({ fn }) => fn.countAll().as('streams'))
      .where('namespace_id', '=', ns)
      .executeTakeFirst()
    return Number(counted?.streams ?? 0)
  }

  async gaps(ns: NamespaceId, ids: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly StreamGap[]>> {
    if (ids.length === 0) return new Map()
    const numbered = this.#db
      .selectFrom('stream_gaps')
      .selectAll()
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over(o => o.partitionBy('stream_id').orderBy('bytes_from').orderBy('no'))
          .as('at')
      )
      .where('namespace_id', '=', ns)
      .where('stream_id', 'in', ids)
    const rows = this.#db.selectFrom(numbered.as('numbered')).selectAll().where('at', '<=', limit).orderBy('at')
    const groups = groupedBy(await rows.execute(), row => row.stream_id)
    return new Map([...groups].map(([id, gaps]) => [id, gaps.map(toGap)]))
  }

  lost(ns: NamespaceId, request: LostLinesRequest): Promise<readonly LostLines[]> {
    return lostLines(this.#db, ns, request)
  }

  found(request: FoundGapsRequest): Promise<readonly FoundGap[]> {
    return foundGaps(this.#db, request)
  }

  firstFound(fromMs: number): Promise<number | null> {
    return firstFoundMs(this.#db, fromMs)
  }

  async runs(ns: NamespaceId, id: string, { from, limit }: { from: number; limit: number }): Promise<readonly StreamRun[]> {
    const rows = this.#runs(ns, id).where('bytes_from', '>=', from).orderBy('bytes_from').limit(limit)
    return (await rows.execute()).map(toRun)
  }

  forgetOldest(ns: NamespaceId, idleMs: number): Promise<boolean> {
    return atomically(this.#db, async trx => {
      const oldest = trx
        .selectFrom('streams')
        .select('id')
        .where('namespace_id', '=', ns)
        .where(eb => eb.or([eb('end_reason', 'is not', null), eb('last_at_ms', '<', idleMs)]))
        .orderBy('last_at_ms')
        .limit(1)
      const removed = await trx
        .deleteFrom('streams')
        .where('namespace_id', '=', ns)
        .where('id', 'in', oldest)
        .returning('id')
        .execute()
      if (removed.length > 0)
        await forgetParts(
          trx,
          ns,
          removed.map(({ id }) => id)
        )
      return removed.length > 0
    })
  }

  async deleteBefore(ns: NamespaceId, atMs: number): Promise<void> {
    while ((await this.#forgetBefore(ns, atMs)) === FORGOTTEN_AT_ONCE) continue
    await this.#db.deleteFrom('stream_runs').where('namespace_id', '=', ns).where('at_ms', '<', atMs).execute()
    await atomically(this.#db, trx => forgetGaps(trx, ns, atMs))
  }

  #forgetBefore(ns: NamespaceId, atMs: number): Promise<number> {
    return atomically(this.#db, async trx => {
      const old = trx.selectFrom('streams').select('id').where('namespace_id', '=', ns).where('last_at_ms', '<', atMs)
      const removal = trx.deleteFrom('streams').where('namespace_id', '=', ns).where('last_at_ms', '<', atMs)
      const removed = await removal.where('id', 'in', old.limit(FORGOTTEN_AT_ONCE)).returning('id').execute()
      const ids = removed.map(({ id }) => id)
      if (ids.length > 0) await forgetParts(trx, ns, ids)
      return ids.length
    })
  }

  #streams(ns: NamespaceId) {
    return this.#db.selectFrom('streams').selectAll().where('namespace_id', '=', ns)
  }

  /** One statement: each batch of a stream reads this twice. */
  #withLastRun(ns: NamespaceId, id: string) {
    return this.#db
      .selectFrom('streams as s')
      .leftJoin('stream_runs as r', join =>
        join
          .onRef('r.namespace_id', '=', 's.namespace_id')
          .onRef('r.stream_id', '=', 's.id')
          .onRef('r.bytes_to', '=', 's.bytes_to')
      )
      .selectAll('s')
      .select(LAST_RUN_COLUMNS)
      .where('s.namespace_id', '=', ns)
      .where('s.id', '=', id)
      .orderBy('r.bytes_from', 'desc')
      .limit(1)
  }

  #runs(ns: NamespaceId, id: string) {
    return this.#db.selectFrom('stream_runs').selectAll().where('namespace_id', '=', ns).where('stream_id', '=', id)
  }

  #gapsOf(ns: NamespaceId, id: string) {
    return this.#db.selectFrom('stream_gaps').selectAll().where('namespace_id', '=', ns).where('stream_id', '=', id)
  }
}
