import type { NamespaceId, UserId } from '../domain/ids.js'
import type { Role } from '../domain/role.js'

/** Membership of a user in a namespace. */
export interface Member {
  readonly namespaceId: NamespaceId
  readonly userId: UserId
  readonly role: Role
  /** When the user became a member, Unix milliseconds. */
  readonly sinceMs: number
}

/** Memberships of all namespaces. Writes resolve once they are crash-safe. */
export interface Members {
  /** Adds the user or raises an existing membership to `role`; never lowers one. */
  add(member: Member): Promise<void>
  /** Members of the namespace, oldest membership first. */
  of(namespaceId: NamespaceId): Promise<readonly Member[]>
  /** Memberships of the user in all namespaces. */
  ofUser(userId: UserId): Promise<readonly Member[]>
  /** The membership; null when the user is not a member. */
  find(namespaceId: NamespaceId, userId: UserId): Promise<Member | null>
  /** `conflict` when it would leave the namespace without an admin. */
  setRole(namespaceId: NamespaceId, userId: UserId, role: Role): Promise<void>
  /** `conflict` when it would leave the namespace without an admin. */
  remove(namespaceId: NamespaceId, userId: UserId): Promise<void>
}

/** An invitation into a namespace that is not accepted yet. */
export interface Invitation {
  readonly id: string
  readonly namespaceId: NamespaceId
  readonly role: Role
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string
  readonly invitedBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** Open invitations. Writes resolve once they are crash-safe. */
export interface Invitations {
  /** Stores a new invitation. */
  insert(invitation: Invitation): Promise<void>
  /** The invitation of a token, expired ones too; null without one. */
  byHash(tokenHash: string): Promise<Invitation | null>
  /** Open invitations of the namespace, oldest first. */
  of(namespaceId: NamespaceId): Promise<readonly Invitation[]>
  /** Removes it; false when it was already gone (the compare-and-set of acceptance). */
  take(id: string): Promise<boolean>
}
