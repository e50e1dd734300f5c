import type { IngestId } from '../../domain/ids.js'
import type { IdempotencyKeys, IdempotencyRecord } from '../../ports/control-store.js'
import type { ControlDb } from './control-db.js'

export class KyselyIdempotencyKeys implements IdempotencyKeys {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async reserve(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    const row = {
      scope: record.scope,
      body_hash: record.bodyHash,
      ingest_id: record.ingestId,
      created_at_ms: record.createdAtMs,
      reply: record.reply
    }
    // Changes nothing of the row that stands: one statement that inserts or answers it, whoever else does the same.
    const stands = await this.#db
      .insertInto('idempotency')
      .values(row)
      .onConflict(conflict => conflict.column('scope').doUpdateSet(eb => ({ scope: eb.ref('excluded.scope') })))
      .returningAll()
      .executeTakeFirstOrThrow()
    return {
      scope: stands.scope,
      bodyHash: stands.body_hash,
      ingestId: stands.ingest_id as IngestId,
      createdAtMs: stands.created_at_ms,
      reply: stands.reply
    }
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
