import type { KeyId, NamespaceId, UserId } from '../domain/ids.js'
import type { KeyKind } from '../domain/principal.js'

/** An API key; its secret is stored as a hash only. */
export interface ApiKey {
  readonly id: KeyId
  readonly name: string
  readonly kind: KeyKind
  /** The first is the default; empty for keys of operators. */
  readonly namespaces: readonly NamespaceId[]
  /** Origins of browsers that may send with a key of kind `rum`. */
  readonly allowedOrigins: readonly string[]
  /** First characters of the secret, shown in lists. */
  readonly prefix: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  /** Hash of the secret before the last rotation, valid until `previousUntilMs`. */
  readonly previousHash: string | null
  /** Null without a previous secret. */
  readonly previousUntilMs: number | null
  readonly createdBy: UserId
  readonly createdAtMs: number
  /** Null: never. */
  readonly expiresAtMs: number | null
  /** Null while it is valid. */
  readonly revokedAtMs: number | null
  /** Null before the first use; may lag behind by the interval of `touch`. */
  readonly lastUsedAtMs: number | null
}

/** API keys of all namespaces. Writes resolve once they are crash-safe. */
export interface ApiKeys {
  /** Stores a new key. */
  insert(key: ApiKey): Promise<void>
  /** The key, revoked and expired ones too; null without one. */
  byId(id: KeyId): Promise<ApiKey | null>
  /** By the current or the previous hash. */
  byHash(secretHash: string): Promise<ApiKey | null>
  /** Keys whose namespaces include this one, newest first. */
  of(namespaceId: NamespaceId): Promise<readonly ApiKey[]>
  /** Keys without namespaces (made by operators), newest first. */
  unbound(): Promise<readonly ApiKey[]>
  /** The present secret stays valid until `previousUntilMs` as the previous one. */
  rotate(id: KeyId, secret: { hash: string; prefix: string }, previousUntilMs: number): Promise<void>
  /** Makes both secrets invalid. */
  revoke(id: KeyId, atMs: number): Promise<void>
  /** Notes the last use of each key; never moves it back. */
  touch(uses: ReadonlyMap<KeyId, number>): Promise<void>
}
