import { errors, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import type { CryptoKey, JWTPayload } from 'jose'
import { GatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { SigningKey } from '../ports/session-tokens.js'
import type { SealedSigningKeys } from './sealed-signing-keys.js'
import type { SecretSource } from './secrets.js'

const ALGORITHM = 'EdDSA'
const AUDIENCE = 'alidade'
const LIFETIME_S = 15 * 60
const DAY_MS = 86_400_000
const ROTATE_AFTER_MS = 30 * DAY_MS
// A retired key still checks the tokens that it signed before.
const KEEP_RETIRED_MS = (LIFETIME_S + 60) * 1000
const RELOAD_AFTER_MS = 1000

/** Claims of an access token. */
export interface SessionClaims {
  readonly userId: string
  readonly sessionId: string
  readonly namespaceId: string
  readonly namespaceName: string
  readonly role: string
}

/** Signs and verifies access tokens (EdDSA JWT, "Identity" in docs/conventions.md) with keys in the control store. */
export class SessionSigner {
  readonly #store: ControlStore
  readonly #clock: Clock
  readonly #secrets: SecretSource
  readonly #issuer: string
  readonly #sealed: SealedSigningKeys
  readonly #imported = new Map<string, Promise<CryptoKey>>()
  #keys: readonly SigningKey[] = []
  #loadedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: { store: ControlStore; clock: Clock; secrets: SecretSource; issuer: string; sealed: SealedSigningKeys }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#secrets = deps.secrets
    this.#issuer = deps.issuer
    this.#sealed = deps.sealed
  }

  /** Lifetime of a token. */
  get lifetimeS(): number {
    return LIFETIME_S
  }

  /** Makes a new signing key if none exists or the present one is old; the old one verifies for a while longer. */
  async rotateIfDue(): Promise<void> {
    const now = this.#clock.nowMs()
    await this.#load()
    if (this.#keys.some(key => isCurrent(key, now))) return
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
    const fresh = { kid: this.#secrets.id(), publicJwk, privateJwk, createdAtMs: now, retiredAtMs: null }
    await this.#store.transaction(async ports => {
      const current = (await ports.signingKeys.all()).filter(key => key.retiredAtMs === null)
      if (current.some(key => isCurrent(key, now))) return
      for (const key of current) await ports.signingKeys.retire(key.kid, now)
      await this.#sealed.insert(ports, fresh)
    })
    await this.#load()
  }

  /** Reads the keys again, e.g. one that another instance made. */
  async reload(): Promise<void> {
    await this.#load()
  }

  async sign(claims: SessionClaims): Promise<string> {
    const key = this.#keys.findLast(key => key.retiredAtMs === null)
    if (!key) throw new GatewayError('internal', 'there is no signing key')
    const nowS = Math.floor(this.#clock.nowMs() / 1000)
    return new SignJWT({
      namespace_id: claims.namespaceId,
      namespace_name: claims.namespaceName,
      role: claims.role,
      sid: claims.sessionId
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
      .setSubject(claims.userId)
      .setIssuer(this.#issuer)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFETIME_S)
      .setJti(this.#secrets.id())
      .sign(await this.#privateKey(key))
  }

  /** The claims of the token. `expired_credential`, or `invalid_credential` for anything that we did not sign. */
  async verify(token: string): Promise<SessionClaims> {
    try {
      const { payload } = await jwtVerify(token, header => this.#publicKey(header.kid), {
        issuer: this.#issuer,
        audience: AUDIENCE,
        algorithms: [ALGORITHM],
        currentDate: new Date(this.#clock.nowMs()),
        requiredClaims: ['sub', 'sid', 'namespace_id', 'exp']
      })
      return toClaims(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new GatewayError('expired_credential', 'the access token has expired: refresh it or sign in again', {
          cause: error
        })
      if (error instanceof errors.JOSEError)
        throw new GatewayError('invalid_credential', 'the access token is not valid', { cause: error })
      throw error
    }
  }

  /** Public keys of all tokens that may still be valid, as a JWK set. */
  jwks(): { readonly keys: readonly Readonly<Record<string, unknown>>[] } {
    const keys = this.#keys.filter(key => this.#isUsable(key))
    return { keys: keys.map(key => ({ ...key.publicJwk, kid: key.kid, alg: ALGORITHM, use: 'sig' })) }
  }

  #privateKey(key: SigningKey): Promise<CryptoKey> {
    return this.#import(`private ${key.kid}`, () => this.#sealed.privateJwkOf(key))
  }

  async #publicKey(kid: string | undefined): Promise<CryptoKey> {
    // An unknown key may be one that another instance made; looked for at most once a second.
    const isKnown = this.#keys.some(key => key.kid === kid)
    if (!isKnown && this.#clock.monotonicMs() - this.#loadedAtMs > RELOAD_AFTER_MS) await this.#load()
    const key = this.#keys.find(key => key.kid === kid && this.#isUsable(key))
    if (!key) throw new errors.JWKSNoMatchingKey()
    return this.#import(`public ${key.kid}`, () => key.publicJwk)
  }

  #isUsable(key: SigningKey): boolean {
    return key.retiredAtMs === null || this.#clock.nowMs() - key.retiredAtMs < KEEP_RETIRED_MS
  }

  #import(name: string, jwkOf: () => Readonly<Record<string, unknown>>): Promise<CryptoKey> {
    const known = this.#imported.get(name)
    if (known) return known
    const key = importJWK({ ...jwkOf() }, ALGORITHM) as Promise<CryptoKey>
    this.#imported.set(name, key)
    return key
  }

  async #load(): Promise<void> {
    this.#loadedAtMs = this.#clock.monotonicMs()
    this.#keys = await this.#store.signingKeys.all()
  }
}

function isCurrent(key: SigningKey, nowMs: number): boolean {
  return key.retiredAtMs === null && nowMs - key.createdAtMs < ROTATE_AFTER_MS
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toClaims(payload: JWTPayload): SessionClaims {
  return {
    userId: text(payload.sub),
    sessionId: text(payload['sid']),
    namespaceId: text(payload['namespace_id']),
    namespaceName: text(payload['namespace_name']),
    role: text(payload['role'])
  }
}
