import type { RawBuilder } from 'kysely'
import { shardOf } from '../../domain/alerts/shard.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { AlertLeases, ShardLease } from '../../ports/alert-states.js'
import type { ControlDb } from './control-db.js'

/** `AlertLeases` over Kysely, for both engines. `nowMs` is the clock of the database. */
export class KyselyAlertLeases implements AlertLeases {
  readonly #db: ControlDb
  readonly #nowMs: RawBuilder<number>

  constructor(db: ControlDb, nowMs: RawBuilder<number>) {
    this.#db = db
    this.#nowMs = nowMs
  }

  async acquire(shards: readonly number[], holder: string, ttlMs: number): Promise<readonly ShardLease[]> {
    if (shards.length === 0) return []
    const now = this.#nowMs
    // In one order, so that two holders never wait for each other.
    const ordered = shards.toSorted((a, b) => a - b)
    const rows = await this.#db
      .insertInto('alert_leases')
      .values(eb => ordered.map(shard => ({ shard, holder, token: 1, expires_at_ms: eb(now, '+', ttlMs) })))
      .onConflict(conflict =>
        conflict
          .column('shard')
          .doUpdateSet(eb => ({
            holder,
            token: eb
              .case()
              .when(eb.and([eb('alert_leases.holder', '=', holder), eb('alert_leases.expires_at_ms', '>', now)]))
              .then(eb.ref('alert_leases.token'))
              .else(eb('alert_leases.token', '+', 1))
              .end(),
            expires_at_ms: eb.ref('excluded.expires_at_ms')
          }))
          .where(eb => eb.or([eb('alert_leases.holder', '=', holder), eb('alert_leases.expires_at_ms', '<=', now)]))
      )
      .returning(['shard', 'token', 'expires_at_ms'])
      .execute()
    return rows.map(({ shard, token, expires_at_ms: expiresAtMs }) => ({ shard, holder, token, expiresAtMs }))
  }

  async isPresent({ shard, holder, token }: ShardLease): Promise<boolean> {
    const row = await this.#db
      .selectFrom('alert_leases')
      .select('shard')
      .where('shard', '=', shard)
      .where('holder', '=', holder)
      .where('token', '=', token)
      .executeTakeFirst()
    return row !== undefined
  }

  async release({ shard, holder, token }: ShardLease): Promise<void> {
    await this.#db
      .updateTable('alert_leases')
      .set({ expires_at_ms: 0 })
      .where('shard', '=', shard)
      .where('holder', '=', holder)
      .where('token', '=', token)
      .execute()
  }

  async lock({ shard, holder, token }: ShardLease): Promise<boolean> {
    // An update that changes nothing locks the row on both engines, so that no other holder comes in between.
    const { numUpdatedRows } = await this.#db
      .updateTable('alert_leases')
      .set({ token })
      .where('shard', '=', shard)
      .where('holder', '=', holder)
      .where('token', '=', token)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }
}

/**
 * Blocks the evaluator of a namespace until the transaction ends: what a commit found about rules is then true until the
 * end of that commit.
 */
export async function blockEvaluator(trx: ControlDb, ns: NamespaceId): Promise<void> {
  await trx
    .updateTable('alert_leases')
    .set(eb => ({ token: eb.ref('token') }))
    .where('shard', '=', shardOf(ns))
    .execute()
}
