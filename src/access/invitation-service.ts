import { GatewayError } from '../domain/errors.js'
import type { NamespaceId, UserId } from '../domain/ids.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { Clock } from '../ports/clock.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { Invitation } from '../ports/members.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import type { CredentialLookups } from './credential-lookups.js'
import type { MemberService } from './member-service.js'
import type { Roles } from './roles.js'
import type { SecretSource } from './secrets.js'
import { sha256Hex } from './secrets.js'
import type { InvitationView, MemberView } from './views.js'

const LIFETIME_MS = 7 * 86_400_000
const MAX_OPEN = 100

/** Dependencies of `InvitationService`. */
export interface InvitationDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly secrets: SecretSource
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
  readonly roles: Roles
  readonly members: MemberService
  readonly lookups: Pick<CredentialLookups, 'find'>
}

function toView({ id, namespaceId, role, invitedBy, createdAtMs, expiresAtMs }: Invitation): InvitationView {
  return { id, namespaceId, role, invitedBy, createdAtMs, expiresAtMs }
}

/** Invitations by token: the only way into a namespace that one did not make. */
export class InvitationService {
  readonly #deps: InvitationDeps

  constructor(deps: InvitationDeps) {
    this.#deps = deps
  }

  /** For admins. The token is shown this once, works once and for 7 days. `conflict` beyond 100 open ones. */
  async create(
    principal: UserPrincipal,
    namespaceId: string,
    role: Role
  ): Promise<{ invitation: InvitationView; token: string }> {
    const { store, clock, secrets, audit } = this.#deps
    const ns = await this.#requireAdmin(principal, namespaceId)
    const token = secrets.secret('ali_invite_')
    const now = clock.nowMs()
    const invitation: Invitation = {
      id: secrets.id(),
      namespaceId: ns,
      role,
      tokenHash: sha256Hex(token),
      invitedBy: principal.userId,
      createdAtMs: now,
      expiresAtMs: now + LIFETIME_MS
    }
    await store.transaction(async ports => {
      const open = await this.#dropExpired(ports, ns)
      if (open >= MAX_OPEN) throw new GatewayError('conflict', `a namespace has at most ${MAX_OPEN} open invitations`)
      await ports.invitations.insert(invitation)
      const event = { action: 'invitation.created', namespaceId: ns, actor: principal.userId, target: invitation.id } as const
      await audit.record(ports, { ...event, detail: { role } })
    })
    return { invitation: toView(invitation), token }
  }

  /** Open invitations, for admins. */
  async list(principal: UserPrincipal, namespaceId: string): Promise<readonly InvitationView[]> {
    const ns = await this.#requireAdmin(principal, namespaceId)
    const now = this.#deps.clock.nowMs()
    return (await this.#deps.store.invitations.of(ns)).filter(({ expiresAtMs }) => expiresAtMs > now).map(toView)
  }

  /** For admins; `not_found` when it is gone. */
  async revoke(principal: UserPrincipal, namespaceId: string, invitationId: string): Promise<void> {
    const ns = await this.#requireAdmin(principal, namespaceId)
    await this.#deps.store.transaction(async ports => {
      const isOurs = (await ports.invitations.of(ns)).some(({ id }) => id === invitationId)
      if (!isOurs) throw new GatewayError('not_found', 'invitation not found')
      await ports.invitations.take(invitationId)
      const event = { action: 'invitation.revoked', namespaceId: ns, actor: principal.userId, target: invitationId } as const
      await this.#deps.audit.record(ports, event)
    })
  }

  /** Makes the caller a member. `invalid_field` for a token that is unknown, used or expired. */
  async accept(principal: UserPrincipal, token: string): Promise<MemberView> {
    const { store, roles, members } = this.#deps
    // Outside of the transaction: those run one at a time, and an unknown token must not take that time from others.
    await this.requireKnown(token, principal.userId)
    const { namespaceId } = await store.transaction(ports => this.acceptWithin(ports, principal.userId, token))
    roles.changed(namespaceId, principal.userId)
    return members.view(namespaceId, principal.userId)
  }

  /** As `accept`, within the caller's transaction; the caller notifies `Roles` after the commit. */
  async acceptWithin(ports: ControlPorts, userId: UserId, token: string): Promise<{ readonly namespaceId: NamespaceId }> {
    const now = this.#deps.clock.nowMs()
    const invitation = await ports.invitations.byHash(sha256Hex(token))
    const namespace = invitation && (await ports.namespaces.byId(invitation.namespaceId))
    const isGood = invitation && invitation.expiresAtMs > now && namespace?.state === 'active'
    if (!isGood || !(await ports.invitations.take(invitation.id))) throw invalidToken()
    const { namespaceId, role } = invitation
    await ports.members.add({ namespaceId, userId, role, sinceMs: now })
    const event = { action: 'member.joined', namespaceId, actor: userId, target: userId } as const
    await this.#deps.audit.record(ports, { ...event, detail: { role, invitation: invitation.id } })
    return { namespaceId }
  }

  /** `invalid_field` for a token that is unknown or used: before a registration costs a password hash. */
  async requireKnown(token: string, from: string): Promise<void> {
    const { store, lookups } = this.#deps
    const tokenHash = sha256Hex(token)
    if (!(await lookups.find(from, () => store.invitations.byHash(tokenHash)))) throw invalidToken()
  }

  async #requireAdmin(principal: UserPrincipal, namespaceId: string): Promise<NamespaceId> {
    const ns = this.#deps.authorizer.idOf(namespaceId)
    await this.#deps.authorizer.requireRole(principal, ns, 'admin')
    return ns
  }

  async #dropExpired(ports: ControlPorts, ns: NamespaceId): Promise<number> {
    const now = this.#deps.clock.nowMs()
    const all = await ports.invitations.of(ns)
    const expired = all.filter(({ expiresAtMs }) => expiresAtMs <= now)
    for (const { id } of expired) await ports.invitations.take(id)
    return all.length - expired.length
  }
}

function invalidToken(): GatewayError {
  const detail = 'the invitation is unknown, used or expired'
  return new GatewayError('invalid_field', detail, { field: 'invitation_token' })
}
