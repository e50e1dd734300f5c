import type { AuditEntry } from '../access/audit-service.js'
import type { IssuedApiKey } from '../access/api-key-service.js'
import { formatRetention } from '../access/format-retention.js'
import type { TokenGrant } from '../access/sessions.js'
import type { ApiKeyView, InvitationView, MemberView, NamespaceView, UserView } from '../access/views.js'
import type { SizedNamespace, SizedNamespaces } from '../access/namespace-service.js'
import type { Namespace } from '../domain/namespace.js'

function userReply({ id, email, name }: UserView): object {
  return { id, email, name }
}

// Results of use cases as the JSON of "Identity" in docs/conventions.md.

function time(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : time(ms)
}

/** `withRefreshToken` is false where the token goes into a cookie. */
export function tokensReply(grant: TokenGrant, withRefreshToken: boolean): object {
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

function namespaceFields({ id, name, kind, state, retention, storage, createdAtMs }: Namespace): object {
  return { id, name, kind, state, retention: formatRetention(retention), storage, created_at: time(createdAtMs) }
}

export function namespaceReply(namespace: NamespaceView): object {
  return { ...namespaceFields(namespace), role: namespace.role }
}

function sizedNamespaceReply(namespace: SizedNamespace): object {
  return { ...namespaceFields(namespace), role: null, bytes: namespace.bytes, records: namespace.records }
}

export function sizedNamespacesReply({ namespaces, missing }: SizedNamespaces): object {
  return { namespaces: namespaces.map(sizedNamespaceReply), sizes_missing: missing }
}

export function memberReply({ namespaceId, user, role, sinceMs }: MemberView): object {
  return { namespace_id: namespaceId, user: userReply(user), role, since: time(sinceMs) }
}

export function invitationReply(invitation: InvitationView): object {
  return {
    id: invitation.id,
    namespace_id: invitation.namespaceId,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: time(invitation.createdAtMs),
    expires_at: time(invitation.expiresAtMs)
  }
}

export function keyReply(key: ApiKeyView): object {
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

export function issuedKeyReply({ key, secret }: IssuedApiKey): object {
  return { ...keyReply(key), key: secret }
}

export function auditReply({ id, atMs, actor, action, target, detail }: AuditEntry): object {
  return { id, at: time(atMs), actor, action, target, detail }
}
