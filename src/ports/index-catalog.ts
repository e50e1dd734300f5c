import type { NamespaceId } from '../domain/ids.js'

/** What an index of a search store holds. */
export type IndexKind = 'logs' | 'rum' | 'errors' | 'spans'

/**
 * How substrings of messages are found: `exact` indexes positions (every answer exact), `approximate` a set of trigrams
 * (rows are verified, counts may be too high and say so), `off` refuses `contains` as `unsupported_by_store`.
 */
export type SubstringSearch = 'exact' | 'approximate' | 'off'

/** Who shares an index: one namespace alone, or all of a pool, kept apart by a mandatory filter. */
export type Placement = 'dedicated' | 'pooled'

/** How a namespace lies in a search store; fixed when its first index is made, except `search`, which holds from the next index on. */
export interface StoragePlan {
  readonly placement: Placement
  readonly search: SubstringSearch
}

/** One index of a search store. */
export interface IndexGeneration {
  /** The namespace, or the pool's name. */
  readonly owner: NamespaceId | `pool${number}`
  readonly kind: IndexKind
  /** 1, 2, ... per owner and kind. */
  readonly number: number
  /** Its name in the store. */
  readonly index: string
  /**
   * Ingest ids whose own time (ULID, Unix ms) is at or after this one belong here, until the next generation's: a retry
   * or replay of a batch therefore always meets the index of its first attempt, from any gateway, across any rollover.
   * The first generation's is 0.
   */
  readonly fromMs: number
  readonly search: SubstringSearch
  readonly createdAtMs: number
}

/** The manifest of a search store's indices: what is not in it is not ours. Writes resolve once they are crash-safe. */
export interface IndexCatalog {
  all(): Promise<readonly IndexGeneration[]>
  /** By number. */
  of(owner: IndexGeneration['owner'], kind: IndexKind): Promise<readonly IndexGeneration[]>
  /** Adds it unless the owner's kind has that number already; answers the one that stands. */
  add(generation: IndexGeneration): Promise<IndexGeneration>
  remove(index: string): Promise<void>
}

