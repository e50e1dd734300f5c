import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type { SetAside } from '../../disk/set-aside.js'
import type { FailPoints } from '../process/fail-points.js'
import { literal, queryRows } from '../process/sql.js'
import type { TableKind } from '../tables.js'
import type { SeriesRegistry } from '../write/series-registry.js'
import type { WritePath } from '../write/write-path.js'
import type { Deletions, PendingDrop } from './deletions.js'
import type { Garbage } from './garbage.js'
import type { KnownManifest } from './known-manifest.js'
import { readManifest, retireSegments } from './manifest.js'
import { rewriteSeries, scrubFreeBlocks } from './scrub.js'
import type { SeriesDictionary } from './series-dictionary.js'

/** What the removal of namespaces works with. */
export interface DropDeps {
  readonly connection: DuckDBConnection
  readonly writes: WritePath
  readonly series: SeriesRegistry
  readonly garbage: Garbage
  readonly dictionary: SeriesDictionary
  readonly deletions: Deletions
  readonly manifest: KnownManifest
  readonly setAside: SetAside
  readonly failPoints: FailPoints
  /** Before tables that appends go to are changed. */
  readonly releaseAppenders: () => void
}

/** Work of upkeep that the removal requires. */
export interface DropWork {
  /** Rewrites the hot tables of a kind without deleted rows. */
  readonly purge: (kind: TableKind) => Promise<void>
  /** Merges the write-ahead log into the hot file, between two commits. */
  readonly checkpoint: () => Promise<void>
}

/** Takes dropped namespaces out of the manifest, the tables, and the bytes of all files. A piece of upkeep. */
export class DroppedNamespaces {
  readonly #parts: DropDeps
  readonly #work: DropWork

  constructor(parts: DropDeps, work: DropWork) {
    this.#parts = parts
    this.#work = work
  }

  /** Takes all that is pending together, since scrubbing writes as much as the hot file has free. */
  async finish(): Promise<void> {
    const { deletions, garbage, setAside } = this.#parts
    const drops = deletions.pendingDrops()
    if (drops.length === 0) return
    for (const drop of drops) await this.#dropRows(drop)
    for (const { kind, ns } of drops) await setAside.removeNamed(`${kind}-${ns}-`)
    await garbage.sweep()
    // A read that began before may need the tables and files for a while: the next round tries again. Scrubbing meanwhile
    // would write as much as the hot file has free in each round and leave the bytes of those tables.
    if (garbage.count > 0) return
    if (await this.#scrub()) for (const drop of drops) await deletions.finish(drop)
  }

  /** Takes the bytes of dropped rows out of the hot file and the journal; false when a journal file is still needed. */
  async #scrub(): Promise<boolean> {
    const { connection, writes, failPoints, releaseAppenders } = this.#parts
    await writes.applier.afterAll(async () => {
      releaseAppenders()
      await rewriteSeries(connection)
    })
    failPoints.reach('scrub.series')
    await scrubFreeBlocks(connection, this.#work.checkpoint)
    failPoints.reach('scrub.filled')
    const isClean = await writes.retireJournal()
    failPoints.reach('scrub.done')
    return isClean
  }

  async #dropRows(drop: PendingDrop): Promise<void> {
    const { connection, dictionary, manifest, series, writes, failPoints } = this.#parts
    const { kind, ns } = drop
    await manifest.change(connection, async () => {
      const rows = await readManifest(connection, kind)
      await retireSegments(
        connection,
        rows.filter(row => row.ns === ns).map(({ file }) => file)
      )
    })
    if (kind === 'points')
      await writes.applier.exclusive(async () => {
        series.prune(ns)
        await connection.run(`DELETE FROM hot.main.series WHERE ns = ${literal(ns)}`)
      })
    if (kind === 'points') await dictionary.write()
    await this.#purgeHot(kind, ns)
    failPoints.reach('drop.committed')
  }

  /** Sealing leaves out the rows of dropped namespaces; tables without such rows are left alone. */
  async #purgeHot(kind: TableKind, ns: NamespaceId): Promise<void> {
    const { connection } = this.#parts
    const sql = 'SELECT name FROM hot.main.hot_tables WHERE kind = ?'
    for (const { name } of await queryRows<{ name: string }>(connection, sql, [kind])) {
      const found = await queryRows(connection, `SELECT 1 FROM hot.main.${name} WHERE ns = ? LIMIT 1`, [ns])
      if (found.length > 0) return this.#work.purge(kind)
    }
  }
}
