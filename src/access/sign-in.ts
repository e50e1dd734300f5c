import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { BackgroundJobs } from '../ports/background-jobs.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { User } from '../ports/users.js'
import type { Accounts } from './accounts.js'
import { parseEmail, parseName } from './accounts.js'
import type { AuditTrail } from './audit-service.js'
import type { Directory } from './directory.js'
import type { QueueSeat } from './fair-queue.js'
import type { InvitationService } from './invitation-service.js'
import type { PasswordHasher } from './passwords.js'
import { checkPassword, passwordChanged } from './passwords.js'
import type { RefusalDelay } from './refusal-delay.js'
import type { Roles } from './roles.js'
import type { SignInThrottle } from './sign-in-throttle.js'
import type { OpenedSession, Sessions, TokenGrant } from './sessions.js'

/** Who may register: anyone, anyone on this machine and others by invitation, those with an invitation, or no one. */
export type RegistrationMode = 'open' | 'local' | 'invite' | 'closed'

/** What a login sends, and where it came from. */
export interface LoginInput {
  readonly email: string
  readonly password: string
  readonly invitationToken?: string
  /** Address of the client, for the throttle. */
  readonly address: string
}

/** What a registration sends, and where it came from. */
export interface RegisterInput extends LoginInput {
  readonly name?: string
  /** Whether the request may come from another machine, though the service listens on loopback; not when absent. */
  readonly isThroughProxy?: boolean
}

/** Dependencies of `SignIn`. */
export interface SignInDeps {
  readonly store: ControlStore
  readonly registration: RegistrationMode
  readonly passwords: PasswordHasher
  readonly throttle: SignInThrottle
  readonly refusals: Pick<RefusalDelay, 'of'>
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly invitations: InvitationService
  readonly audit: AuditTrail
  readonly directory: Directory
  readonly roles: Roles
  readonly jobs: BackgroundJobs
}

/** Registers users and signs them in by password. */
export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /**
   * Makes a user with a personal namespace. `conflict` when the e-mail address is taken, `role_required` when registration
   * is closed, `rate_limited` beyond 5 a minute per address of the client, `overloaded` when too many passwords are being
   * hashed; these two after `REFUSAL_DELAY_MS`.
   */
  register(input: RegisterInput): Promise<TokenGrant> {
    return this.#deps.refusals.of(input.address, () => this.#register(input))
  }

  async #register(input: RegisterInput): Promise<TokenGrant> {
    const { registration, passwords, store, accounts, audit, throttle, invitations } = this.#deps
    const email = parseEmail(input.email)
    const name = parseName(input.name)
    checkPassword(input.password)
    if (registration === 'closed') throw new GatewayError('role_required', 'registration is closed on this installation')
    if (input.invitationToken === undefined) this.#requireOpen(registration, input.isThroughProxy ?? false)
    else await invitations.requireKnown(input.invitationToken, input.address)
    const attempt = throttle.beginRegistration(input.address)
    const passwordHash = (await attempt(seat => passwords.hash(input.password, seat)))!
    const session = await store.transaction(async ports => {
      const user = await accounts.addUser(ports, { email, name, passwordHash, isOperator: false })
      const personal = await accounts.addPersonalNamespace(ports, user)
      await audit.record(ports, {
        action: 'user.registered',
        namespaceId: personal.namespace.id,
        actor: user.id,
        target: user.id
      })
      return this.#openSession(ports, user, input.invitationToken)
    })
    return this.#grant(session)
  }

  /**
   * `invalid_credential` alike for an unknown address and a wrong password; `rate_limited` beyond the limits of
   * `SignInThrottle`, `overloaded` when too many passwords are being checked, both after `REFUSAL_DELAY_MS`; `conflict`
   * when the password was changed meanwhile.
   */
  login(input: LoginInput): Promise<TokenGrant> {
    return this.#deps.refusals.of(input.address, () => this.#login(input))
  }

  async #login(input: LoginInput): Promise<TokenGrant> {
    const { throttle, store } = this.#deps
    const email = input.email.trim()
    throttle.check(email, input.address)
    const user = await store.users.byEmail(email)
    const attempt = throttle.begin({ email, exists: user !== null }, input.address)
    const session = await attempt(seat => this.#checked(input, user, seat))
    if (session) return this.#grant(session)
    this.#noteRefusal(user)
    throw new GatewayError('invalid_credential', 'e-mail address or password is wrong')
  }

  /** The session of a right password, null for a wrong one. */
  async #checked(input: LoginInput, user: User | null, seat: QueueSeat): Promise<OpenedSession | null> {
    const { passwords, store } = this.#deps
    const isRight = await passwords.verify(input.password, user?.passwordHash ?? null, seat)
    if (!user || !isRight) return null
    const upgraded = passwords.isOutdated(user.passwordHash) ? await passwords.hash(input.password, seat) : null
    return store.transaction(async ports => {
      // Whoever changed it meanwhile ended all sessions by the old one: this one must not begin, nor bring it back.
      if ((await ports.users.byId(user.id))?.passwordHash !== user.passwordHash) throw passwordChanged()
      if (upgraded !== null) await ports.users.setPassword(user.id, upgraded)
      return this.#openSession(ports, user, input.invitationToken)
    })
  }

  #requireOpen(registration: RegistrationMode, isThroughProxy: boolean): void {
    const isOpen = registration === 'open' || (registration === 'local' && !isThroughProxy)
    if (isOpen) return
    const remedy = registration === 'local' ? ', since the request came through a proxy; the operator can set registration' : ''
    throw new GatewayError('role_required', `registration needs an invitation_token on this installation${remedy}`)
  }

  async #openSession(ports: ControlPorts, user: User, invitationToken: string | undefined): Promise<OpenedSession> {
    const { accounts, audit, invitations, sessions } = this.#deps
    let invited: NamespaceId | undefined
    if (invitationToken !== undefined) invited = (await invitations.acceptWithin(ports, user.id, invitationToken)).namespaceId
    const seat = await accounts.seatOf(ports, user, invited)
    await audit.record(ports, { action: 'session.started', namespaceId: seat.namespace.id, actor: user.id })
    return sessions.open(ports, user, seat)
  }

  async #grant(session: OpenedSession): Promise<TokenGrant> {
    const { directory, roles, sessions, store } = this.#deps
    roles.userChanged(session.user.id)
    for (const { namespaceId } of await store.members.ofUser(session.user.id)) {
      roles.changed(namespaceId, session.user.id)
      if (!directory.byId(namespaceId)) await directory.refresh(namespaceId)
    }
    return sessions.grant(session)
  }

  // Only for users that exist: otherwise anyone could fill the log. The response does not wait for it: its duration would reveal
  // who exists.
  #noteRefusal(user: User | null): void {
    if (!user) return
    const { audit, store, jobs } = this.#deps
    const event = { action: 'session.refused', namespaceId: null, actor: null, target: user.id } as const
    void jobs.run('audit_refused_sign_in', () => audit.record(store, event))
  }
}
