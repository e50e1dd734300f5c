import type { NamespaceId } from '../../../domain/ids.js'
import type { IndexKind, SubstringSearch } from '../../../ports/index-catalog.js'
import type { Query } from './query.js'

/** Where the records of one kind of a namespace lie, and what every read of them must demand. */
export interface ReadTarget {
  /** Explicit names, no patterns; none when the namespace was never written. */
  readonly indices: readonly string[]
  /** Keeps other namespaces of a pool out, and records that a deletion has passed but not removed yet. */
  readonly mandatory: readonly Query[]
  /** The weakest among the indices. */
  readonly search: SubstringSearch
}

/** Finds targets; the manifest's reading side. Throws `store_unavailable` when the manifest cannot be read. */
export interface ReadTargets {
  of(ns: NamespaceId, kind: IndexKind): Promise<ReadTarget>
}
