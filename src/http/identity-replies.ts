import type { AuditEntry } from '../access/audit-service.js'
import type { IssuedApiKey } from '../access/api-key-service.js'
import { formatRetention } from '../access/format-retention.js'
import type { TokenGrant } from '../access/sessions.js'
import type { ApiKeyView, InvitationView, MemberView, NamespaceView, UserView } from '../access/views.js'
import type { SizedNamespace, SizedNamespaces } from '../access/namespace-service.js'
import type { Namespace } from '../domain/namespace.js'
import type { AUDIT_ENTRY, INVITATION, ISSUED_KEY, KEY, MEMBER, NAMESPACE, TOKENS, USER } from './identity-schemas.js'
import type { Static } from './json-schema.js'

// Results of use cases as the JSON of "Identity" in docs/conventions.md.

type NamespaceReply = Static<typeof NAMESPACE>

function userReply({ id, email, name }: UserView): Static<typeof USER> {
  return { id, email, name }
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : time(ms)
}

/** `withRefreshToken` is false where the token goes into a cookie. */
export function tokensReply(grant: TokenGrant, withRefreshToken: boolean): Static<typeof TOKENS> {
  const { id, name, kind } = grant.namespace
  return {
    access_token: grant.accessToken,
    token_type: 'Bearer',
    expires_in: grant.expiresInS,
    ...(withRefreshToken ? { refresh_token: grant.refreshToken } : {}),
    user: userReply(grant.user),
    namespace: { id, name, kind },
    role: grant.role
  }
}

function namespaceFields({ id, name, kind, state, retention, storage, createdAtMs }: Namespace): Omit<NamespaceReply, 'role'> {
  return { id, name, kind, state, retention: formatRetention(retention), storage, created_at: time(createdAtMs) }
}

/** A namespace with the role of the caller. */
export function namespaceReply(namespace: NamespaceView): NamespaceReply {
  return { ...namespaceFields(namespace), role: namespace.role }
}

function sizedNamespaceReply(namespace: SizedNamespace): NamespaceReply {
  return { ...namespaceFields(namespace), role: null, bytes: namespace.bytes, records: namespace.records }
}

/** All namespaces with their sizes, for operators. */
export function sizedNamespacesReply({ namespaces, missing }: SizedNamespaces): {
  namespaces: readonly NamespaceReply[]
  sizes_missing: readonly string[]
} {
  return { namespaces: namespaces.map(sizedNamespaceReply), sizes_missing: missing }
}

/** A membership. */
export function memberReply({ namespaceId, user, role, sinceMs }: MemberView): Static<typeof MEMBER> {
  return { namespace_id: namespaceId, user: userReply(user), role, since: time(sinceMs) }
}

/** An invitation without its token. */
export function invitationReply(invitation: InvitationView): Static<typeof INVITATION> {
  return {
    id: invitation.id,
    namespace_id: invitation.namespaceId,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: time(invitation.createdAtMs),
    expires_at: time(invitation.expiresAtMs)
  }
}

/** An API key without its secret. */
export function keyReply(key: ApiKeyView): Static<typeof KEY> {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    state: key.state,
    prefix: key.prefix,
    namespaces: key.namespaces,
    allowed_origins: key.allowedOrigins,
    created_by: key.createdBy,
    created_at: time(key.createdAtMs),
    expires_at: timeOrNull(key.expiresAtMs),
    last_used_at: timeOrNull(key.lastUsedAtMs),
    previous_until: timeOrNull(key.previousUntilMs)
  }
}

/** An API key with its secret, which is returned once. */
export function issuedKeyReply({ key, secret }: IssuedApiKey): Static<typeof ISSUED_KEY> {
  return { ...keyReply(key), key: secret }
}

/** An entry of the audit log. */
export function auditReply({ id, atMs, actor, action, target, detail }: AuditEntry): Static<typeof AUDIT_ENTRY> {
  return { id, at: time(atMs), actor, action, target, detail }
}
