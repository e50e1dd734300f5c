import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { InvitationView, MemberView } from './views.js'

/** Invitations by token: the only way into a namespace that one did not make. */
export class InvitationService {
  /** For admins. The token is shown this once and works once. */
  create(_principal: UserPrincipal, _namespaceId: string, _role: Role): Promise<{ invitation: InvitationView; token: string }> {
    throw new Error('unbuilt')
  }

  /** Open invitations, for admins. */
  list(_principal: UserPrincipal, _namespaceId: string): Promise<readonly InvitationView[]> {
    throw new Error('unbuilt')
  }

  /** For admins; `not_found` when it is gone. */
  revoke(_principal: UserPrincipal, _namespaceId: string, _invitationId: string): Promise<void> {
    throw new Error('unbuilt')
  }

  /** Makes the caller a member. `invalid_field` for a token that is unknown, used or expired. */
  accept(_principal: UserPrincipal, _token: string): Promise<MemberView> {
    throw new Error('unbuilt')
  }
}
