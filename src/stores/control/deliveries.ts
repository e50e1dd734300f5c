import type { Insertable, Selectable } from 'kysely'
import type { MessageType } from '../../domain/alerts/channel.js'
import type { Delivery, DeliveryAttempt, DeliveryState } from '../../domain/alerts/delivery.js'
import { shardOf } from '../../domain/alerts/shard.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Deliveries, DeliveryOutcome, DeliveryPage, DueLimits } from '../../ports/notifications.js'
import { atomically, type ControlDb } from './control-db.js'
import { groupHash } from './notification-groups.js'
import type { DeliveriesTable } from './notification-schema.js'

/** Ended deliveries that one statement deletes: others wait for it. */
const DELETED_AT_ONCE = 1_000

function toDelivery(row: Selectable<DeliveriesTable>): Delivery {
  return {
    id: row.id,
    namespaceId: row.namespace_id as NamespaceId,
    channelId: row.channel_id,
    groupKey: row.group_key,
    type: row.type as MessageType,
    body: row.body,
    createdAtMs: row.created_at_ms,
    state: row.state as DeliveryState,
    nextAttemptMs: row.next_attempt_ms,
    attempts: JSON.parse(row.attempts) as readonly DeliveryAttempt[],
    tries: row.tries,
    triedSinceMs: row.tried_since_ms
  }
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
      for (const delivery of deliveries) {
        const row = deliveryRow(delivery)
        if (row.group_hash != null) {
          await trx
            .updateTable('deliveries')
            .set({ state: 'replaced', next_attempt_ms: null })
            .where('namespace_id', '=', delivery.namespaceId)
            .where('channel_id', '=', delivery.channelId)
            .where('group_hash', '=', row.group_hash)
            .where('state', '=', 'waiting')
            .execute()
        }
        await trx.insertInto('deliveries').values(row).execute()
      }
    })
  }

  async byId(ns: NamespaceId, id: string): Promise<Delivery | null> {
    const row = await this.#of(ns).where('id', '=', id).executeTakeFirst()
    return row ? toDelivery(row) : null
  }

  async list(ns: NamespaceId, { channelId, before, limit }: DeliveryPage): Promise<readonly Delivery[]> {
    let query = this.#of(ns).where('channel_id', '=', channelId)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDelivery)
  }

  async waiting(ns: NamespaceId): Promise<readonly { readonly groupKey: string; readonly channelId: string }[]> {
    const rows = await this.#db
      .selectFrom('deliveries')
      .select(['group_key', 'channel_id'])
      .where('namespace_id', '=', ns)
      .where('state', '=', 'waiting')
      .execute()
    return rows.flatMap(({ group_key: groupKey, channel_id: channelId }) => (groupKey === null ? [] : { groupKey, channelId }))
  }

  async due(shards: readonly number[], nowMs: number, { perChannel, total }: DueLimits): Promise<readonly Delivery[]> {
    if (shards.length === 0) return []
    const numbered = this.#db
      .selectFrom('deliveries')
      .selectAll()
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over(o => o.partitionBy(['namespace_id', 'channel_id']).orderBy('next_attempt_ms').orderBy('id'))
          .as('place')
      )
      .where('shard', 'in', shards)
      .where('next_attempt_ms', '<=', nowMs)
    const rows = this.#db.selectFrom(numbered.as('numbered')).selectAll().where('place', '<=', perChannel)
    return (await rows.orderBy('next_attempt_ms').orderBy('id').limit(total).execute()).map(toDelivery)
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
      .where('state', '=', 'waiting')
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
    const numbered = this.#db
      .selectFrom('deliveries')
      .select(['namespace_id', 'id', 'state'])
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over(o => o.partitionBy(['namespace_id', 'channel_id']).orderBy('id', 'desc'))
          .as('place')
      )
    const beyond = this.#db.selectFrom(numbered.as('numbered')).select(['namespace_id', 'id']).where('place', '>', keep)
    for (const { namespace_id: ns, id } of await beyond.where('state', '!=', 'waiting').limit(DELETED_AT_ONCE).execute()) {
      await this.#db.deleteFrom('deliveries').where('namespace_id', '=', ns).where('id', '=', id).execute()
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

  #of(ns: NamespaceId) {
    return this.#db.selectFrom('deliveries').selectAll().where('namespace_id', '=', ns)
  }
}
