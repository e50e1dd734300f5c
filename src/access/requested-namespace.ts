import { GatewayError } from '../domain/errors.js'
import { isNamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import { isTombstone } from './name-tombstone.js'
import type { KeyPrincipal, Principal } from '../domain/principal.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'

/**
 * How a request names a namespace; empty when it does not. A name and an id that disagree are refused. Either place takes
 * the other too, for people who hold the one where the other is requested.
 */
export interface RequestedNamespace {
  readonly name?: string
  readonly id?: string
}

/** What a write goes to when nothing else is set (namespace resolution). */
export const DEFAULT_NAMESPACE = 'default'

/** One result for unknown namespaces and for those of others, so that names stay secret. */
export function notAllowed(): GatewayError {
  return new GatewayError('namespace_not_allowed', 'you are not a member of this namespace, or it does not exist')
}

/** The same for a key, whose owner may well be a member there. */
export function notOfKey(): GatewayError {
  return new GatewayError(
    'namespace_not_allowed',
    'the key is not authorized for this namespace, or the namespace does not exist'
  )
}

/** Whether its data is going or gone. */
export function isGone(namespace: Namespace): boolean {
  return namespace.state === 'deleting' || namespace.state === 'deleted'
}

function ownNamespace(directory: NamespaceDirectory, principal: Principal): Namespace | null {
  if (principal.kind === 'user') return directory.byId(principal.activeNamespace)
  const own = principal.namespaces[0]
  return own === undefined ? directory.byName(DEFAULT_NAMESPACE) : directory.byId(own)
}

// For a key, the name of its own namespace keeps its meaning, even after that namespace is deleted and another one has taken the
// name.
function byNameFor(directory: NamespaceDirectory, principal: Principal, name: string): Namespace | null {
  const present = directory.byName(name)
  if (principal.kind === 'user' || (present && principal.namespaces.includes(present.id))) return present
  const own = principal.namespaces
    .map(id => directory.byId(id))
    .find(namespace => namespace && directory.isNamed(namespace, name))
  return own ?? present
}

function byIdOf(directory: NamespaceDirectory, id: string): Namespace | null {
  return isNamespaceId(id) ? directory.byId(id) : null
}

/** The namespace that is meant, allowed or not: the requested one, else a session's active one, a key's first, or `default`. */
export function findRequested(
  directory: NamespaceDirectory,
  principal: Principal,
  requested: RequestedNamespace
): Namespace | null {
  if (requested.id === undefined && requested.name === undefined) return ownNamespace(directory, principal)
  const named = (name: string) => byNameFor(directory, principal, name)
  const byId = requested.id === undefined ? null : (byIdOf(directory, requested.id) ?? named(requested.id))
  const byName = requested.name === undefined ? null : (named(requested.name) ?? byIdOf(directory, requested.name))
  if (requested.id === undefined) return byName
  if (requested.name === undefined) return byId
  return byId?.id === byName?.id ? byId : null
}

/** Whether the key may write there, whatever the namespace's state. */
function mayKeyWrite(key: KeyPrincipal, namespace: Namespace): boolean {
  if (key.keyKind === 'query') return false
  if (key.namespaces.length === 0) return namespace.name === DEFAULT_NAMESPACE
  return key.namespaces.includes(namespace.id)
}

/** How errors name a namespace; after its deletion its name is a tombstone. */
export function shownName({ id, name }: Namespace): string {
  return isTombstone(name) ? id : name
}

/** The namespace if it takes data now, for a caller that may write there. */
export function requireOpen(namespace: Namespace): Namespace {
  if (isGone(namespace)) {
    throw new GatewayError('namespace_deleted', `the namespace ${shownName(namespace)} is deleted`)
  }
  if (namespace.state === 'suspended') {
    throw new GatewayError('namespace_not_allowed', `the namespace ${namespace.name} is suspended`)
  }
  return namespace
}

/**
 * Where a key's write goes. `namespace_not_allowed` whether the name exists or not; `namespace_deleted` only for a
 * deleted namespace of the key's list ("Errors" in docs/conventions.md).
 */
export function keyTarget(directory: NamespaceDirectory, key: KeyPrincipal, requested: RequestedNamespace): Namespace {
  const namespace = findRequested(directory, key, requested)
  if (!namespace || !mayKeyWrite(key, namespace)) throw notOfKey()
  return requireOpen(namespace)
}
