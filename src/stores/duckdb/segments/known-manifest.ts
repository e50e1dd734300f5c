import type { DuckDBConnection } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import type { NamespaceId } from '../../../domain/ids.js'
import { inTransaction } from '../process/sql.js'
import type { Segment } from '../snapshot.js'
import type { TableKind } from '../tables.js'

/** Segments and namespaces that are kept: some 300 bytes each. */
const MAX_ENTRIES = 50_000

/** A segment with its path below the folder of segments. */
export interface ListedSegment extends Segment {
  readonly name: string
}

/** What has rows of one kind and namespace. */
export interface Listed {
  /** The hot table that takes appends; it may have none. */
  readonly current: string
  /** The other hot tables with rows of the namespace: they take none any more. */
  readonly waiting: readonly string[]
  /** Newest last row first. */
  readonly segments: readonly ListedSegment[]
}

/**
 * What the manifest lists, in memory: reading it took a fifth of the CPU of a short search. Each change to the tables
 * `hot_tables` and `segments` of the running engine goes through `change`.
 */
export class KnownManifest {
  readonly #known = new LRUCache<string, Listed>({
    maxSize: MAX_ENTRIES,
    sizeCalculation: ({ segments }) => 1 + segments.length
  })
  #changes = 0

  /**
   * Runs `work` in one transaction, after which everything is read again. What was retired must be looked for in `SnapshotPins`
   * afterwards: every read that names it has a pin.
   */
  async change<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
    try {
      return await inTransaction(connection, work)
    } finally {
      // Also when it failed: a failure does not prove that nothing was committed.
      this.#changes++
      this.#known.clear()
    }
  }

  /** What is listed of a kind and namespace; `read` reads it where it is not known. */
  async of(kind: TableKind, ns: NamespaceId, read: () => Promise<Listed>): Promise<Listed> {
    const key = `${kind} ${ns}`
    const known = this.#known.get(key)
    if (known) return known
    const changes = this.#changes
    const listed = await read()
    // What was read may be older than a change that was committed meanwhile: it is for this reader alone.
    if (changes === this.#changes) this.#known.set(key, listed)
    return listed
  }
}
