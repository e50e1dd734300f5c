import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import { isNamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { KeyPrincipal, Principal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import { atLeast } from '../domain/role.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { Roles } from './roles.js'

/** How a request names a namespace; empty when it does not. A name and an id that disagree are refused. */
export interface AskedNamespace {
  readonly name?: string
  readonly id?: string
}

/** What a write goes to when nothing else is set (spec 2.7, rule 5). */
export const DEFAULT_NAMESPACE = 'default'

/** Decides which namespace a principal may read or write. Roles are looked up at each call, never taken from a token. */
export class Authorizer {
  readonly #directory: NamespaceDirectory
  readonly #roles: Roles

  constructor(directory: NamespaceDirectory, roles: Roles) {
    this.#directory = directory
    this.#roles = roles
  }

  /**
   * The namespace that a read means: the asked one, else the session's active one or the key's first.
   * `namespace_not_allowed` alike for unknown ones and for those of others; `not_found` while or after it is deleted.
   */
  async readNamespace(principal: Principal, asked: AskedNamespace): Promise<Namespace> {
    const namespace = this.#find(principal, asked)
    if (!namespace) throw notAllowed()
    await this.requireRole(principal, namespace.id, 'viewer')
    if (isGone(namespace)) throw new GatewayError('not_found', `the namespace ${namespace.name} is deleted`)
    return namespace
  }

  /**
   * The namespace that a write means: the asked one, else the key's first, else `default` for a key without namespaces
   * (spec 2.7 rules 4 and 5), else a session's active one. `namespace_not_allowed` as above; `namespace_deleted` for a
   * deleting or deleted one that the principal could write. A session needs the role member.
   */
  async writeNamespace(principal: Principal, asked: AskedNamespace): Promise<Namespace> {
    const namespace = this.#find(principal, asked)
    if (!namespace) throw notAllowed()
    if (principal.kind === 'user') await this.requireRole(principal, namespace.id, 'member')
    else if (!this.#mayKeyWrite(principal, namespace)) throw notAllowed()
    if (isGone(namespace)) throw new GatewayError('namespace_deleted', `the namespace ${namespace.name} is deleted`)
    if (namespace.state === 'suspended') {
      throw new GatewayError('namespace_not_allowed', `the namespace ${namespace.name} is suspended`)
    }
    return namespace
  }

  /** Whether the principal may write there, whatever the namespace's state. */
  async mayWrite(principal: Principal, ns: NamespaceId): Promise<boolean> {
    const namespace = this.#directory.byId(ns)
    if (!namespace) return false
    if (principal.kind === 'key') return this.#mayKeyWrite(principal, namespace)
    const role = await this.#roles.of(ns, principal.userId)
    return role !== null && atLeast(role, 'member')
  }

  /** The user's role there now, null for none; a query key reads like a viewer in its namespaces. */
  async roleIn(principal: Principal, ns: NamespaceId): Promise<Role | null> {
    if (principal.kind === 'user') return this.#roles.of(ns, principal.userId)
    return principal.keyKind === 'query' && principal.namespaces.includes(ns) ? 'viewer' : null
  }

  /** `namespace_not_allowed` when no member, `role_required` when the role is too low. */
  async requireRole(principal: Principal, ns: NamespaceId, role: Role): Promise<void> {
    const present = await this.roleIn(principal, ns)
    if (present === null) throw notAllowed()
    if (!atLeast(present, role)) {
      throw new GatewayError('role_required', `this needs the role ${role}; yours is ${present}`)
    }
  }

  #find(principal: Principal, asked: AskedNamespace): Namespace | null {
    if (asked.id === undefined && asked.name === undefined) return this.#own(principal)
    const byId = asked.id === undefined ? null : isNamespaceId(asked.id) ? this.#directory.byId(asked.id) : null
    const byName = asked.name === undefined ? null : this.#byNameFor(principal, asked.name)
    if (asked.id === undefined) return byName
    if (asked.name === undefined) return byId
    return byId?.id === byName?.id ? byId : null
  }

  #own(principal: Principal): Namespace | null {
    if (principal.kind === 'user') return this.#directory.byId(principal.activeNamespace)
    const own = principal.namespaces[0]
    return own === undefined ? this.#directory.byName(DEFAULT_NAMESPACE) : this.#directory.byId(own)
  }

  // A key goes on meaning its own namespace by name, also after that one is deleted and somebody else took the name.
  #byNameFor(principal: Principal, name: string): Namespace | null {
    const present = this.#directory.byName(name)
    if (principal.kind === 'user' || (present && principal.namespaces.includes(present.id))) return present
    const own = principal.namespaces.map(id => this.#directory.byId(id)).find(namespace => namespace?.name === name)
    return own ?? present
  }

  #mayKeyWrite(key: KeyPrincipal, namespace: Namespace): boolean {
    if (key.keyKind === 'query') return false
    if (key.namespaces.length === 0) return namespace.name === DEFAULT_NAMESPACE
    return key.namespaces.includes(namespace.id)
  }
}

function isGone(namespace: Namespace): boolean {
  return namespace.state === 'deleting' || namespace.state === 'deleted'
}

/** One answer for unknown namespaces and for those of others, so that nobody learns which names exist. */
export function notAllowed(): GatewayError {
  return new GatewayError('namespace_not_allowed', 'this namespace is not yours or does not exist')
}
