import { GatewayError } from '../domain/errors.js'
import type { KeyId, NamespaceId } from '../domain/ids.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { ApiKey } from '../ports/api-keys.js'
import type { ControlStore } from '../ports/control-store.js'
import type { CacheAge } from './cache-age.js'
import type { CredentialLookups } from './credential-lookups.js'
import { ReadThroughCache } from './read-through-cache.js'
import { sha256Hex } from './secrets.js'

const MAX_KEYS = 50_000
const MAX_UNKNOWN = 10_000
const SECRET = /^ali_(?:ingest|query|rum)_[\w-]{43}$/

interface KnownKey {
  readonly key: ApiKey
  readonly principal: KeyPrincipal
}

function known(key: ApiKey | null): KnownKey | null {
  if (!key) return null
  const { id, kind, allowedOrigins } = key
  // Keys of kind rum are public, so each is for one namespace; older ones that have several keep the first.
  const namespaces = kind === 'rum' ? key.namespaces.slice(0, 1) : key.namespaces
  return { key, principal: { kind: 'key', keyId: id, keyKind: kind, namespaces, allowedOrigins } }
}

/** Whether a credential has the form of an API key of ours. */
export function isApiKeySecret(text: string): boolean {
  return text.startsWith('ali_')
}

/** Resolves API key secrets, from memory after the first time, and keeps count of when each was last used. */
export class KeyVerifier {
  readonly #store: ControlStore
  readonly #clock: Clock
  readonly #keys: ReadThroughCache<string, KnownKey>
  readonly #lookups: Pick<CredentialLookups, 'find'>
  readonly #hashes = new WeakMap<KeyPrincipal, string>()
  #uses = new Map<KeyId, { readonly atMs: number; readonly namespaces: readonly NamespaceId[] }>()

  constructor(store: ControlStore, clock: Clock, maxAgeMs: CacheAge, lookups: Pick<CredentialLookups, 'find'>) {
    this.#store = store
    this.#clock = clock
    this.#lookups = lookups
    const load = async (hash: string): Promise<KnownKey | null> => known(await store.apiKeys.byHash(hash))
    this.#keys = new ReadThroughCache(load, { hits: MAX_KEYS, misses: MAX_UNKNOWN, maxAgeMs }, clock)
  }

  /**
   * Who the secret of a caller at `address` speaks for. `invalid_credential` when unknown, replaced or revoked,
   * `expired_credential` when expired, `overloaded` when too many unknown secrets are being looked up.
   */
  async verify(secret: string, address: string): Promise<KeyPrincipal> {
    if (!SECRET.test(secret)) throw unknownKey()
    const hash = sha256Hex(secret)
    const found = await this.#keys.get(hash, load => this.#lookups.find(address, load))
    if (!found) throw unknownKey()
    const now = this.#clock.nowMs()
    const end = endOf(found.key, hash, now)
    if (end) throw end
    return this.#used(found.principal, hash, now)
  }

  /** As `verify`, synchronously and from memory. Null when the key is not in memory or not valid; `verify` throws the reason. */
  remembered(secret: string): KeyPrincipal | null {
    if (!SECRET.test(secret)) return null
    const hash = sha256Hex(secret)
    const found = this.#keys.peek(hash)
    const now = this.#clock.nowMs()
    return found && endOf(found.key, hash, now) === null ? this.#used(found.principal, hash, now) : null
  }

  /**
   * Whether the result of `verify` is still valid, from memory: also false if nothing is remembered any more, and then `verify`
   * decides.
   */
  isStillGood(principal: KeyPrincipal): boolean {
    const hash = this.#hashes.get(principal)
    const found = hash === undefined ? null : this.#keys.peek(hash)
    return found?.principal === principal && endOf(found.key, hash!, this.#clock.nowMs()) === null
  }

  /** The shown beginning of the secret that `verify` resolved to the principal; null when it is not remembered any more. */
  prefixOf(principal: KeyPrincipal): string | null {
    const hash = this.#hashes.get(principal)
    return (hash === undefined ? null : this.#keys.peek(hash))?.key.prefix ?? null
  }

  /** Must be called with the key before and after each change, after the commit and before the response. */
  changed(...versions: readonly ApiKey[]): void {
    for (const { secretHash, previousHash } of versions) {
      this.forget(previousHash === null ? [secretHash] : [secretHash, previousHash])
    }
  }

  /** To be called with the hashes of secrets whose key changed elsewhere. */
  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#keys.forget(hash)
  }

  /** To be called when anything may have changed. */
  forgetAll(): void {
    this.#keys.clear()
  }

  /** Writes `last_used_at` of the keys used since the last time, meant for once a minute; returns the namespaces of these keys. */
  async flushUses(): Promise<ReadonlySet<NamespaceId>> {
    const uses = this.#uses
    this.#uses = new Map()
    try {
      if (uses.size > 0) await this.#store.apiKeys.touch(new Map([...uses].map(([id, { atMs }]) => [id, atMs])))
    } catch (error) {
      // They go with the next flush, unless the key was used again meanwhile.
      this.#uses = new Map([...uses, ...this.#uses])
      throw error
    }
    return new Set([...uses.values()].flatMap(use => use.namespaces))
  }

  #used(principal: KeyPrincipal, hash: string, nowMs: number): KeyPrincipal {
    this.#hashes.set(principal, hash)
    this.#uses.set(principal.keyId, { atMs: nowMs, namespaces: principal.namespaces })
    return principal
  }
}

/** Why the secret is no longer good; null when it is. */
function endOf(key: ApiKey, hash: string, nowMs: number): GatewayError | null {
  if (key.revokedAtMs !== null) return new GatewayError('invalid_credential', 'this API key is revoked')
  if (key.secretHash !== hash && nowMs >= (key.previousUntilMs ?? 0))
    return new GatewayError('invalid_credential', 'this API key was replaced by a rotation')
  if (key.expiresAtMs !== null && nowMs >= key.expiresAtMs)
    return new GatewayError('expired_credential', 'this API key has expired')
  return null
}

function unknownKey(): GatewayError {
  return new GatewayError('invalid_credential', 'this API key is not known')
}
