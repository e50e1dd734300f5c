import { GatewayError } from '../../domain/errors.js'
import type { UserId } from '../../domain/ids.js'
import type { User, Users } from '../../ports/users.js'
import type { ControlDb } from './control-db.js'
import { UniqueViolation } from './control-db.js'
import type { Selectable } from 'kysely'
import type { UsersTable } from './schema.js'

function toUser(row: Selectable<UsersTable>): User {
  return {
    id: row.id as UserId,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    isOperator: row.is_operator === 1,
    createdAtMs: row.created_at_ms
  }
}

/** `Users` over Kysely, for both engines. */
export class KyselyUsers implements Users {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async insert(user: User): Promise<void> {
    const row = {
      id: user.id,
      email: user.email,
      email_key: user.email.toLowerCase(),
      name: user.name,
      password_hash: user.passwordHash,
      is_operator: user.isOperator ? 1 : 0,
      created_at_ms: user.createdAtMs
    }
    try {
      await this.#db.insertInto('users').values(row).execute()
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      throw new GatewayError('conflict', 'this e-mail address is already registered', { cause: error, field: 'email' })
    }
  }

  async byId(id: UserId): Promise<User | null> {
    const row = await this.#db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    return row ? toUser(row) : null
  }

  async byIds(ids: readonly UserId[]): Promise<readonly User[]> {
    if (ids.length === 0) return []
    const rows = await this.#db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
    return rows.map(toUser)
  }

  async byEmail(email: string): Promise<User | null> {
    const row = await this.#db.selectFrom('users').selectAll().where('email_key', '=', email.toLowerCase()).executeTakeFirst()
    return row ? toUser(row) : null
  }

  async count(): Promise<number> {
    const row = await this.#db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }

  async setPassword(id: UserId, passwordHash: string): Promise<void> {
    await this.#db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute()
  }
}
