import { GatewayError } from '../domain/errors.js'
import type { NamespaceId, UserId } from '../domain/ids.js'
import { isNamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { Clock } from '../ports/clock.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { RefreshToken } from '../ports/session-tokens.js'
import type { User } from '../ports/users.js'
import type { Accounts, Seat } from './accounts.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import { notAllowed } from './requested-namespace.js'
import type { CacheAge } from './cache-age.js'
import type { CredentialLookups } from './credential-lookups.js'
import type { Directory } from './directory.js'
import { ReadThroughCache } from './read-through-cache.js'
import type { KnownRefreshToken } from './refresh-successor.js'
import { findSuccessor, successorSecret } from './refresh-successor.js'
import type { Roles } from './roles.js'
import type { SecretSource } from './secrets.js'
import { sha256Hex } from './secrets.js'
import type { SessionSigner } from './session-signer.js'
import type { UserView } from './views.js'
import { toUserView } from './views.js'

/** How long a refresh token is valid that is not used. */
export const REFRESH_LIFETIME_MS = 30 * 86_400_000
const MAX_SESSIONS_CACHED = 50_000
const MAX_SESSION_AGE_MS = 1000

/** A signed-in user together with the session (the family of refresh tokens) that the token belongs to. */
export interface SessionPrincipal extends UserPrincipal {
  readonly sessionId: string
}

/** The result of register, login, refresh and switch. */
export interface TokenGrant {
  readonly accessToken: string
  readonly expiresInS: number
  readonly refreshToken: string
  readonly user: UserView
  readonly namespace: Namespace
  readonly role: Role
}

/** A session as a transaction wrote it; its access token is signed afterwards, so that the transaction stays short. */
export interface OpenedSession {
  readonly sessionId: string
  readonly refreshToken: string
  readonly user: User
  readonly seat: Seat
}

/** Dependencies of `Sessions`. */
export interface SessionsDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly secrets: SecretSource
  readonly signer: SessionSigner
  readonly accounts: Accounts
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
  readonly directory: Directory
  readonly roles: Roles
  readonly cacheAge: CacheAge
  readonly lookups: Pick<CredentialLookups, 'find'>
}

type Exchange =
  | { readonly kind: 'reused'; readonly familyId: string }
  | { readonly kind: 'opened'; readonly session: OpenedSession }

/** Sessions: opening, refreshing, switching and ending them, and identifying the caller of an access token. */
export class Sessions {
  readonly #deps: SessionsDeps
  readonly #live: ReadThroughCache<string, true>

  constructor(deps: SessionsDeps) {
    this.#deps = deps
    const load = async (family: string): Promise<true | null> =>
      (await deps.store.refreshTokens.isFamilyLive(family)) ? true : null
    // Never older than a second, since an administrator's password reset ends sessions behind our back.
    const maxAgeMs = (): number => Math.min(deps.cacheAge() ?? MAX_SESSION_AGE_MS, MAX_SESSION_AGE_MS)
    const bounds = { hits: MAX_SESSIONS_CACHED, misses: MAX_SESSIONS_CACHED, maxAgeMs }
    this.#live = new ReadThroughCache(load, bounds, deps.clock)
  }

  /** Opens a session, or goes on with `sessionId`, within the caller's transaction. */
  async open(
    ports: ControlPorts,
    user: User,
    seat: Seat,
    sessionId?: string,
    refreshToken = this.#deps.secrets.secret('alr_')
  ): Promise<OpenedSession> {
    const now = this.#deps.clock.nowMs()
    const familyId = sessionId ?? this.#deps.secrets.id()
    await ports.refreshTokens.insert({
      id: this.#deps.secrets.id(),
      familyId,
      userId: user.id,
      namespaceId: seat.namespace.id,
      secretHash: sha256Hex(refreshToken),
      createdAtMs: now,
      expiresAtMs: now + REFRESH_LIFETIME_MS,
      usedAtMs: null,
      revokedAtMs: null
    })
    return { sessionId: familyId, refreshToken, user, seat }
  }

  /** The tokens of a session whose transaction is committed. */
  async grant({ sessionId, refreshToken, user, seat }: OpenedSession): Promise<TokenGrant> {
    const { namespace, role } = seat
    const claims = { userId: user.id, sessionId, namespaceId: namespace.id, namespaceName: namespace.name, role }
    const accessToken = await this.#deps.signer.sign(claims)
    return { accessToken, expiresInS: this.#deps.signer.lifetimeS, refreshToken, user: toUserView(user), namespace, role }
  }

  /**
   * Exchanges a refresh token, once; a second use ends the whole session. `address` is that of the client. With
   * `mayRepeat`, a repeat within `REPEAT_WINDOW_MS` does not count as second use and returns the same successor.
   */
  async refresh(refreshToken: string, address: string, { mayRepeat } = { mayRepeat: false }): Promise<TokenGrant> {
    const token = await this.#find(refreshToken, address)
    if (!token) throw invalidRefreshToken()
    if (this.#deps.clock.nowMs() >= token.expiresAtMs)
      throw new GatewayError('expired_credential', 'the refresh token has expired')
    const given = { token, secret: refreshToken }
    const exchange = await this.#deps.store.transaction(ports => this.#exchange(ports, given, mayRepeat))
    if (exchange.kind === 'reused') {
      this.#live.forget(exchange.familyId)
      throw invalidRefreshToken()
    }
    await this.#learn(exchange.session)
    return this.grant(exchange.session)
  }

  /** Ends the session of this refresh token; an unknown token is not an error. */
  async logout(refreshToken: string, address: string): Promise<void> {
    const { store, clock, audit } = this.#deps
    const token = await this.#find(refreshToken, address)
    if (!token) return
    await store.transaction(async ports => {
      await ports.refreshTokens.revokeFamily(token.familyId, clock.nowMs())
      await audit.record(ports, { action: 'session.ended', namespaceId: token.namespaceId, actor: token.userId })
    })
    this.#live.forget(token.familyId)
  }

  /** To be called when a session ended elsewhere. */
  forget(sessionId: string): void {
    this.#live.forget(sessionId)
  }

  /** To be called when anything may have changed. */
  forgetAll(): void {
    this.#live.clear()
  }

  /** A token for another namespace of the user. `namespace_not_allowed` unless a member, `invalid_credential` when the session has ended. */
  async switchTo(principal: SessionPrincipal, namespaceId: string): Promise<TokenGrant> {
    const { store, authorizer, audit } = this.#deps
    const namespace = await authorizer.readNamespace(principal, { id: namespaceId })
    const session = await store.transaction(async ports => {
      const user = await ports.users.byId(principal.userId)
      const member = await ports.members.find(namespace.id, principal.userId)
      if (!user || !member) throw notAllowed()
      // What was let in a moment ago may have ended since; another token would revive it.
      if (!(await ports.refreshTokens.isFamilyLive(principal.sessionId))) throw sessionEnded()
      const opened = await this.open(ports, user, { namespace, role: member.role }, principal.sessionId)
      await audit.record(ports, { action: 'session.switched', namespaceId: namespace.id, actor: user.id })
      return opened
    })
    return this.grant(session)
  }

  /** Who an access token speaks for. `invalid_credential` or `expired_credential`. */
  async verify(accessToken: string): Promise<SessionPrincipal> {
    const claims = await this.#deps.signer.verify(accessToken)
    const userId = claims.userId as UserId
    const isOperator = await this.#deps.roles.isOperator(userId)
    const isLive = await this.#live.get(claims.sessionId)
    if (isOperator === null || !isLive || !isNamespaceId(claims.namespaceId)) {
      throw sessionEnded()
    }
    return { kind: 'user', userId, isOperator, activeNamespace: claims.namespaceId, sessionId: claims.sessionId }
  }

  /** The public keys of access tokens, as a JWK set. */
  jwks(): { readonly keys: readonly Readonly<Record<string, unknown>>[] } {
    return this.#deps.signer.jwks()
  }

  #find(refreshToken: string, address: string): Promise<RefreshToken | null> {
    const { lookups, store } = this.#deps
    return lookups.find(address, () => store.refreshTokens.byHash(sha256Hex(refreshToken)))
  }

  async #exchange(ports: ControlPorts, given: KnownRefreshToken, mayRepeat: boolean): Promise<Exchange> {
    const { accounts, clock } = this.#deps
    const { token } = given
    if (!(await ports.refreshTokens.markUsed(token.id, clock.nowMs()))) return this.#exchangeAgain(ports, given, mayRepeat)
    const user = await ports.users.byId(token.userId)
    if (!user) throw invalidRefreshToken()
    const seat = await accounts.seatOf(ports, user, token.namespaceId)
    const next = mayRepeat ? successorSecret(given) : undefined
    return { kind: 'opened', session: await this.open(ports, user, seat, token.familyId, next) }
  }

  /** A token that was used or whose session was ended: a repeat, or a reuse. */
  async #exchangeAgain(ports: ControlPorts, { secret }: KnownRefreshToken, mayRepeat: boolean): Promise<Exchange> {
    const { accounts, audit, clock } = this.#deps
    const token = await ports.refreshTokens.byHash(sha256Hex(secret))
    // Never used: its session has ended, and a device that does not know it refreshes regularly.
    if (!token || token.usedAtMs === null) throw invalidRefreshToken()
    const newest = mayRepeat ? await findSuccessor(ports.refreshTokens, { token, secret }, clock.nowMs()) : null
    if (!newest) {
      await ports.refreshTokens.revokeFamily(token.familyId, clock.nowMs())
      await audit.record(ports, { action: 'session.reuse_detected', namespaceId: token.namespaceId, actor: token.userId })
      return { kind: 'reused', familyId: token.familyId }
    }
    const user = await ports.users.byId(token.userId)
    // Signed out in another tab while this refresh was in flight.
    if (!user || newest.token.revokedAtMs !== null) throw invalidRefreshToken()
    const seat = await accounts.seatOf(ports, user, newest.token.namespaceId)
    return { kind: 'opened', session: { sessionId: token.familyId, refreshToken: newest.secret, user, seat } }
  }

  // A user without any namespace left got a new one within the transaction.
  async #learn({ user, seat }: OpenedSession): Promise<void> {
    const id: NamespaceId = seat.namespace.id
    if (this.#deps.directory.byId(id)) return
    this.#deps.roles.changed(id, user.id)
    await this.#deps.directory.refresh(id)
  }
}

function sessionEnded(): GatewayError {
  return new GatewayError('invalid_credential', 'the session has ended')
}

function invalidRefreshToken(): GatewayError {
  return new GatewayError('invalid_credential', 'the refresh token is not valid')
}
