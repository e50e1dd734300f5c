import type { NamespaceId } from '../domain/ids.js'
import type { SubstringSearch } from '../domain/storage-plan.js'

/** What an index of a search store holds. */
export type IndexKind = 'logs' | 'rum' | 'errors' | 'spans'

export type { SubstringSearch } from '../domain/storage-plan.js'

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
  /** When the index was first made in the store; null when that is not known, so that one which is not there may be no loss. */
  readonly madeAtMs: number | null
  /** When an index that had been made was last found to be gone: what was stored until then is lost. Null when it never was. */
  readonly lostAtMs: number | null
}

/**
 * The manifest of a search store's indices: what is not in it is not ours. Writes resolve once they are crash-safe.
 * A row outlives its namespace: whoever deletes the index removes it, so that no index is forgotten before it is gone.
 */
export interface IndexCatalog {
  /** By owner, kind and number. */
  all(): Promise<readonly IndexGeneration[]>
  /** By number. */
  of(owner: IndexGeneration['owner'], kind: IndexKind): Promise<readonly IndexGeneration[]>
  /** Adds it unless the owner's kind has that number already; returns the stored one. `conflict` when another generation has its `index`. */
  add(generation: IndexGeneration): Promise<IndexGeneration>
  /** Records that the index was created; the first time is kept. */
  noteMade(index: string, atMs: number): Promise<void>
  /** Notes that an index which had been made is gone. */
  noteLost(index: string, atMs: number): Promise<void>
  remove(index: string): Promise<void>
}
