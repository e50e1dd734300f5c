import { GatewayError } from '../domain/errors.js'
import { isNamespaceId, type NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import { DEFAULT_RETENTION, isNamespaceName } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { StoragePlan, SubstringSearch } from '../domain/storage-plan.js'
import { DEFAULT_STORAGE } from '../domain/storage-plan.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { KnownSizes } from '../ports/stores.js'
import type { Accounts } from './accounts.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import { DEFAULT_NAMESPACE, isGone, notAllowed } from './requested-namespace.js'
import type { Directory } from './directory.js'
import type { NamespaceRemoval } from './namespace-removal.js'
import type { RetentionInput } from './format-retention.js'
import { changeRetention } from './format-retention.js'
import type { Roles } from './roles.js'
import type { NamespaceView } from './views.js'

export type { RetentionInput } from './format-retention.js'

/** A namespace as operators see it: how large it is, but nothing of what it holds. */
export interface SizedNamespace extends Namespace {
  readonly bytes: number
  readonly records: number
}

/** All namespaces, and the stores whose part the sizes lack. */
export interface SizedNamespaces {
  readonly namespaces: readonly SizedNamespace[]
  readonly missing: readonly string[]
}

/** What a namespace is made with; what is left out has its default. */
export interface NewNamespace {
  readonly name: string
  readonly retention?: RetentionInput
  /** `placement` is for operators: dedicated indices cost the installation most. */
  readonly storage?: Partial<StoragePlan>
}

/** Dependencies of `NamespaceService`. */
export interface NamespaceDeps {
  readonly store: ControlStore
  readonly accounts: Accounts
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
  readonly directory: Directory
  readonly roles: Roles
  readonly removal: NamespaceRemoval
  readonly sizes: () => Promise<KnownSizes>
}

/** Creates, shows, changes and deletes namespaces. An unknown id and one of another user's namespace get the same 403. */
export class NamespaceService {
  readonly #deps: NamespaceDeps

  constructor(deps: NamespaceDeps) {
    this.#deps = deps
  }

  /**
   * Makes a team namespace with the caller as admin. `invalid_field`, `name_taken`, `name_reserved`, or `role_required`
   * for a placement that is an operator's to choose.
   */
  async create(principal: UserPrincipal, { name, retention, storage }: NewNamespace): Promise<NamespaceView> {
    const { store, accounts, directory, roles } = this.#deps
    checkName(name, principal)
    if (storage?.placement !== undefined && !principal.isOperator) throw forOperators('the placement')
    const kept = changeRetention(DEFAULT_RETENTION, retention ?? {})
    const input = { name, kind: 'team', retention: kept, storage: { ...DEFAULT_STORAGE.team, ...storage } } as const
    const { namespace, role } = await store.transaction(async ports => {
      await refuseNameOfId(ports, name)
      return accounts.addNamespace(ports, principal.userId, input)
    })
    roles.changed(namespace.id, principal.userId)
    await directory.refresh(namespace.id)
    return { ...namespace, role }
  }

  /** The caller's namespaces that are not deleted, by name. */
  async list(principal: UserPrincipal): Promise<readonly NamespaceView[]> {
    const views: NamespaceView[] = []
    for (const { namespaceId, role } of await this.#deps.store.members.ofUser(principal.userId)) {
      const namespace = this.#deps.directory.byId(namespaceId)
      if (namespace && namespace.state !== 'deleted') views.push(toView(namespace, role))
    }
    return views.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** All namespaces of the installation with their sizes, where the stores report them, for operators. */
  async listAll(principal: UserPrincipal): Promise<SizedNamespaces> {
    if (!principal.isOperator) throw forOperators('this')
    const known = await this.#deps.sizes()
    const sizes = new Map(known.namespaces.map(size => [size.namespace, size]))
    const namespaces = this.#deps.directory.all().map(namespace => {
      const size = sizes.get(namespace.id)
      return { ...withoutReservation(namespace), bytes: size?.bytes ?? 0, records: size?.records ?? 0 }
    })
    return { namespaces, missing: known.missing }
  }

  async get(principal: UserPrincipal, id: string): Promise<NamespaceView> {
    const ns = this.#deps.authorizer.idOf(id)
    const role = await this.#deps.authorizer.roleIn(principal, ns)
    const namespace = this.#deps.directory.byId(ns)
    if (!namespace || role === null) throw notAllowed()
    return toView(namespace, role)
  }

  /** For admins. Signals left out keep theirs. */
  async setRetention(principal: UserPrincipal, id: string, input: RetentionInput): Promise<NamespaceView> {
    const { store, audit, directory } = this.#deps
    const ns = await this.#requireAdmin(principal, id)
    await store.transaction(async ports => {
      const { retention } = await requireUndeleted(ports, ns)
      await ports.namespaces.setRetention(ns, changeRetention(retention, input))
      const event = { action: 'namespace.retention_changed', namespaceId: ns, actor: principal.userId, target: ns } as const
      await audit.record(ports, { ...event, detail: { ...input } })
    })
    await directory.refresh(ns)
    return this.get(principal, ns)
  }

  /** How substrings of messages are found in new indices; for admins, and for operators who are not admins. */
  async setSearch(principal: UserPrincipal, id: string, search: SubstringSearch): Promise<NamespaceView> {
    const { store, audit, directory } = this.#deps
    const ns = principal.isOperator ? this.#requireKnown(id) : await this.#requireAdmin(principal, id)
    await store.transaction(async ports => {
      await requireUndeleted(ports, ns)
      await ports.namespaces.setSearch(ns, search)
      const event = { action: 'namespace.search_changed', namespaceId: ns, actor: principal.userId, target: ns } as const
      await audit.record(ports, { ...event, detail: { search } })
    })
    await directory.refresh(ns)
    return toView(directory.byId(ns)!, await this.#deps.authorizer.roleIn(principal, ns))
  }

  /** Resolves when the namespace refuses reads and writes; its data is removed behind it. For admins. */
  async remove(principal: UserPrincipal, id: string): Promise<NamespaceView> {
    const ns = await this.#requireAdmin(principal, id)
    await this.#deps.removal.start(ns, principal.userId)
    return this.get(principal, ns)
  }

  /** Resolves when no deletion is in progress. */
  deletionsSettled(): Promise<void> {
    return this.#deps.removal.settled()
  }

  async #requireAdmin(principal: UserPrincipal, id: string): Promise<NamespaceId> {
    const ns = this.#deps.authorizer.idOf(id)
    await this.#deps.authorizer.requireRole(principal, ns, 'admin')
    return ns
  }

  #requireKnown(id: string): NamespaceId {
    const ns = this.#deps.authorizer.idOf(id)
    if (!this.#deps.directory.byId(ns)) throw notAllowed()
    return ns
  }
}

async function requireUndeleted(ports: ControlPorts, ns: NamespaceId): Promise<Namespace> {
  const namespace = await ports.namespaces.byId(ns)
  if (!namespace || isGone(namespace)) throw new GatewayError('not_found', 'the namespace is deleted')
  return namespace
}

function checkName(name: string, principal: UserPrincipal): void {
  if (!isNamespaceName(name)) {
    const detail = 'name must have 1 to 63 characters of a-z, 0-9 and -, the first not a -'
    throw new GatewayError('invalid_field', detail, { field: 'name' })
  }
  // Keys without namespaces write to it, and operators make those (namespace resolution).
  if (name === DEFAULT_NAMESPACE && !principal.isOperator) {
    throw new GatewayError('name_reserved', `the name ${DEFAULT_NAMESPACE} is reserved for operators`, { field: 'name' })
  }
}

/** Names and ids are interchangeable: the name of a namespace must not shadow the id of another. */
async function refuseNameOfId(ports: ControlPorts, name: string): Promise<void> {
  if (isNamespaceId(name) && (await ports.namespaces.byId(name)))
    throw new GatewayError('name_taken', `the name ${name} is taken`, { field: 'name' })
}

function withoutReservation(namespace: Namespace): Namespace {
  const { id, name, kind, state, retention, storage, createdAtMs } = namespace
  return { id, name, kind, state, retention, storage, createdAtMs }
}

function toView(namespace: Namespace, role: NamespaceView['role']): NamespaceView {
  return { ...withoutReservation(namespace), role }
}

function forOperators(what: string): GatewayError {
  return new GatewayError('role_required', `${what} is for operators`)
}
