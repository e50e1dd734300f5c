import { createHash } from 'node:crypto'
import { shardOf } from '../../domain/alerts/shard.js'
import type { NotificationGroup, NotifiedAlert, SentToChannel } from '../../domain/alerts/notification-group.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { NotificationGroups, NotifyCursor } from '../../ports/notifications.js'
import { readValue, valueText } from './alert-values.js'
import { atomically, type ControlDb } from './control-db.js'

/** Groups written by one statement: 4 parameters each. */
const WRITTEN_AT_ONCE = 500

/** Hash of a key of a group, which may be longer than a database indexes. */
export function groupHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

// JSON has neither maps nor NaN.
type StoredAlert = Omit<NotifiedAlert, 'value'> & { readonly value: string | null }
interface StoredGroup extends Omit<NotificationGroup, 'alerts' | 'sent'> {
  readonly alerts: readonly (readonly [string, StoredAlert])[]
  readonly sent: readonly (readonly [string, Omit<SentToChannel, 'resolved'> & { readonly resolved: readonly StoredAlert[] }])[]
}

function storedAlert(alert: NotifiedAlert): StoredAlert {
  return { ...alert, value: valueText(alert.value) }
}

function readAlert(alert: StoredAlert): NotifiedAlert {
  return { ...alert, value: readValue(alert.value) }
}

function groupText(group: NotificationGroup): string {
  const stored: StoredGroup = {
    ...group,
    alerts: [...group.alerts].map(([key, alert]) => [key, storedAlert(alert)]),
    sent: [...group.sent].map(([id, sent]) => [id, { ...sent, resolved: sent.resolved.map(storedAlert) }])
  }
  return JSON.stringify(stored)
}

function readGroup(text: string): NotificationGroup {
  const stored = JSON.parse(text) as StoredGroup
  return {
    ...stored,
    alerts: new Map(stored.alerts.map(([key, alert]) => [key, readAlert(alert)])),
    sent: new Map(stored.sent.map(([id, sent]) => [id, { ...sent, resolved: sent.resolved.map(readAlert) }]))
  }
}

/** `NotificationGroups` over Kysely, for both engines. */
export class KyselyNotificationGroups implements NotificationGroups {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async cursor(ns: NamespaceId): Promise<NotifyCursor> {
    const row = await this.#db.selectFrom('notification_cursors').selectAll().where('namespace_id', '=', ns).executeTakeFirst()
    return { seq: row?.seq ?? 0, routingVersion: row?.routing_version ?? 0 }
  }

  async setCursor(ns: NamespaceId, { seq, routingVersion }: NotifyCursor): Promise<void> {
    const content = { seq, routing_version: routingVersion }
    await this.#db
      .insertInto('notification_cursors')
      .values({ namespace_id: ns, ...content })
      .onConflict(conflict => conflict.column('namespace_id').doUpdateSet(content))
      .execute()
  }

  async all(ns: NamespaceId): Promise<readonly NotificationGroup[]> {
    const rows = await this.#of(ns).orderBy('key_hash').execute()
    return rows.map(({ content }) => readGroup(content))
  }

  async byKey(ns: NamespaceId, key: string): Promise<NotificationGroup | null> {
    const row = await this.#of(ns).where('key_hash', '=', groupHash(key)).executeTakeFirst()
    return row ? readGroup(row.content) : null
  }

  put(ns: NamespaceId, groups: readonly NotificationGroup[]): Promise<void> {
    return atomically(this.#db, async trx => {
      for (let from = 0; from < groups.length; from += WRITTEN_AT_ONCE) {
        const rows = groups.slice(from, from + WRITTEN_AT_ONCE).map(group => ({
          namespace_id: ns,
          key_hash: groupHash(group.key),
          content: groupText(group),
          next_flush_ms: group.nextFlushMs
        }))
        await trx
          .insertInto('notification_groups')
          .values(rows)
          .onConflict(conflict =>
            conflict.columns(['namespace_id', 'key_hash']).doUpdateSet(eb => ({
              content: eb.ref('excluded.content'),
              next_flush_ms: eb.ref('excluded.next_flush_ms')
            }))
          )
          .execute()
      }
    })
  }

  remove(ns: NamespaceId, keys: readonly string[]): Promise<void> {
    return atomically(this.#db, async trx => {
      for (let from = 0; from < keys.length; from += WRITTEN_AT_ONCE) {
        const hashes = keys.slice(from, from + WRITTEN_AT_ONCE).map(groupHash)
        await trx.deleteFrom('notification_groups').where('namespace_id', '=', ns).where('key_hash', 'in', hashes).execute()
      }
    })
  }

  async withWork(shards: readonly number[], nowMs: number): Promise<readonly NamespaceId[]> {
    const unread = this.#db
      .selectFrom('alert_sequences as latest')
      .leftJoin('notification_cursors as read', 'read.namespace_id', 'latest.namespace_id')
      .select('latest.namespace_id as ns')
      .where(eb => eb.or([eb('read.seq', 'is', null), eb('latest.last_seq', '>', eb.ref('read.seq'))]))
    const due = this.#db
      .selectFrom('notification_groups')
      .select('namespace_id as ns')
      .where('next_flush_ms', '<=', nowMs)
      .distinct()
    const rows = [...(await unread.execute()), ...(await due.execute())]
    const found = new Set(rows.map(({ ns }) => ns as NamespaceId))
    return [...found].filter(ns => shards.includes(shardOf(ns)))
  }

  #of(ns: NamespaceId) {
    return this.#db.selectFrom('notification_groups').selectAll().where('namespace_id', '=', ns)
  }
}
