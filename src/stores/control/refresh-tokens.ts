import type { Selectable } from 'kysely'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { RefreshToken, RefreshTokens } from '../../ports/session-tokens.js'
import type { ControlDb } from './control-db.js'
import type { RefreshTokensTable } from './schema.js'

function toToken(row: Selectable<RefreshTokensTable>): RefreshToken {
  return {
    id: row.id,
    familyId: row.family_id,
    userId: row.user_id as UserId,
    namespaceId: row.namespace_id as NamespaceId,
    secretHash: row.secret_hash,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    usedAtMs: row.used_at_ms,
    revokedAtMs: row.revoked_at_ms
  }
}

/** `RefreshTokens` over Kysely, for both engines. */
export class KyselyRefreshTokens implements RefreshTokens {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async insert(token: RefreshToken): Promise<void> {
    const row = {
      id: token.id,
      family_id: token.familyId,
      user_id: token.userId,
      namespace_id: token.namespaceId,
      secret_hash: token.secretHash,
      created_at_ms: token.createdAtMs,
      expires_at_ms: token.expiresAtMs,
      used_at_ms: token.usedAtMs,
      revoked_at_ms: token.revokedAtMs
    }
    await this.#db.insertInto('refresh_tokens').values(row).execute()
  }

  async byHash(secretHash: string): Promise<RefreshToken | null> {
    const row = await this.#db.selectFrom('refresh_tokens').selectAll().where('secret_hash', '=', secretHash).executeTakeFirst()
    return row ? toToken(row) : null
  }

  async markUsed(id: string, atMs: number): Promise<boolean> {
    const result = await this.#db
      .updateTable('refresh_tokens')
      .set({ used_at_ms: atMs })
      .where('id', '=', id)
      .where('used_at_ms', 'is', null)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async isFamilyLive(familyId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('refresh_tokens')
      .select('id')
      .where('family_id', '=', familyId)
      .where('revoked_at_ms', 'is', null)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  async revokeFamily(familyId: string, atMs: number): Promise<void> {
    await this.#unrevoked(atMs).where('family_id', '=', familyId).execute()
  }

  async revokeUser(userId: UserId, atMs: number, exceptFamilyId?: string): Promise<void> {
    const ofUser = this.#unrevoked(atMs).where('user_id', '=', userId)
    await (exceptFamilyId === undefined ? ofUser : ofUser.where('family_id', '!=', exceptFamilyId)).execute()
  }

  async deleteExpired(beforeMs: number): Promise<void> {
    await this.#db.deleteFrom('refresh_tokens').where('expires_at_ms', '<', beforeMs).execute()
  }

  #unrevoked(revokedAtMs: number) {
    return this.#db.updateTable('refresh_tokens').set({ revoked_at_ms: revokedAtMs }).where('revoked_at_ms', 'is', null)
  }
}
