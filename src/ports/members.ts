import type { NamespaceId, UserId } from '../domain/ids.js'
import type { Role } from '../domain/role.js'

/** Membership of a user in a namespace. */
export interface Member {
  readonly namespaceId: NamespaceId
  readonly userId: UserId
  readonly role: Role
  readonly sinceMs: number
}

/** Memberships of all namespaces. Writes resolve once they are crash-safe. */
export interface Members {
  /** Adds the user or raises an existing membership to `role`; never lowers one. */
  add(member: Member): Promise<void>
  of(namespaceId: NamespaceId): Promise<readonly Member[]>
  ofUser(userId: UserId): Promise<readonly Member[]>
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
  readonly tokenHash: string
  readonly invitedBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** Open invitations. Writes resolve once they are crash-safe. */
export interface Invitations {
  insert(invitation: Invitation): Promise<void>
  byHash(tokenHash: string): Promise<Invitation | null>
  of(namespaceId: NamespaceId): Promise<readonly Invitation[]>
  /** Removes it; false when it was already gone (the compare-and-set of acceptance). */
  take(id: string): Promise<boolean>
}
