import type { Selectable } from 'kysely'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { NamedViewsRequest, Preferences, SavedView, SavedViews } from '../../ports/saved-views.js'
import type { ControlDb } from './control-db.js'
import type { SavedViewsTable } from './schema.js'

function toView(row: Selectable<SavedViewsTable>): SavedView {
  return {
    id: row.id,
    namespaceId: row.namespace_id as NamespaceId,
    name: row.name,
    signal: row.signal,
    state: row.state,
    createdBy: row.created_by as UserId | null,
    updatedBy: row.updated_by as UserId,
    updatedAtMs: row.updated_at_ms
  }
}

/** `SavedViews` over Kysely, for both engines. */
export class KyselySavedViews implements SavedViews {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async put({ id, namespaceId, name, signal, state, createdBy, updatedBy, updatedAtMs }: SavedView): Promise<void> {
    const content = { name, signal, state, updated_by: updatedBy, updated_at_ms: updatedAtMs }
    await this.#db
      .insertInto('saved_views')
      .values({ namespace_id: namespaceId, id, created_by: createdBy, ...content })
      .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doUpdateSet(content))
      .execute()
  }

  async byId(ns: NamespaceId, id: string): Promise<SavedView | null> {
    const row = await this.#of(ns).where('id', '=', id).executeTakeFirst()
    return row ? toView(row) : null
  }

  async named(ns: NamespaceId, { limit, signal, after }: NamedViewsRequest): Promise<readonly SavedView[]> {
    let views = this.#of(ns).where('name', 'is not', null)
    if (signal !== undefined) views = views.where('signal', '=', signal)
    if (after !== undefined) {
      views = views.where(eb => eb(eb.refTuple('name', 'id'), '>', eb.tuple(after.name, after.id)))
    }
    return (await views.orderBy('name').orderBy('id').limit(limit).execute()).map(toView)
  }

  async count(ns: NamespaceId): Promise<number> {
    const counted = await this.#db
      .selectFrom('saved_views')
      .select(({ fn }) => fn.countAll().as('views'))
      .where('namespace_id', '=', ns)
      .executeTakeFirst()
    return Number(counted?.views ?? 0)
  }

  async remove(ns: NamespaceId, id: string): Promise<boolean> {
    const result = await this.#db.deleteFrom('saved_views').where('namespace_id', '=', ns).where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  #of(ns: NamespaceId) {
    return this.#db.selectFrom('saved_views').selectAll().where('namespace_id', '=', ns)
  }
}

/** `Preferences` over Kysely, for both engines. */
export class KyselyPreferences implements Preferences {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async of(userId: UserId): Promise<string | null> {
    const row = await this.#db.selectFrom('preferences').select('preferences').where('user_id', '=', userId).executeTakeFirst()
    return row?.preferences ?? null
  }

  async set(userId: UserId, preferences: string): Promise<void> {
    await this.#db
      .insertInto('preferences')
      .values({ user_id: userId, preferences })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet({ preferences }))
      .execute()
  }
}
