import { GatewayError } from '../domain/errors.js'
import type { UserId } from '../domain/ids.js'
import type { Clock } from '../ports/clock.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { Accounts } from './accounts.js'
import type { AuditAction, AuditTrail } from './audit-service.js'
import type { PasswordHasher } from './passwords.js'
import { checkPassword, passwordChanged } from './passwords.js'
import type { SessionPrincipal, Sessions } from './sessions.js'
import type { SignInThrottle } from './sign-in-throttle.js'

/** The present and the next password, and where the request came from. */
export interface PasswordChangeInput {
  readonly currentPassword: string
  readonly newPassword: string
  /** Address of the client, for the throttle. */
  readonly address: string
}

/** Names of the two passwords as the caller wrote them, for errors about them. */
export interface PasswordFields {
  readonly current: string
  readonly next: string
}

/** Dependencies of `PasswordChange`. */
export interface PasswordChangeDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly passwords: PasswordHasher
  readonly throttle: SignInThrottle
  readonly sessions: Pick<Sessions, 'forgetAll'>
  readonly accounts: Accounts
  readonly audit: AuditTrail
  /** Called after a password was changed, before the response. */
  readonly onPasswordChanged?: () => Promise<void>
}

/** Users change their own passwords. */
export class PasswordChange {
  readonly #deps: PasswordChangeDeps

  constructor(deps: PasswordChangeDeps) {
    this.#deps = deps
  }

  /**
   * Sets the caller's password and ends all their sessions except the one of the request. `invalid_field` for a wrong current
   * password and for a new one of an invalid length; `rate_limited` together with sign-ins: 5 a minute per account and address.
   * Audited in the user's home, whichever namespace the session is in: the admins of that namespace are not concerned.
   */
  async change(caller: SessionPrincipal, input: PasswordChangeInput, fields: PasswordFields): Promise<void> {
    const { userId, sessionId } = caller
    const { store, clock, passwords, throttle, sessions } = this.#deps
    const { currentPassword, newPassword, address } = input
    checkPassword(newPassword, fields.next)
    const user = await store.users.byId(userId)
    if (!user) throw new GatewayError('invalid_credential', 'the session has ended')
    const attempt = throttle.begin({ email: user.email, exists: true }, address)
    const hash = await attempt(async seat => {
      const isRight = await passwords.verify(currentPassword, user.passwordHash, seat)
      return isRight ? passwords.hash(newPassword, seat) : null
    })
    if (hash === null) {
      await this.#record(store, 'user.password_refused', userId)
      throw new GatewayError('invalid_field', 'the current password is wrong', { field: fields.current })
    }
    await store.transaction(async ports => {
      // Whoever reset or changed it meanwhile has the last word.
      if ((await ports.users.byId(userId))?.passwordHash !== user.passwordHash) throw passwordChanged()
      await ports.users.setPassword(userId, hash)
      await ports.refreshTokens.revokeUser(userId, clock.nowMs(), sessionId)
      await this.#record(ports, 'user.password_changed', userId)
    })
    sessions.forgetAll()
    await this.#deps.onPasswordChanged?.()
  }

  async #record(ports: ControlPorts, action: AuditAction, userId: UserId): Promise<void> {
    const { accounts, audit } = this.#deps
    await audit.record(ports, { action, namespaceId: await accounts.homeOf(ports, userId), actor: userId, target: userId })
  }
}
