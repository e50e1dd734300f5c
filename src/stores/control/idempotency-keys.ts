import type { IngestId } from '../../domain/ids.js'
import type { IdempotencyKeys, IdempotencyRecord, IdempotencyReservation } from '../../ports/idempotency-keys.js'
import type { ControlDb } from './control-db.js'

/** Replaces the result, which is always a JSON object. */
const REFUSED = 'refused'

/** `IdempotencyKeys` over Kysely, for both engines. */
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
      reply: record.isRefused ? REFUSED : record.reply
    }
    // Does not change an existing row: one statement that inserts or returns it, safe against concurrent ones.
    const stored = await this.#db
      .insertInto('idempotency')
      .values(row)
      .onConflict(conflict => conflict.column('scope').doUpdateSet(eb => ({ scope: eb.ref('excluded.scope') })))
      .returningAll()
      .executeTakeFirstOrThrow()
    const isRefused = stored.reply === REFUSED
    return {
      scope: stored.scope,
      bodyHash: stored.body_hash,
      ingestId: stored.ingest_id as IngestId,
      createdAtMs: stored.created_at_ms,
      reply: isRefused ? null : stored.reply,
      isRefused
    }
  }

  async complete({ scope, ingestId }: IdempotencyReservation, reply: string): Promise<void> {
    const change = this.#db.updateTable('idempotency').set({ reply })
    await change.where('scope', '=', scope).where('ingest_id', '=', ingestId).execute()
  }

  async refuse({ scope, ingestId }: IdempotencyReservation): Promise<void> {
    const change = this.#db.updateTable('idempotency').set({ reply: REFUSED })
    await change.where('scope', '=', scope).where('ingest_id', '=', ingestId).where('reply', 'is', null).execute()
  }

  async release({ scope, ingestId }: IdempotencyReservation): Promise<void> {
    await this.#db.deleteFrom('idempotency').where('scope', '=', scope).where('ingest_id', '=', ingestId).execute()
  }

  async deleteBefore(atMs: number): Promise<void> {
    await this.#db.deleteFrom('idempotency').where('created_at_ms', '<', atMs).execute()
  }
}
