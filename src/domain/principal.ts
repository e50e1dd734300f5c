import type { KeyId, NamespaceId, UserId } from './ids.js'

/** `ingest` writes telemetry, `query` reads like a viewer, `rum` is public and writes RUM events only ("Identity" in docs/conventions.md). */
export type KeyKind = 'ingest' | 'query' | 'rum'

/** A signed-in user. Roles are looked up at each request, never taken from the token. */
export interface UserPrincipal {
  readonly kind: 'user'
  readonly userId: UserId
  readonly isOperator: boolean
  /** The namespace of the session token (claim `namespace_id`). */
  readonly activeNamespace: NamespaceId
}

/** An API key. The first namespace is the key's own (namespace resolution); empty only for a key that an operator made. */
export interface KeyPrincipal {
  readonly kind: 'key'
  readonly keyId: KeyId
  readonly keyKind: KeyKind
  readonly namespaces: readonly NamespaceId[]
  readonly allowedOrigins: readonly string[]
}

/** Whoever sends a request: a user or an API key. */
export type Principal = UserPrincipal | KeyPrincipal
