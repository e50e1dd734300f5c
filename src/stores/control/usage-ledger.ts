import type { NamespaceId } from '../../domain/ids.js'
import type { UsageDelta, UsageLedger } from '../../ports/control-store.js'
import type { ControlDb } from './control-db.js'
import { atomically, int } from './control-db.js'

export class KyselyUsageLedger implements UsageLedger {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  add(deltas: readonly UsageDelta[]): Promise<void> {
    if (deltas.length === 0) return Promise.resolve()
    return atomically(this.#db, async trx => {
      for (const delta of deltas) await addOne(trx, delta)
    })
  }

  async of(namespaceId: NamespaceId, from: string, to: string): Promise<readonly UsageDelta[]> {
    const rows = await this.#db
      .selectFrom('usage')
      .selectAll()
      .where('namespace_id', '=', namespaceId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day')
      .orderBy('signal')
      .execute()
    return rows.map(row => ({
      namespaceId,
      day: row.day,
      signal: row.signal as UsageDelta['signal'],
      stored: int(row.stored),
      rejected: int(row.rejected),
      deduplicated: int(row.deduplicated),
      bytes: int(row.bytes)
    }))
  }
}

async function addOne(db: ControlDb, delta: UsageDelta): Promise<void> {
  const { namespaceId, ...rest } = delta
  await db
    .insertInto('usage')
    .values({ namespace_id: namespaceId, ...rest })
    .onConflict(conflict =>
      conflict.columns(['namespace_id', 'day', 'signal']).doUpdateSet(eb => ({
        stored: eb('usage.stored', '+', eb.ref('excluded.stored')),
        rejected: eb('usage.rejected', '+', eb.ref('excluded.rejected')),
        deduplicated: eb('usage.deduplicated', '+', eb.ref('excluded.deduplicated')),
        bytes: eb('usage.bytes', '+', eb.ref('excluded.bytes'))
      }))
    )
    .execute()
}
