import type { Selectable } from 'kysely'
import { GatewayError } from '../../domain/errors.js'
import type { SubstringSearch } from '../../domain/storage-plan.js'
import type { IndexCatalog, IndexGeneration, IndexKind } from '../../ports/index-catalog.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'
import type { StoreIndicesTable } from './schema.js'

function toGeneration(row: Selectable<StoreIndicesTable>): IndexGeneration {
  return {
    owner: row.owner as IndexGeneration['owner'],
    kind: row.kind as IndexKind,
    number: row.number,
    index: row.index_name,
    fromMs: row.from_ms,
    search: row.search as SubstringSearch,
    createdAtMs: row.created_at_ms,
    madeAtMs: row.made_at_ms,
    lostAtMs: row.lost_at_ms
  }
}

/** `IndexCatalog` over Kysely, for both engines. */
export class KyselyIndexCatalog implements IndexCatalog {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async all(): Promise<readonly IndexGeneration[]> {
    const ordered = this.#db.selectFrom('store_indices').selectAll().orderBy('owner').orderBy('kind').orderBy('number')
    return (await ordered.execute()).map(toGeneration)
  }

  async of(owner: IndexGeneration['owner'], kind: IndexKind): Promise<readonly IndexGeneration[]> {
    const rows = await this.#db
      .selectFrom('store_indices')
      .selectAll()
      .where('owner', '=', owner)
      .where('kind', '=', kind)
      .orderBy('number')
      .execute()
    return rows.map(toGeneration)
  }

  add(generation: IndexGeneration): Promise<IndexGeneration> {
    const { owner, kind, number, index, fromMs, search, createdAtMs, madeAtMs, lostAtMs } = generation
    const made = { made_at_ms: madeAtMs, lost_at_ms: lostAtMs }
    const row = { ...made, index_name: index, owner, kind, number, from_ms: fromMs, search, created_at_ms: createdAtMs }
    return atomically(this.#db, async trx => {
      await trx
        .insertInto('store_indices')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const stored = await trx
        .selectFrom('store_indices')
        .selectAll()
        .where('owner', '=', owner)
        .where('kind', '=', kind)
        .where('number', '=', number)
        .executeTakeFirst()
      if (!stored) throw new GatewayError('conflict', `the index ${index} belongs to another generation`)
      return toGeneration(stored)
    })
  }

  async noteMade(index: string, atMs: number): Promise<void> {
    const change = this.#db.updateTable('store_indices').set({ made_at_ms: atMs })
    await change.where('index_name', '=', index).where('made_at_ms', 'is', null).execute()
  }

  async noteLost(index: string, atMs: number): Promise<void> {
    const change = this.#db.updateTable('store_indices').set({ lost_at_ms: atMs })
    await change.where('index_name', '=', index).where('made_at_ms', 'is not', null).execute()
  }

  async remove(index: string): Promise<void> {
    await this.#db.deleteFrom('store_indices').where('index_name', '=', index).execute()
  }
}
