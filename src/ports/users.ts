import type { UserId } from '../domain/ids.js'

/** A person with an account. */
export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  /** `scrypt$...`; never leaves the access use cases. */
  readonly passwordHash: string
  readonly isOperator: boolean
  readonly createdAtMs: number
}

/** Accounts. Writes resolve once they are crash-safe. */
export interface Users {
  /** E-mail addresses are unique without regard to case. `conflict` when taken. */
  insert(user: User): Promise<void>
  byId(id: UserId): Promise<User | null>
  /** Those that exist, in no order. */
  byIds(ids: readonly UserId[]): Promise<readonly User[]>
  byEmail(email: string): Promise<User | null>
  count(): Promise<number>
  setPassword(id: UserId, passwordHash: string): Promise<void>
}
