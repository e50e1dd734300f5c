import { createHash } from 'node:crypto'
import { shardOf } from '../../domain/alerts/shard.js'
import type { NotificationGroup, NotifiedAlert, NotifiedState, SentToChannel } from '../../domain/alerts/notification-group.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { NotificationGroups, NotifyCursor } from '../../ports/notifications.js'
import { readValue, valueText } from './alert-values.js'
import { atomically, type ControlDb } from './control-db.js'

/** Groups written by one statement: 5 parameters each. */
const WRITTEN_AT_ONCE = 500
/** Groups read by one statement: they are decoded on the event loop. */
const READ_AT_ONCE = 200

/** Hash of a key of a group, which may be longer than a database indexes. */
export function groupHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

// JSON has neither maps nor NaN.
type StoredAlert = Omit<NotifiedAlert, 'value'> & { readonly value: string | null }
interface StoredSent extends Omit<SentToChannel, 'resolved' | 'owed'> {
  readonly resolved: readonly StoredAlert[]
  /** Keys alone were stored by versions that did not keep the state that was sent. */
  readonly owed: readonly (string | readonly [key: string, state: NotifiedState])[]
}
interface StoredGroup extends Omit<NotificationGroup, 'alerts' | 'sent'> {
  readonly alerts: readonly (readonly [string, StoredAlert])[]
  readonly sent: readonly (readonly [string, StoredSent])[]
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
    sent: [...group.sent].map(([id, sent]) => [id, { ...sent, owed: [...sent.owed], resolved: sent.resolved.map(storedAlert) }])
  }
  return JSON.stringify(stored)
}

function readSent(sent: StoredSent, alerts: NotificationGroup['alerts']): SentToChannel {
  // The present state in place of an unknown one: it is not news.
  const owed = sent.owed.map(one => (typeof one === 'string' ? ([one, alerts.get(one)?.state ?? 'firing'] as const) : one))
  return { ...sent, owed: new Map(owed), resolved: sent.resolved.map(readAlert) }
}

/** Reads the JSON of a stored group, also of earlier versions. */
export function readGroup(text: string): NotificationGroup {
  const stored = JSON.parse(text) as StoredGroup
  const alerts = new Map(stored.alerts.map(([key, alert]) => [key, readAlert(alert)]))
  return { ...stored, alerts, sent: new Map(stored.sent.map(([id, sent]) => [id, readSent(sent, alerts)])) }
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
    const groups: NotificationGroup[] = []
    for (let after = ''; ;) {
      const rows = await this.#of(ns).where('key_hash', '>', after).orderBy('key_hash').limit(READ_AT_ONCE).execute()
      for (const { content } of rows) groups.push(readGroup(content))
      if (rows.length < READ_AT_ONCE) return groups
      after = rows.at(-1)!.key_hash
    }
  }

  async count(ns: NamespaceId): Promise<number> {
    const groups = this.#db.selectFrom('notification_groups').where('namespace_id', '=', ns)
    return Number((await groups.select(({ fn }) => fn.countAll().as('groups')).executeTakeFirstOrThrow()).groups)
  }

  async byKeys(ns: NamespaceId, keys: readonly string[]): Promise<readonly NotificationGroup[]> {
    const groups: NotificationGroup[] = []
    for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
      const hashes = keys.slice(from, from + READ_AT_ONCE).map(groupHash)
      for (const { content } of await this.#of(ns).where('key_hash', 'in', hashes).execute()) groups.push(readGroup(content))
    }
    return groups
  }

  async retired(ns: NamespaceId): Promise<readonly NotificationGroup[]> {
    const rows = await this.#of(ns).where('is_retired', '=', 1).orderBy('key_hash').execute()
    return rows.map(({ content }) => readGroup(content))
  }

  async due(ns: NamespaceId, nowMs: number, limit: number): Promise<readonly NotificationGroup[]> {
    const due = this.#of(ns).where('next_flush_ms', '<=', nowMs)
    const rows = await due.orderBy('next_flush_ms').orderBy('key_hash').limit(limit).execute()
    return rows.map(({ content }) => readGroup(content))
  }

  async acked(ns: NamespaceId): Promise<readonly string[]> {
    // Quotes within strings are escaped, so that only the member itself matches.
    const rows = await this.#of(ns).where('content', 'like', '%"isAcked":true%').execute()
    return rows.map(({ content }) => readGroup(content).key)
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
          next_flush_ms: group.nextFlushMs,
          is_retired: group.routeKey === null ? 1 : 0
        }))
        await trx
          .insertInto('notification_groups')
          .values(rows)
          .onConflict(conflict =>
            conflict.columns(['namespace_id', 'key_hash']).doUpdateSet(eb => ({
              content: eb.ref('excluded.content'),
              next_flush_ms: eb.ref('excluded.next_flush_ms'),
              is_retired: eb.ref('excluded.is_retired')
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

  async removeEnded(ns: NamespaceId): Promise<void> {
    await this.#db
      .deleteFrom('notification_groups')
      .where('namespace_id', '=', ns)
      .where('next_flush_ms', 'is', null)
      .where(eb => {
        const waiting = eb.selectFrom('deliveries').select('id').where('deliveries.namespace_id', '=', ns)
        const ofGroup = waiting.whereRef('group_hash', '=', 'notification_groups.key_hash')
        return eb.not(eb.exists(ofGroup.where('next_attempt_ms', 'is not', null)))
      })
      .execute()
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
