import { ApiError } from '../api/errors.js'
import type { Transport } from '../api/transport.js'

/** The signed-in user. */
export interface SignedInUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

/** Whether a user is signed in. `expired` keeps the page: the sign-in dialog opens over it. */
export type SessionState =
  | { readonly status: 'starting' | 'signed-out' }
  | { readonly status: 'signed-in' | 'expired'; readonly user: SignedInUser; readonly namespace: string }

/** Response of the auth routes to a cookie session: without a refresh token, which only the cookie holds. */
interface Grant {
  readonly access_token: string
  readonly expires_in: number
  readonly user: SignedInUser
  readonly namespace: { readonly id: string; readonly name: string }
}

/** What a person enters to sign in or to register. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly invitationToken?: string
}

/** What tabs send each other. The access token crosses only within the origin and is never stored. */
type TabMessage = { readonly kind: 'grant'; readonly grant: Grant; readonly atMs: number } | { readonly kind: 'signed-out' }

/** The tabs of this origin. */
export interface TabChannel {
  readonly send: (message: unknown) => void
  readonly onMessage: (listener: (message: unknown) => void) => void
}

/** Browser facilities that a session uses. */
export interface SessionEnvironment {
  readonly transport: Transport
  readonly locks: Pick<LockManager, 'request'>
  readonly channel: TabChannel
  readonly nowMs: () => number
}

const AUTH = 'api/v1/auth'
/** Keeps the refresh token in a cookie that scripts cannot read. */
const COOKIE_SESSION = { 'x-alidade-session': 'cookie' }
const LOCK = 'alidade-refresh'
/** Share of the life of an access token after which it is replaced. */
const REFRESH_AT = 0.8

/**
 * The session of this browser. The access token is a private member of this object; the refresh token is in a cookie
 * that scripts cannot read. One tab at a time refreshes and passes the new access token to the others.
 */
export class Session {
  readonly #environment: SessionEnvironment
  readonly #listeners = new Set<() => void>()
  #state: SessionState = { status: 'starting' }
  #token: { readonly value: string; readonly refreshAtMs: number } | null = null
  #refreshing: Promise<void> | null = null

  constructor(environment: SessionEnvironment) {
    this.#environment = environment
    environment.channel.onMessage(message => this.#onTabMessage(message as TabMessage))
  }

  /** The current state; the same object until it changes. */
  readonly state = (): SessionState => this.#state

  /** Calls `listener` after each change of the state. Returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Continues the session of the cookie, if there is one. Never rejects. */
  async start(): Promise<void> {
    await this.#refresh(null).catch(() => {
      // No session, or no service: either way no user is signed in.
      if (this.#state.status === 'starting') this.#change({ status: 'signed-out' })
    })
  }

  /** Signs in. Throws `ApiError`. */
  async signIn(credentials: Credentials): Promise<void> {
    this.#accept(await this.#post('login', credentials))
  }

  /** Creates an account and signs in. Throws `ApiError`. */
  async register(credentials: Credentials): Promise<void> {
    this.#accept(await this.#post('register', credentials))
  }

  /** Ends the session in all tabs. */
  async signOut(): Promise<void> {
    await this.#environment.transport.send(`${AUTH}/logout`, { method: 'POST', headers: COOKIE_SESSION, json: {} })
    this.forget()
  }

  /** Gives up an expired session in all tabs, so that another user can sign in. */
  forget(): void {
    this.#environment.channel.send({ kind: 'signed-out' } satisfies TabMessage)
    this.#onTabMessage({ kind: 'signed-out' })
  }

  /** A valid access token. Throws `ApiError` when the session is over. */
  async accessToken(): Promise<string> {
    if (!this.#token || this.#environment.nowMs() >= this.#token.refreshAtMs) await this.#refresh(this.#token?.value ?? null)
    return this.#token!.value
  }

  /** Replaces an access token that the service refused. Throws `ApiError` when the session is over. */
  async replace(refused: string): Promise<string> {
    await this.#refresh(refused)
    return this.#token!.value
  }

  /** Refreshes unless a request of this tab or, while it waited, another tab has done so. */
  async #refresh(used: string | null): Promise<void> {
    this.#refreshing ??= this.#environment.locks
      .request(LOCK, async () => {
        const isReplaced = this.#token !== null && this.#token.value !== used
        if (!isReplaced) this.#accept(await this.#post('refresh', {}))
      })
      .catch((error: unknown) => {
        this.#onFailedRefresh(error)
        throw error
      })
      .finally(() => {
        this.#refreshing = null
      })
    await this.#refreshing
  }

  #onFailedRefresh(error: unknown): void {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.status === 429) return
    this.#token = null
    if (this.#state.status === 'signed-in') this.#change({ ...this.#state, status: 'expired' })
    else if (this.#state.status === 'starting') this.#change({ status: 'signed-out' })
  }

  async #post(route: string, { invitationToken, ...members }: Partial<Credentials>): Promise<Grant> {
    const json = { ...members, ...(invitationToken === undefined ? {} : { invitation_token: invitationToken }) }
    const { body } = await this.#environment.transport.send(`${AUTH}/${route}`, { method: 'POST', headers: COOKIE_SESSION, json })
    return body as Grant
  }

  #accept(grant: Grant): void {
    const message: TabMessage = { kind: 'grant', grant, atMs: this.#environment.nowMs() }
    this.#environment.channel.send(message)
    this.#onTabMessage(message)
  }

  #onTabMessage(message: TabMessage): void {
    if (message.kind === 'signed-out') {
      this.#token = null
      this.#change({ status: 'signed-out' })
      return
    }
    const { grant, atMs } = message
    this.#token = { value: grant.access_token, refreshAtMs: atMs + grant.expires_in * 1_000 * REFRESH_AT }
    this.#change({ status: 'signed-in', user: grant.user, namespace: grant.namespace.name })
  }

  #change(state: SessionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
