import type { NamespaceId } from '../../domain/ids.js'
import type { WaitingBoard, WaitingCount } from '../../ports/waiting-board.js'
import type { ControlDb } from './control-db.js'

/** Rows written by one statement: 5 parameters each, of at most 32,766 in a statement. */
const SAVED_AT_ONCE = 1_000

/** `WaitingBoard` over Kysely, for both engines. */
export class KyselyWaitingBoard implements WaitingBoard {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async publish(gateway: string, counts: readonly WaitingCount[], atMs: number): Promise<void> {
    for (let from = 0; from < counts.length; from += SAVED_AT_ONCE) {
      const rows = counts.slice(from, from + SAVED_AT_ONCE).map(({ namespaceId, signal, records }) => ({
        ...{ gateway, namespace_id: namespaceId, signal, records, at_ms: atMs }
      }))
      await this.#db
        .insertInto('waiting_records')
        .values(rows)
        .onConflict(conflict =>
          conflict
            .columns(['gateway', 'namespace_id', 'signal'])
            .doUpdateSet(eb => ({ records: eb.ref('excluded.records'), at_ms: eb.ref('excluded.at_ms') }))
        )
        .execute()
    }
    // After the others, so that no reader misses one that waits all the time.
    // By inequality: after the clock was set back, earlier rows have later times.
    const others = this.#db.deleteFrom('waiting_records').where('gateway', '=', gateway)
    await (counts.length === 0 ? others : others.where('at_ms', '!=', atMs)).execute()
  }

  async keptOf(gateway: string): Promise<number> {
    const counting = this.#db.selectFrom('waiting_records').select(eb => eb.fn.countAll<number | string>().as('rows'))
    return Number((await counting.where('gateway', '=', gateway).executeTakeFirstOrThrow()).rows)
  }

  async ofOthers(gateway: string, sinceMs: number): Promise<readonly WaitingCount[]> {
    const rows = await this.#db
      .selectFrom('waiting_records')
      .select(['namespace_id', 'signal'])
      .select(eb => eb.fn.sum<number | string>('records').as('sum'))
      .where('gateway', '!=', gateway)
      .where('at_ms', '>=', sinceMs)
      .groupBy(['namespace_id', 'signal'])
      .execute()
    return rows.map(row => ({
      namespaceId: row.namespace_id as NamespaceId,
      signal: row.signal as WaitingCount['signal'],
      records: Number(row.sum)
    }))
  }
}
