import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { MemberView } from './views.js'

/** Who belongs to a namespace, and as what. Changes take effect before they are answered. */
export class MemberService {
  /** For viewers and above, oldest membership first. */
  list(_principal: UserPrincipal, _namespaceId: string): Promise<readonly MemberView[]> {
    throw new Error('unbuilt')
  }

  /** For admins. `conflict` when it would leave no admin, `not_found` for a user who is no member. */
  setRole(_principal: UserPrincipal, _namespaceId: string, _userId: string, _role: Role): Promise<MemberView> {
    throw new Error('unbuilt')
  }

  /** For admins, and for everyone about oneself. `conflict` for the last admin. */
  remove(_principal: UserPrincipal, _namespaceId: string, _userId: string): Promise<void> {
    throw new Error('unbuilt')
  }
}
