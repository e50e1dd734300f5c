import type { Access } from '../../access/access.js'
import type { Authenticator } from '../authenticate.js'
import type { CookieSessions } from '../cookie-session.js'

/** The dependencies of the identity routes. */
export interface IdentityDeps {
  readonly access: Access
  readonly authenticator: Authenticator
  readonly cookies: CookieSessions
}
