import type { DuckDBConnection } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { encodeFreeColumns, FreeColumns } from '../free-columns.js'
import { readFreeColumns } from '../segments/read-free-columns.js'

/** Bytes of the lists that are kept, as their segments contain them; in memory they take some five times as much. */
const MAX_BYTES = 4 * 1024 * 1024
/** What a list without members counts as. */
const LEAST_BYTES = 256

/** A segment's free columns. */
interface Known {
  readonly free: FreeColumns | null
  readonly bytes: number
}

/** The free columns of segments, read once: files never change, and names are never used twice. */
export class KnownFreeColumns {
  readonly #known = new LRUCache<string, Known>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes })

  /** The free columns of segments by path; null for those of earlier versions, and for files that cannot be read. */
  async of(connection: DuckDBConnection, paths: readonly string[]): Promise<ReadonlyMap<string, FreeColumns | null>> {
    const found = new Map<string, FreeColumns | null>()
    const unknown: string[] = []
    for (const path of paths) {
      const known = this.#known.get(path)
      if (known) found.set(path, known.free)
      else unknown.push(path)
    }
    // A file that cannot be read is found damaged by the statement that reads its rows.
    const read = await readFreeColumns(connection, unknown).catch(() => this.#oneByOne(connection, unknown))
    for (const [path, list] of read) {
      const free = list && new FreeColumns(list)
      const bytes = LEAST_BYTES + (list ? encodeFreeColumns(list).length : 0)
      this.#known.set(path, { free, bytes })
      found.set(path, free)
    }
    return found
  }

  async #oneByOne(connection: DuckDBConnection, paths: readonly string[]): ReturnType<typeof readFreeColumns> {
    const found: Awaited<ReturnType<typeof readFreeColumns>> = new Map()
    for (const path of paths) {
      // The statement that reads its rows reports what is wrong with it.
      const read = await readFreeColumns(connection, [path]).catch(() => null)
      if (read) found.set(path, read.get(path) ?? null)
    }
    return found
  }
}
