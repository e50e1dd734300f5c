import type { IngestId } from '../../domain/ids.js'
import type { IdempotencyKeys, IdempotencyRecord } from '../../ports/control-store.js'
import type { ControlDb } from './control-db.js'
import { atomically, int } from './control-db.js'

export class KyselyIdempotencyKeys implements IdempotencyKeys {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  reserve(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    return atomically(this.#db, async trx => {
      const row = {
        scope: record.scope,
        body_hash: record.bodyHash,
        ingest_id: record.ingestId,
        created_at_ms: record.createdAtMs,
        reply: record.reply
      }
      await trx
        .insertInto('idempotency')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const stands = await trx.selectFrom('idempotency').selectAll().where('scope', '=', record.scope).executeTakeFirstOrThrow()
      return {
        scope: stands.scope,
        bodyHash: stands.body_hash,
        ingestId: stands.ingest_id as IngestId,
        createdAtMs: int(stands.created_at_ms),
        reply: stands.reply
      }
    })
  }

  async complete(scope: string, reply: string): Promise<void> {
    await this.#db.updateTable('idempotency').set({ reply }).where('scope', '=', scope).execute()
  }

  async release(scope: string): Promise<void> {
    await this.#db.deleteFrom('idempotency').where('scope', '=', scope).execute()
  }

  async deleteBefore(atMs: number): Promise<void> {
    await this.#db.deleteFrom('idempotency').where('created_at_ms', '<', atMs).execute()
  }
}
