import type { UserId } from '../domain/ids.js'

/** A person with an account. */
export interface User {
  readonly id: UserId
  /** As the user wrote it. */
  readonly email: string
  readonly name: string | null
  /** `scrypt$...`; never leaves the access use cases. */
  readonly passwordHash: string
  /** Whether the user administers the installation. */
  readonly isOperator: boolean
  readonly createdAtMs: number
}

/** Accounts. Writes resolve once they are crash-safe. */
export interface Users {
  /** E-mail addresses are unique without regard to case. `conflict` when taken. */
  insert(user: User): Promise<void>
  /** The account; null without one. */
  byId(id: UserId): Promise<User | null>
  /** Those that exist, in no order. */
  byIds(ids: readonly UserId[]): Promise<readonly User[]>
  /** The account with this address, without regard to case; null without one. */
  byEmail(email: string): Promise<User | null>
  /** Number of accounts. */
  count(): Promise<number>
  /** Replaces the hash of the password. */
  setPassword(id: UserId, passwordHash: string): Promise<void>
}
