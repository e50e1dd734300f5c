import type { Selectable } from 'kysely'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { Role } from '../../domain/role.js'
import type { Invitation, Invitations } from '../../ports/members.js'
import type { ControlDb } from './control-db.js'
import type { InvitationsTable } from './schema.js'

function toInvitation(row: Selectable<InvitationsTable>): Invitation {
  return {
    id: row.id,
    namespaceId: row.namespace_id as NamespaceId,
    role: row.role as Role,
    tokenHash: row.token_hash,
    invitedBy: row.invited_by as UserId,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms
  }
}

/** `Invitations` over Kysely, for both engines. */
export class KyselyInvitations implements Invitations {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async insert(invitation: Invitation): Promise<void> {
    const row = {
      id: invitation.id,
      namespace_id: invitation.namespaceId,
      role: invitation.role,
      token_hash: invitation.tokenHash,
      invited_by: invitation.invitedBy,
      created_at_ms: invitation.createdAtMs,
      expires_at_ms: invitation.expiresAtMs
    }
    await this.#db.insertInto('invitations').values(row).execute()
  }

  async byHash(tokenHash: string): Promise<Invitation | null> {
    const row = await this.#db.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
    return row ? toInvitation(row) : null
  }

  async of(namespaceId: NamespaceId): Promise<readonly Invitation[]> {
    const rows = await this.#db
      .selectFrom('invitations')
      .selectAll()
      .where('namespace_id', '=', namespaceId)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    return rows.map(toInvitation)
  }

  async take(id: string): Promise<boolean> {
    const result = await this.#db.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  }
}
