import type { NamespaceId } from '../../domain/ids.js'
import type { StorePlaces } from '../../ports/series-catalog.js'
import type { ControlDb } from './control-db.js'

/** `StorePlaces` over Kysely, for both engines. */
export class KyselyStorePlaces implements StorePlaces {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async all(store: string): Promise<ReadonlyMap<NamespaceId, string>> {
    const rows = await this.#db.selectFrom('store_places').selectAll().where('store', '=', store).execute()
    return new Map(rows.map(row => [row.namespace_id as NamespaceId, row.place]))
  }

  async of(store: string, ns: NamespaceId): Promise<string | null> {
    const row = await this.#db
      .selectFrom('store_places')
      .select('place')
      .where('store', '=', store)
      .where('namespace_id', '=', ns)
      .executeTakeFirst()
    return row?.place ?? null
  }

  async setOnce(store: string, ns: NamespaceId, place: string): Promise<string> {
    const row = await this.#db
      .insertInto('store_places')
      .values({ store, namespace_id: ns, place })
      .onConflict(conflict =>
        conflict.columns(['store', 'namespace_id']).doUpdateSet(eb => ({ store: eb.ref('excluded.store') }))
      )
      .returning('place')
      .executeTakeFirstOrThrow()
    return row.place
  }

  async set(store: string, ns: NamespaceId, place: string): Promise<void> {
    await this.#db
      .insertInto('store_places')
      .values({ store, namespace_id: ns, place })
      .onConflict(conflict => conflict.columns(['store', 'namespace_id']).doUpdateSet({ place }))
      .execute()
  }

  async remove(store: string, ns: NamespaceId): Promise<void> {
    await this.#db.deleteFrom('store_places').where('store', '=', store).where('namespace_id', '=', ns).execute()
  }
}
