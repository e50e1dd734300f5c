import type { ApiKeyView, InvitationView, MemberView, UserView } from '../src/access/views.js'
import type { AuditEntry } from '../src/access/audit-service.js'
import type { NamespaceId } from '../src/domain/ids.js'
import type { Namespace } from '../src/domain/namespace.js'
import type {
  ApiKeyPrincipalType,
  ApiKeyType,
  AuditEntryType,
  InvitationType,
  MembershipType,
  UserType
} from '../schema/access.type.js'
import type { NamespaceType } from '../schema/namespace.type.js'

const NS_PER_MS = 1_000_000n

/** Unix nanoseconds of Unix milliseconds. */
export function nsOfMs(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * NS_PER_MS
}

/** Null for a time that is not known. */
export function optionalNs(ms: number | null): bigint | null {
  return ms === null ? null : nsOfMs(ms)
}

/** A namespace as GraphQL has it. */
export function toNamespace(namespace: Namespace): NamespaceType {
  return {
    id: namespace.id,
    name: namespace.name,
    personal: namespace.kind === 'personal',
    createdAt: nsOfMs(namespace.createdAtMs),
    retention: namespace.retention,
    storage: namespace.storage
  }
}

/** A user as GraphQL has it. */
export function toUser(user: UserView): UserType {
  return { id: user.id, email: user.email, name: user.name, createdAt: nsOfMs(user.createdAtMs) }
}

/** A membership as GraphQL has it. */
export function toMembership(member: MemberView): MembershipType {
  return {
    id: `${member.namespaceId}.${member.user.id}`,
    role: member.role,
    since: nsOfMs(member.sinceMs),
    user: toUser(member.user),
    namespaceId: member.namespaceId
  }
}

/** @param listedIn a namespace of the key whose members may be looked up for its maker; null for none */
export function toApiKey(key: ApiKeyView, listedIn: NamespaceId | null): ApiKeyType {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    state: key.state,
    prefix: key.prefix,
    allowedOrigins: key.allowedOrigins,
    createdAt: nsOfMs(key.createdAtMs),
    lastUsedAt: optionalNs(key.lastUsedAtMs),
    expiresAt: optionalNs(key.expiresAtMs),
    revokedAt: optionalNs(key.revokedAtMs),
    namespaceIds: key.namespaces,
    createdById: key.createdBy,
    listedIn
  }
}

/** The caller by an API key as GraphQL has it. */
export function toKeyPrincipal(key: ApiKeyView, listedIn: NamespaceId | null): ApiKeyPrincipalType {
  return { id: key.id, key: toApiKey(key, listedIn) }
}

/** An invitation as GraphQL has it. */
export function toInvitation(invitation: InvitationView): InvitationType {
  return {
    id: invitation.id,
    role: invitation.role,
    expiresAt: nsOfMs(invitation.expiresAtMs),
    namespaceId: invitation.namespaceId,
    invitedById: invitation.invitedBy
  }
}

/** An entry of the audit log as GraphQL has it. */
export function toAuditEntry(entry: AuditEntry): AuditEntryType {
  return {
    id: entry.id,
    at: nsOfMs(entry.atMs),
    action: entry.action,
    target: entry.target,
    detail: entry.detail,
    namespaceId: entry.namespaceId,
    actorId: entry.actor
  }
}
