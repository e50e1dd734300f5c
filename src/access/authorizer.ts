import { GatewayError } from '../domain/errors.js'
import { isNamespaceId, type NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { Principal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import { atLeast } from '../domain/role.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { RequestedNamespace } from './requested-namespace.js'
import { findRequested, isGone, keyTarget, notAllowed, notOfKey, requireOpen, shownName } from './requested-namespace.js'
import type { Roles } from './roles.js'

function refusalFor(principal: Principal): GatewayError {
  return principal.kind === 'key' ? notOfKey() : notAllowed()
}

/** Decides which namespace a principal may read or write. Roles are looked up at each call, never taken from a token. */
export class Authorizer {
  readonly #directory: NamespaceDirectory
  readonly #roles: Roles

  constructor(directory: NamespaceDirectory, roles: Roles) {
    this.#directory = directory
    this.#roles = roles
  }

  /**
   * The namespace that a read means: the requested one, else the session's active one or the key's first.
   * `namespace_not_allowed` alike for unknown ones and for those of others; `not_found` while or after it is deleted.
   */
  async readNamespace(principal: Principal, requested: RequestedNamespace): Promise<Namespace> {
    const namespace = findRequested(this.#directory, principal, requested)
    if (!namespace) throw refusalFor(principal)
    await this.requireRole(principal, namespace.id, 'viewer')
    if (isGone(namespace)) throw new GatewayError('not_found', `the namespace ${shownName(namespace)} is deleted`)
    return namespace
  }

  /**
   * The namespace that a write means: the requested one, else the key's first, else `default` for a key without namespaces
   * (namespace resolution), else a session's active one. `namespace_not_allowed` as above; `namespace_deleted` for a
   * deleting or deleted one that the principal could write. A session needs the role member.
   */
  async writeNamespace(principal: Principal, requested: RequestedNamespace): Promise<Namespace> {
    if (principal.kind === 'key') return keyTarget(this.#directory, principal, requested)
    const namespace = findRequested(this.#directory, principal, requested)
    if (!namespace) throw notAllowed()
    await this.requireRole(principal, namespace.id, 'member')
    return requireOpen(namespace)
  }

  /**
   * The id of a namespace that a path names, by its id or its name; whether the caller may know of it is decided
   * elsewhere. `namespace_not_allowed` for what cannot be either.
   */
  idOf(text: string): NamespaceId {
    const isId = isNamespaceId(text)
    const found = (isId ? this.#directory.byId(text) : null) ?? this.#directory.byName(text)
    if (found) return found.id
    // One that another gateway has just made is not in the directory yet.
    if (isId) return text
    throw notAllowed()
  }

  /** The user's role there now, null for none; a query key reads like a viewer in its namespaces. */
  async roleIn(principal: Principal, ns: NamespaceId): Promise<Role | null> {
    if (principal.kind === 'user') return this.#roles.of(ns, principal.userId)
    return principal.keyKind === 'query' && principal.namespaces.includes(ns) ? 'viewer' : null
  }

  /** `namespace_not_allowed` when no member, `role_required` when the role is too low. */
  async requireRole(principal: Principal, ns: NamespaceId, role: Role): Promise<void> {
    const present = await this.roleIn(principal, ns)
    if (present === null) throw refusalFor(principal)
    if (!atLeast(present, role)) {
      throw new GatewayError('role_required', `this needs the role ${role}; your role is ${present}`)
    }
  }
}
