import type { SigningKey, SigningKeys } from '../../ports/session-tokens.js'
import type { ControlDb } from './control-db.js'

/** `SigningKeys` over Kysely, for both engines. */
export class KyselySigningKeys implements SigningKeys {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async all(): Promise<readonly SigningKey[]> {
    const rows = await this.#db.selectFrom('signing_keys').selectAll().orderBy('created_at_ms').orderBy('kid').execute()
    return rows.map(row => ({
      kid: row.kid,
      privateKey: row.private_jwk,
      publicJwk: JSON.parse(row.public_jwk) as SigningKey['publicJwk'],
      createdAtMs: row.created_at_ms,
      retiredAtMs: row.retired_at_ms
    }))
  }

  async insert(key: SigningKey): Promise<void> {
    const row = {
      kid: key.kid,
      private_jwk: key.privateKey,
      public_jwk: JSON.stringify(key.publicJwk),
      created_at_ms: key.createdAtMs,
      retired_at_ms: key.retiredAtMs
    }
    await this.#db.insertInto('signing_keys').values(row).execute()
  }

  async setPrivate(kid: string, privateKey: string): Promise<void> {
    await this.#db.updateTable('signing_keys').set({ private_jwk: privateKey }).where('kid', '=', kid).execute()
  }

  async retire(kid: string, atMs: number): Promise<void> {
    await this.#db
      .updateTable('signing_keys')
      .set({ retired_at_ms: atMs })
      .where('kid', '=', kid)
      .where('retired_at_ms', 'is', null)
      .execute()
  }
}
