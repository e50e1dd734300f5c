import type { NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'

/** All namespaces from memory, kept current by every write: for hot paths. Deleted ones are still found by id. */
export interface NamespaceDirectory {
  /** The namespace, deleted ones too; null when there never was one. */
  byId(id: NamespaceId): Namespace | null
  /** The undeleted namespace of that name, else the one deleted last that still reserves it. */
  byName(name: string): Namespace | null
  /** Whether the namespace has this name, or had it before it was deleted. */
  isNamed(namespace: Namespace, name: string): boolean
}
