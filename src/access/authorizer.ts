import type { NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { Principal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'

/** How a request names a namespace; empty when it does not. A name and an id that disagree are refused. */
export interface AskedNamespace {
  readonly name?: string
  readonly id?: string
}

/** Decides which namespace a principal may read or write. Roles are looked up at each call, never taken from a token. */
export class Authorizer {
  /**
   * The namespace that a read means: the asked one, else the session's active one or the key's first.
   * `namespace_not_allowed` alike for unknown ones and for those of others; `not_found` while or after it is deleted.
   */
  readNamespace(_principal: Principal, _asked: AskedNamespace): Promise<Namespace> {
    throw new Error('unbuilt')
  }

  /**
   * The namespace that a write means: the asked one, else the key's first, else `default` for a key without namespaces
   * (spec 2.7 rules 4 and 5), else a session's active one. `namespace_not_allowed` as above; `namespace_deleted` for a
   * deleting or deleted one that the principal could write. A session needs the role member.
   */
  writeNamespace(_principal: Principal, _asked: AskedNamespace): Promise<Namespace> {
    throw new Error('unbuilt')
  }

  /** Whether the principal may write there, whatever the namespace's state. */
  mayWrite(_principal: Principal, _ns: NamespaceId): Promise<boolean> {
    throw new Error('unbuilt')
  }

  /** The user's role there now, null for none; a query key reads like a viewer in its namespaces. */
  roleIn(_principal: Principal, _ns: NamespaceId): Promise<Role | null> {
    throw new Error('unbuilt')
  }

  /** `namespace_not_allowed` when no member, `role_required` when the role is too low. */
  requireRole(_principal: Principal, _ns: NamespaceId, _role: Role): Promise<void> {
    throw new Error('unbuilt')
  }
}
