import type { SessionPrincipal } from '../../src/access/sessions.js'
import { openTestAccess, PASSWORD, type OpenedAccess, registered } from './open-access.js'

export const NEXT = 'another long password'
const FIELDS = { current: 'current_password', next: 'new_password' }

/** A registered user whose password is `PASSWORD`, on an installation of her own. */
export class Ada {
  readonly opened: OpenedAccess
  readonly principal: SessionPrincipal

  private constructor(opened: OpenedAccess, principal: SessionPrincipal) {
    this.opened = opened
    this.principal = principal
  }

  static async open(): Promise<Ada> {
    const opened = await openTestAccess()
    return new Ada(opened, (await registered(opened, 'ada')).principal)
  }

  login(password: string, address = '10.0.0.9') {
    return this.opened.access.signIn.login({ email: 'ada@example.com', password, address })
  }

  change(currentPassword = PASSWORD, newPassword = NEXT, { address = '10.0.0.1', as = this.principal } = {}): Promise<void> {
    return this.opened.access.passwordChange.change(as, { currentPassword, newPassword, address }, FIELDS)
  }
}
