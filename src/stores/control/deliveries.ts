import type { Insertable, Selectable } from 'kysely'
import type { MessageType } from '../../domain/alerts/channel.js'
import type { Delivery, DeliveryAttempt, DeliveryState, ListedDelivery } from '../../domain/alerts/delivery.js'
import { shardOf } from '../../domain/alerts/shard.js'
import type { NamespaceId } from '../../domain/ids.js'
import { firstUlidAt } from '../../domain/ulid.js'
import type { Deliveries, DeliveryOutcome, DeliveryPage, DueLimits, TestCount } from '../../ports/notifications.js'
import { atomically, type ControlDb } from './control-db.js'
import { groupHash } from './notification-groups.js'
import type { DeliveriesTable } from './notification-schema.js'

/** Ended deliveries that one statement deletes: others wait for it. */
const DELETED_AT_ONCE = 1_000

/** All columns but the body. */
const LISTED = [
  'namespace_id',
  'id',
  'channel_id',
  'group_key',
  'type',
  'created_at_ms',
  'state',
  'next_attempt_ms',
  'attempts',
  'tries',
  'tried_since_ms'
] as const

function toListed(row: Pick<Selectable<DeliveriesTable>, (typeof LISTED)[number]>): ListedDelivery {
  return {
    id: row.id,
    namespaceId: row.namespace_id as NamespaceId,
    channelId: row.channel_id,
    groupKey: row.group_key,
    type: row.type as MessageType,
    createdAtMs: row.created_at_ms,
    state: row.state as DeliveryState,
    nextAttemptMs: row.next_attempt_ms,
    attempts: JSON.parse(row.attempts) as readonly DeliveryAttempt[],
    tries: row.tries,
    triedSinceMs: row.tried_since_ms
  }
}

/** Groups of channels that deliveries belong to, each once. */
function groupsOf(
  rows: readonly Insertable<DeliveriesTable>[]
): readonly (readonly [ns: string, channel: string, group: string])[] {
  const groups = new Map<string, readonly [string, string, string]>()
  for (const { namespace_id: ns, channel_id: channel, group_hash: group } of rows) {
    if (group != null) groups.set(`${ns} ${channel} ${group}`, [ns, channel, group])
  }
  return [...groups.values()]
}

function deliveryRow(delivery: Delivery): Insertable<DeliveriesTable> {
  return {
    namespace_id: delivery.namespaceId,
    id: delivery.id,
    channel_id: delivery.channelId,
    group_key: delivery.groupKey,
    group_hash: delivery.groupKey === null ? null : groupHash(delivery.groupKey),
    shard: shardOf(delivery.namespaceId),
    type: delivery.type,
    body: delivery.body,
    created_at_ms: delivery.createdAtMs,
    state: delivery.state,
    next_attempt_ms: delivery.nextAttemptMs,
    attempts: JSON.stringify(delivery.attempts),
    tries: delivery.tries,
    tried_since_ms: delivery.triedSinceMs
  }
}

/** `Deliveries` over Kysely, for both engines. */
export class KyselyDeliveries implements Deliveries {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  insert(deliveries: readonly Delivery[]): Promise<void> {
    return atomically(this.#db, async trx => {
      const rows = deliveries.map(deliveryRow)
      for (const [ns, channel, group] of groupsOf(rows)) {
        await trx
          .updateTable('deliveries')
          .set({ state: 'replaced', next_attempt_ms: null })
          .where('namespace_id', '=', ns)
          .where('channel_id', '=', channel)
          .where('group_hash', '=', group)
          .where('next_attempt_ms', 'is not', null)
          .execute()
      }
      for (const row of rows) await trx.insertInto('deliveries').values(row).execute()
    })
  }

  async byId(ns: NamespaceId, id: string): Promise<Delivery | null> {
    const row = await this.#db
      .selectFrom('deliveries')
      .select([...LISTED, 'body'])
      .where('namespace_id', '=', ns)
      .where('id', '=', id)
      .executeTakeFirst()
    return row ? { ...toListed(row), body: row.body } : null
  }

  async list(ns: NamespaceId, { channelId, before, limit }: DeliveryPage): Promise<readonly ListedDelivery[]> {
    let query = this.#ofChannel(ns, channelId).select(LISTED)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toListed)
  }

  async countTests(ns: NamespaceId, channelId: string, afterMs: number): Promise<TestCount> {
    const row = await this.#ofChannel(ns, channelId)
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at_ms').as('first')])
      // By the index of ids, which begin with their time.
      .where('id', '>=', firstUlidAt(afterMs))
      .where('created_at_ms', '>', afterMs)
      .where('type', '=', 'webhook.test' satisfies MessageType)
      .executeTakeFirstOrThrow()
    return { count: Number(row.count), firstAtMs: row.first }
  }

  async hasNewer({ namespaceId, channelId, groupKey, createdAtMs }: ListedDelivery): Promise<boolean> {
    if (groupKey === null) return false
    const newer = this.#ofChannel(namespaceId, channelId).select('id').where('group_hash', '=', groupHash(groupKey))
    return (await newer.where('created_at_ms', '>', createdAtMs).limit(1).executeTakeFirst()) !== undefined
  }

  async waiting(ns: NamespaceId): Promise<readonly { readonly groupKey: string; readonly channelId: string }[]> {
    const rows = await this.#db
      .selectFrom('deliveries')
      .select(['group_key', 'channel_id'])
      .where('namespace_id', '=', ns)
      .where('next_attempt_ms', 'is not', null)
      .execute()
    return rows.flatMap(({ group_key: groupKey, channel_id: channelId }) => (groupKey === null ? [] : { groupKey, channelId }))
  }

  async due(shards: readonly number[], nowMs: number, { perChannel, total }: DueLimits): Promise<readonly ListedDelivery[]> {
    if (shards.length === 0) return []
    const numbered = this.#db
      .selectFrom('deliveries')
      .select(LISTED)
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over(o => o.partitionBy(['namespace_id', 'channel_id']).orderBy('next_attempt_ms').orderBy('id'))
          .as('place')
      )
      .where('shard', 'in', shards)
      .where('next_attempt_ms', '<=', nowMs)
    const rows = this.#db.selectFrom(numbered.as('numbered')).selectAll().where('place', '<=', perChannel)
    return (await rows.orderBy('next_attempt_ms').orderBy('id').limit(total).execute()).map(toListed)
  }

  async nextDueMs(shards: readonly number[], afterMs: number): Promise<number | null> {
    if (shards.length === 0) return null
    const row = await this.#db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.min('next_attempt_ms').as('at'))
      .where('shard', 'in', shards)
      .where('next_attempt_ms', '>', afterMs)
      .executeTakeFirst()
    return row?.at ?? null
  }

  record(ns: NamespaceId, id: string, { state, attempts, tries, nextAttemptMs }: DeliveryOutcome): Promise<void> {
    return atomically(this.#db, async trx => {
      const update = trx.updateTable('deliveries').where('namespace_id', '=', ns).where('id', '=', id)
      await update.set({ attempts: JSON.stringify(attempts), tries }).execute()
      const ended = update.set({ state, next_attempt_ms: nextAttemptMs })
      await (state === 'delivered' ? ended : ended.where('state', '=', 'waiting')).execute()
    })
  }

  async giveUp(ns: NamespaceId, channelId: string): Promise<void> {
    await this.#db
      .updateTable('deliveries')
      .set({ state: 'failed', next_attempt_ms: null })
      .where('namespace_id', '=', ns)
      .where('channel_id', '=', channelId)
      .where('next_attempt_ms', 'is not', null)
      .execute()
  }

  async retry(ns: NamespaceId, id: string, nowMs: number): Promise<void> {
    await this.#db
      .updateTable('deliveries')
      .set({ state: 'waiting', next_attempt_ms: nowMs, tries: 0, tried_since_ms: nowMs })
      .where('namespace_id', '=', ns)
      .where('id', '=', id)
      .where('state', '!=', 'delivered')
      .execute()
  }

  async deleteOld(beforeMs: number, keep: number): Promise<void> {
    while ((await this.#deleteBefore(beforeMs)) === DELETED_AT_ONCE) continue
    const channels = await this.#db
      .selectFrom('deliveries')
      .select(['namespace_id', 'channel_id'])
      .groupBy(['namespace_id', 'channel_id'])
      .having(({ fn }) => fn.countAll(), '>', keep)
      .execute()
    for (const { namespace_id: ns, channel_id: channel } of channels) await this.#deleteBeyond(ns as NamespaceId, channel, keep)
  }

  /** Deletes the oldest ended deliveries of a channel beyond `keep`. */
  async #deleteBeyond(ns: NamespaceId, channelId: string, keep: number): Promise<void> {
    const latest = this.#ofChannel(ns, channelId).select('id').orderBy('id', 'desc')
    const first = await latest.offset(keep).limit(1).executeTakeFirst()
    if (!first) return
    const beyond = this.#ofChannel(ns, channelId).select('id').where('id', '<=', first.id).where('next_attempt_ms', 'is', null)
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
      const some = this.#db.deleteFrom('deliveries').where('namespace_id', '=', ns)
      deleted = Number((await some.where('id', 'in', beyond.limit(DELETED_AT_ONCE)).executeTakeFirst()).numDeletedRows)
    }
  }

  async #deleteBefore(beforeMs: number): Promise<number> {
    const old = this.#db
      .selectFrom('deliveries')
      .select('id')
      .where('created_at_ms', '<', beforeMs)
      .where('state', '!=', 'waiting')
      .limit(DELETED_AT_ONCE)
    const removal = this.#db.deleteFrom('deliveries').where('id', 'in', old).where('created_at_ms', '<', beforeMs)
    return Number((await removal.where('state', '!=', 'waiting').executeTakeFirst()).numDeletedRows)
  }

  #ofChannel(ns: NamespaceId, channelId: string) {
    return this.#db.selectFrom('deliveries').where('namespace_id', '=', ns).where('channel_id', '=', channelId)
  }
}
