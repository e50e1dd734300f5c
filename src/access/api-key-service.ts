import type { NamespaceId } from '../domain/ids.js'
import type { KeyKind, UserPrincipal } from '../domain/principal.js'
import type { ApiKeyView } from './views.js'

export interface NewApiKey {
  readonly name: string
  readonly kind: KeyKind
  /** Ids; absent: the active namespace; empty: a key without namespaces, for operators only. */
  readonly namespaces?: readonly string[]
  /** Only for `rum`, and needed there. `null` as a text admits an absent or `null` Origin. */
  readonly allowedOrigins?: readonly string[]
  readonly expiresAtMs?: number
}

/** A key with its secret, which is shown this once. */
export interface IssuedApiKey {
  readonly key: ApiKeyView
  readonly secret: string
}

/** Makes, lists, rotates and revokes API keys: an admin's ability (spec 5, rule 3). */
export class ApiKeyService {
  create(_principal: UserPrincipal, _input: NewApiKey): Promise<IssuedApiKey> {
    throw new Error('unbuilt')
  }

  /** Keys of the namespace, newest first, revoked ones too; for admins. */
  list(_principal: UserPrincipal, _namespaceId: NamespaceId): Promise<readonly ApiKeyView[]> {
    throw new Error('unbuilt')
  }

  /** A new secret; the old one works for `graceMs` more. For an admin of every namespace of the key. */
  rotate(_principal: UserPrincipal, _keyId: string, _graceMs: number): Promise<IssuedApiKey> {
    throw new Error('unbuilt')
  }

  /** Ends the key before this resolves. For an admin of any namespace of the key. */
  revoke(_principal: UserPrincipal, _keyId: string): Promise<ApiKeyView> {
    throw new Error('unbuilt')
  }
}
