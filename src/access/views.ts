import type { KeyId, NamespaceId, UserId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { KeyKind } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { User } from '../ports/users.js'

/** What others may see of a user. */
export interface UserView {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly createdAtMs: number
}

/** The user without what only the user and the sign-in may know. */
export function toUserView({ id, email, name, createdAtMs }: User): UserView {
  return { id, email, name, createdAtMs }
}

/** A namespace with the caller's role in it; null for an operator who is not a member. */
export interface NamespaceView extends Namespace {
  readonly role: Role | null
}

/** A membership with its user. */
export interface MemberView {
  readonly namespaceId: NamespaceId
  readonly user: UserView
  readonly role: Role
  readonly sinceMs: number
}

/** An open invitation; its token is shown only once, when it is made. */
export interface InvitationView {
  readonly id: string
  readonly namespaceId: NamespaceId
  readonly role: Role
  readonly invitedBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** Life of a key ("Vocabulary" in docs/conventions.md). */
export type KeyState = 'active' | 'rotating' | 'expired' | 'revoked'

/** An API key without its hashes. `namespaces` contains those that the caller is a member of. */
export interface ApiKeyView {
  readonly id: KeyId
  readonly name: string
  readonly kind: KeyKind
  readonly state: KeyState
  readonly namespaces: readonly NamespaceId[]
  readonly allowedOrigins: readonly string[]
  readonly prefix: string
  readonly createdBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
  readonly revokedAtMs: number | null
  /** Until when the secret before the last rotation works too; null when it does not. */
  readonly previousUntilMs: number | null
}
