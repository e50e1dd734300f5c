import type { Selectable } from 'kysely'
import type { MuteTime, RoutingDocument, Silence } from '../../domain/alerts/silence.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { NotificationRules } from '../../ports/notifications.js'
import type { ControlDb } from './control-db.js'
import type { SilencesTable } from './notification-schema.js'

function toSilence(row: Selectable<SilencesTable>): Silence {
  return {
    namespaceId: row.namespace_id as NamespaceId,
    id: row.id,
    matchers: JSON.parse(row.matchers) as readonly string[],
    startsAtMs: row.starts_at_ms,
    endsAtMs: row.ends_at_ms,
    comment: row.comment,
    createdBy: row.created_by as UserId,
    updatedAtMs: row.updated_at_ms
  }
}

/** `NotificationRules` over Kysely, for both engines. */
export class KyselyNotificationRules implements NotificationRules {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async routing(ns: NamespaceId): Promise<RoutingDocument | null> {
    const row = await this.#db.selectFrom('alert_routing').selectAll().where('namespace_id', '=', ns).executeTakeFirst()
    if (!row) return null
    const { version, document, updated_by: updatedBy, updated_at_ms: updatedAtMs } = row
    return { namespaceId: ns, version, document, updatedBy: updatedBy as UserId, updatedAtMs }
  }

  async putRouting({ namespaceId, version, document, updatedBy, updatedAtMs }: RoutingDocument): Promise<boolean> {
    const content = { version, document, updated_by: updatedBy, updated_at_ms: updatedAtMs }
    if (version === 1) {
      const insertion = this.#db.insertInto('alert_routing').values({ namespace_id: namespaceId, ...content })
      const result = await insertion.onConflict(conflict => conflict.column('namespace_id').doNothing()).executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    }
    const update = this.#db.updateTable('alert_routing').set(content).where('namespace_id', '=', namespaceId)
    return (await update.where('version', '=', version - 1).executeTakeFirst()).numUpdatedRows > 0n
  }

  async silencesAfter(ns: NamespaceId, endsAfterMs: number, limit: number): Promise<readonly Silence[]> {
    const rows = this.#silences(ns).where('ends_at_ms', '>', endsAfterMs)
    return (await rows.orderBy('ends_at_ms').orderBy('id').limit(limit).execute()).map(toSilence)
  }

  async silences(ns: NamespaceId, limit: number): Promise<readonly Silence[]> {
    return (await this.#silences(ns).orderBy('ends_at_ms', 'desc').orderBy('id').limit(limit).execute()).map(toSilence)
  }

  async silence(ns: NamespaceId, id: string): Promise<Silence | null> {
    const row = await this.#silences(ns).where('id', '=', id).executeTakeFirst()
    return row ? toSilence(row) : null
  }

  async putSilence(silence: Silence): Promise<void> {
    const content = {
      matchers: JSON.stringify(silence.matchers),
      starts_at_ms: silence.startsAtMs,
      ends_at_ms: silence.endsAtMs,
      comment: silence.comment,
      created_by: silence.createdBy,
      updated_at_ms: silence.updatedAtMs
    }
    await this.#db
      .insertInto('silences')
      .values({ namespace_id: silence.namespaceId, id: silence.id, ...content })
      .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doUpdateSet(content))
      .execute()
  }

  async deleteSilencesBefore(endedMs: number): Promise<void> {
    await this.#db.deleteFrom('silences').where('ends_at_ms', '<', endedMs).execute()
  }

  async muteTimes(ns: NamespaceId): Promise<readonly MuteTime[]> {
    const rows = this.#db.selectFrom('mute_times').selectAll().where('namespace_id', '=', ns).orderBy('name')
    return (await rows.execute()).map(({ name, intervals }) => ({ namespaceId: ns, name, intervals }))
  }

  async putMuteTime({ namespaceId, name, intervals }: MuteTime): Promise<void> {
    await this.#db
      .insertInto('mute_times')
      .values({ namespace_id: namespaceId, name, intervals })
      .onConflict(conflict => conflict.columns(['namespace_id', 'name']).doUpdateSet({ intervals }))
      .execute()
  }

  async removeMuteTime(ns: NamespaceId, name: string): Promise<boolean> {
    const removal = this.#db.deleteFrom('mute_times').where('namespace_id', '=', ns).where('name', '=', name)
    return (await removal.executeTakeFirst()).numDeletedRows > 0n
  }

  #silences(ns: NamespaceId) {
    return this.#db.selectFrom('silences').selectAll().where('namespace_id', '=', ns)
  }
}
