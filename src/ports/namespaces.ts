import type { NamespaceId } from '../domain/ids.js'
import type { Namespace, NamespaceState, Retention } from '../domain/namespace.js'
import type { SubstringSearch } from '../domain/storage-plan.js'

/** A namespace, with the reservation of its name once it is deleted. */
export interface NamespaceRecord extends Namespace {
  /** Unix milliseconds until which the name is reserved; null while the namespace is not deleted. */
  readonly nameHeldUntilMs: number | null
}

/** All namespaces, deleted ones included. Writes resolve once they are crash-safe. */
export interface Namespaces {
  /**
   * `name_taken` when an undeleted namespace has the name. `name_reserved` while a deleted one reserves it at
   * `createdAtMs`, by its name or by the `tombstone` that replaces the name.
   */
  insert(namespace: Namespace, tombstone?: string): Promise<void>
  byId(id: NamespaceId): Promise<NamespaceRecord | null>
  all(): Promise<readonly NamespaceRecord[]>
  /** `deleted` reserves the name for `NAME_HELD_MS` and deletes the namespace's series and decisions about errors. */
  setState(id: NamespaceId, state: NamespaceState, atMs: number): Promise<void>
  /**
   * Replaces a deleted namespace's name by `tombstone` and empties the details of its audit entries, the names and
   * origins of keys without another namespace, and the responses kept for repeats.
   */
  forgetNames(id: NamespaceId, tombstone: string): Promise<void>
  /** Extends the reservation of a deleted namespace's name; never shortens it. */
  reserveName(id: NamespaceId, untilMs: number): Promise<void>
  setRetention(id: NamespaceId, retention: Retention): Promise<void>
  setSearch(id: NamespaceId, search: SubstringSearch): Promise<void>
  /** Replaces the rules for records, as they are to be kept; null removes them. */
  setLogRules(id: NamespaceId, rules: string | null): Promise<void>
}
