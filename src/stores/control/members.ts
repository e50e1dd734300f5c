import type { Selectable } from 'kysely'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { Role } from '../../domain/role.js'
import { atLeast } from '../../domain/role.js'
import type { Member, Members } from '../../ports/members.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'
import type { MembersTable } from './schema.js'

function toMember(row: Selectable<MembersTable>): Member {
  return {
    namespaceId: row.namespace_id as NamespaceId,
    userId: row.user_id as UserId,
    role: row.role as Role,
    sinceMs: row.since_ms
  }
}

/** `Members` over Kysely, for both engines. */
export class KyselyMembers implements Members {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  add(member: Member): Promise<void> {
    return atomically(this.#db, async trx => {
      await lockNamespace(trx, member.namespaceId)
      const present = await find(trx, member.namespaceId, member.userId)
      if (present && atLeast(present.role, member.role)) return
      if (present) return update(trx, member.namespaceId, member.userId, member.role)
      const { namespaceId, userId, role, sinceMs } = member
      await trx.insertInto('members').values({ namespace_id: namespaceId, user_id: userId, role, since_ms: sinceMs }).execute()
    })
  }

  async of(namespaceId: NamespaceId): Promise<readonly Member[]> {
    const rows = await this.#db
      .selectFrom('members')
      .selectAll()
      .where('namespace_id', '=', namespaceId)
      .orderBy('since_ms')
      .orderBy('user_id')
      .execute()
    return rows.map(toMember)
  }

  async ofUser(userId: UserId): Promise<readonly Member[]> {
    const rows = await this.#db
      .selectFrom('members')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('since_ms')
      .orderBy('namespace_id')
      .execute()
    return rows.map(toMember)
  }

  find(namespaceId: NamespaceId, userId: UserId): Promise<Member | null> {
    return find(this.#db, namespaceId, userId)
  }

  setRole(namespaceId: NamespaceId, userId: UserId, role: Role): Promise<void> {
    return atomically(this.#db, async trx => {
      await lockNamespace(trx, namespaceId)
      if (role !== 'admin') await keepAnAdmin(trx, namespaceId, userId)
      await update(trx, namespaceId, userId, role)
    })
  }

  remove(namespaceId: NamespaceId, userId: UserId): Promise<void> {
    return atomically(this.#db, async trx => {
      await lockNamespace(trx, namespaceId)
      await keepAnAdmin(trx, namespaceId, userId)
      await trx.deleteFrom('members').where('namespace_id', '=', namespaceId).where('user_id', '=', userId).execute()
    })
  }
}

/** Who changes the namespace's members at the same time waits: a write that changes nothing is a lock on every engine. */
async function lockNamespace(db: ControlDb, namespaceId: NamespaceId): Promise<void> {
  await db
    .updateTable('namespaces')
    .set(eb => ({ id: eb.ref('id') }))
    .where('id', '=', namespaceId)
    .execute()
}

async function find(db: ControlDb, namespaceId: NamespaceId, userId: UserId): Promise<Member | null> {
  const row = await db
    .selectFrom('members')
    .selectAll()
    .where('namespace_id', '=', namespaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? toMember(row) : null
}

async function update(db: ControlDb, namespaceId: NamespaceId, userId: UserId, role: Role): Promise<void> {
  await db.updateTable('members').set({ role }).where('namespace_id', '=', namespaceId).where('user_id', '=', userId).execute()
}

async function keepAnAdmin(db: ControlDb, namespaceId: NamespaceId, leaving: UserId): Promise<void> {
  const admins = await db
    .selectFrom('members')
    .select('user_id')
    .where('namespace_id', '=', namespaceId)
    .where('role', '=', 'admin')
    .limit(2)
    .execute()
  if (admins.length !== 1 || admins[0]!.user_id !== leaving) return
  throw new GatewayError('conflict', 'the last admin of a namespace must not leave it or change the role')
}
