import type { Selectable } from 'kysely'
import type { Channel, ChannelContent } from '../../domain/alerts/channel.js'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { NotificationChannels } from '../../ports/notifications.js'
import { atomically, type ControlDb, UniqueViolation } from './control-db.js'
import type { NotificationChannelsTable } from './notification-schema.js'

function toChannel(row: Selectable<NotificationChannelsTable>): Channel {
  return {
    ...(JSON.parse(row.content) as Omit<ChannelContent, 'name'>),
    namespaceId: row.namespace_id as NamespaceId,
    id: row.id,
    name: row.name,
    url: row.url,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousUntilMs: row.previous_until_ms,
    disabledReason: row.disabled_reason,
    failingSinceMs: row.failing_since_ms,
    lastDeliveryAtMs: row.last_delivery_ms,
    lastError: row.last_error,
    updatedBy: row.updated_by as UserId,
    updatedAtMs: row.updated_at_ms
  }
}

/** `NotificationChannels` over Kysely, for both engines. */
export class KyselyNotificationChannels implements NotificationChannels {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async all(ns: NamespaceId): Promise<readonly Channel[]> {
    return (await this.#of(ns).orderBy('name').execute()).map(toChannel)
  }

  async byId(ns: NamespaceId, id: string): Promise<Channel | null> {
    const row = await this.#of(ns).where('id', '=', id).executeTakeFirst()
    return row ? toChannel(row) : null
  }

  async put(channel: Channel): Promise<void> {
    const { kind, format, signature, events, isEnabled } = channel
    const content = {
      name: channel.name,
      content: JSON.stringify({ kind, format, signature, events, isEnabled }),
      url: channel.url,
      secret: channel.secret,
      previous_secret: channel.previousSecret,
      previous_until_ms: channel.previousUntilMs,
      disabled_reason: channel.disabledReason,
      failing_since_ms: channel.failingSinceMs,
      last_delivery_ms: channel.lastDeliveryAtMs,
      last_error: channel.lastError,
      updated_by: channel.updatedBy,
      updated_at_ms: channel.updatedAtMs
    }
    try {
      await this.#db
        .insertInto('notification_channels')
        .values({ namespace_id: channel.namespaceId, id: channel.id, ...content })
        .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doUpdateSet(content))
        .execute()
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      const detail = `a channel named ${channel.name} already exists in this namespace`
      throw new GatewayError('name_taken', detail, { field: 'name', cause: error })
    }
  }

  remove(ns: NamespaceId, id: string): Promise<boolean> {
    return atomically(this.#db, async trx => {
      await trx.deleteFrom('deliveries').where('namespace_id', '=', ns).where('channel_id', '=', id).execute()
      const removal = trx.deleteFrom('notification_channels').where('namespace_id', '=', ns).where('id', '=', id)
      return (await removal.executeTakeFirst()).numDeletedRows > 0n
    })
  }

  async everywhere(): Promise<readonly Channel[]> {
    const rows = this.#db.selectFrom('notification_channels').selectAll()
    return (await rows.orderBy('namespace_id').orderBy('id').execute()).map(toChannel)
  }

  #of(ns: NamespaceId) {
    return this.#db.selectFrom('notification_channels').selectAll().where('namespace_id', '=', ns)
  }
}
