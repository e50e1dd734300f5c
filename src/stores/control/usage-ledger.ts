import type { Insertable } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type { UsageDelta, UsageLedger } from '../../ports/usage-ledger.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'
import type { UsageTable } from './schema.js'

/** Rows added by one statement, 8 parameters each. */
const ADDED_AT_ONCE = 500

/** `UsageLedger` over Kysely, for both engines. */
export class KyselyUsageLedger implements UsageLedger {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  add(deltas: readonly UsageDelta[]): Promise<void> {
    const rows = toRows(deltas)
    if (rows.length === 0) return Promise.resolve()
    return atomically(this.#db, async trx => {
      for (let from = 0; from < rows.length; from += ADDED_AT_ONCE) await addRows(trx, rows.slice(from, from + ADDED_AT_ONCE))
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
      stored: row.stored,
      rejected: row.rejected,
      deduplicated: row.deduplicated,
      dropped: row.dropped,
      bytes: row.bytes
    }))
  }
}

/**
 * One row per key, since a statement may meet a row only once; in the order of the keys, so that gateways that add at
 * once wait for each other in one order.
 */
function toRows(deltas: readonly UsageDelta[]): Insertable<UsageTable>[] {
  const byKey = new Map<string, Insertable<UsageTable>>()
  for (const { namespaceId, ...delta } of deltas) {
    const key = `${namespaceId} ${delta.day} ${delta.signal}`
    const row = byKey.get(key)
    byKey.set(key, row ? sum(row, delta) : { namespace_id: namespaceId, ...delta })
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function sum(row: Insertable<UsageTable>, more: Omit<UsageDelta, 'namespaceId'>): Insertable<UsageTable> {
  return {
    ...row,
    stored: row.stored + more.stored,
    rejected: row.rejected + more.rejected,
    deduplicated: row.deduplicated + more.deduplicated,
    dropped: row.dropped + more.dropped,
    bytes: row.bytes + more.bytes
  }
}

async function addRows(db: ControlDb, rows: readonly Insertable<UsageTable>[]): Promise<void> {
  await db
    .insertInto('usage')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['namespace_id', 'day', 'signal']).doUpdateSet(eb => ({
        stored: eb('usage.stored', '+', eb.ref('excluded.stored')),
        rejected: eb('usage.rejected', '+', eb.ref('excluded.rejected')),
        deduplicated: eb('usage.deduplicated', '+', eb.ref('excluded.deduplicated')),
        dropped: eb('usage.dropped', '+', eb.ref('excluded.dropped')),
        bytes: eb('usage.bytes', '+', eb.ref('excluded.bytes'))
      }))
    )
    .execute()
}
