import type { KeyId, NamespaceId, UserId } from '../domain/ids.js'
import type { KeyKind } from '../domain/principal.js'

/** An API key; its secret is stored as a hash only. */
export interface ApiKey {
  readonly id: KeyId
  readonly name: string
  readonly kind: KeyKind
  readonly namespaces: readonly NamespaceId[]
  readonly allowedOrigins: readonly string[]
  /** First characters of the secret, shown in lists. */
  readonly prefix: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  /** Hash of the secret before the last rotation, valid until `previousUntilMs`. */
  readonly previousHash: string | null
  readonly previousUntilMs: number | null
  readonly createdBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly lastUsedAtMs: number | null
}

/** API keys of all namespaces. Writes resolve once they are crash-safe. */
export interface ApiKeys {
  insert(key: ApiKey): Promise<void>
  byId(id: KeyId): Promise<ApiKey | null>
  /** By the current or the previous hash. */
  byHash(secretHash: string): Promise<ApiKey | null>
  /** Keys whose namespaces include this one, newest first. */
  of(namespaceId: NamespaceId): Promise<readonly ApiKey[]>
  /** Keys without namespaces (made by operators), newest first. */
  unbound(): Promise<readonly ApiKey[]>
  /** The present secret stays valid until `previousUntilMs` as the previous one. */
  rotate(id: KeyId, secret: { hash: string; prefix: string }, previousUntilMs: number): Promise<void>
  revoke(id: KeyId, atMs: number): Promise<void>
  /** Notes the last use of each key; never moves it back. */
  touch(uses: ReadonlyMap<KeyId, number>): Promise<void>
}
