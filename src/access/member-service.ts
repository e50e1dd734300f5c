import { GatewayError } from '../domain/errors.js'
import type { NamespaceId, UserId } from '../domain/ids.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { Member } from '../ports/members.js'
import type { User } from '../ports/users.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import type { Roles } from './roles.js'
import type { MemberView, UserView } from './views.js'
import { toUserView } from './views.js'

/** Dependencies of `MemberService`. */
export interface MemberDeps {
  readonly store: ControlStore
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
  readonly roles: Roles
  readonly directory: Pick<NamespaceDirectory, 'byId'>
}

/** The members of a namespace and their roles. Changes take effect before the response. */
export class MemberService {
  readonly #deps: MemberDeps

  constructor(deps: MemberDeps) {
    this.#deps = deps
  }

  /** For viewers and above, oldest membership first. Empty for a deleted namespace, so that its members stay unknown. */
  async list(principal: UserPrincipal, namespaceId: string): Promise<readonly MemberView[]> {
    const ns = this.#deps.authorizer.idOf(namespaceId)
    await this.#deps.authorizer.requireRole(principal, ns, 'viewer')
    if (this.#isDeleted(ns)) return []
    const members = await this.#deps.store.members.of(ns)
    const users = await this.#deps.store.users.byIds(members.map(member => member.userId))
    const byId = new Map(users.map(user => [user.id, user]))
    return members.flatMap(member => {
      const user = byId.get(member.userId)
      return user ? [toView(member, user)] : []
    })
  }

  /** The users themselves, whether they belong to a namespace or not. */
  async self(principal: UserPrincipal): Promise<UserView> {
    const user = await this.#deps.store.users.byId(principal.userId)
    if (!user) throw new GatewayError('not_found', 'this user does not exist any more')
    return toUserView(user)
  }

  /** For admins. `conflict` when it would leave no admin, `not_found` for a user who is not a member. */
  async setRole(principal: UserPrincipal, namespaceId: string, userId: string, role: Role): Promise<MemberView> {
    const ns = this.#deps.authorizer.idOf(namespaceId)
    await this.#deps.authorizer.requireRole(principal, ns, 'admin')
    await this.#change(ns, userId as UserId, async (ports, member) => {
      await ports.members.setRole(ns, member.userId, role)
      if (role !== 'admin') await dropInvitationsBy(ports, member)
      const event = { action: 'member.role_changed', namespaceId: ns, actor: principal.userId, target: member.userId } as const
      await this.#deps.audit.record(ports, { ...event, detail: { from: member.role, to: role } })
    })
    return this.view(ns, userId as UserId)
  }

  /** For admins, and for everyone about oneself. `conflict` for the last admin. */
  async remove(principal: UserPrincipal, namespaceId: string, userId: string): Promise<void> {
    const ns = this.#deps.authorizer.idOf(namespaceId)
    await this.#deps.authorizer.requireRole(principal, ns, userId === principal.userId ? 'viewer' : 'admin')
    await this.#change(ns, userId as UserId, async (ports, member) => {
      await ports.members.remove(ns, member.userId)
      await dropInvitationsBy(ports, member)
      const event = { action: 'member.removed', namespaceId: ns, actor: principal.userId, target: member.userId } as const
      await this.#deps.audit.record(ports, { ...event, detail: { role: member.role } })
    })
  }

  /** One membership; the caller has decided who may see it. */
  async view(ns: NamespaceId, userId: UserId): Promise<MemberView> {
    const member = await this.#deps.store.members.find(ns, userId)
    const user = member && (await this.#deps.store.users.byId(userId))
    if (!member || !user) throw notMember()
    return toView(member, user)
  }

  #isDeleted(ns: NamespaceId): boolean {
    return this.#deps.directory.byId(ns)?.state === 'deleted'
  }

  /** `not_found` when the user is not a member, or the namespace is deleted. */
  async #change(ns: NamespaceId, userId: UserId, work: (ports: ControlPorts, member: Member) => Promise<void>): Promise<void> {
    if (this.#isDeleted(ns)) throw notMember()
    await this.#deps.store.transaction(async ports => {
      const member = await ports.members.find(ns, userId)
      if (!member) throw notMember()
      await work(ports, member)
    })
    this.#deps.roles.changed(ns, userId)
  }
}

// Else a removed admin comes back by an invitation made beforehand.
async function dropInvitationsBy(ports: ControlPorts, member: Member): Promise<void> {
  for (const invitation of await ports.invitations.of(member.namespaceId)) {
    if (invitation.invitedBy === member.userId) await ports.invitations.take(invitation.id)
  }
}

function toView(member: Member, user: User): MemberView {
  return { namespaceId: member.namespaceId, user: toUserView(user), role: member.role, sinceMs: member.sinceMs }
}

function notMember(): GatewayError {
  return new GatewayError('not_found', 'the user is not a member of the namespace')
}
