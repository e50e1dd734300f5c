import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction, queryRows, run } from '../process/sql.js'
import type { FailPoints } from '../process/fail-points.js'
import type { SegmentFiles } from './segment-files.js'
import type { SnapshotPins } from './snapshot-pins.js'

interface GarbageRow {
  readonly what: 'file' | 'table'
  readonly name: string
}

/** What the sweeping of dead files and tables works with. */
export interface GarbageDeps {
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly pins: SnapshotPins
  readonly failPoints: FailPoints
}

/** Files and hot tables that nothing refers to any more, kept until no snapshot that may name them is running. */
export class Garbage {
  readonly #parts: GarbageDeps
  readonly #retiredAt = new Map<string, number>()
  #count = 0

  constructor(parts: GarbageDeps) {
    this.#parts = parts
  }

  get count(): number {
    return this.#count
  }

  /** Removes what is free to go. */
  async sweep(): Promise<void> {
    const { connection, pins } = this.#parts
    const rows = await queryRows<GarbageRow>(connection, "SELECT what, name FROM hot.main.garbage WHERE what <> 'writing'")
    this.#count = rows.length
    for (const row of rows) {
      // First seen after its commit, so that every snapshot that can name it has been opened.
      const retiredAt = this.#retiredAt.get(row.name) ?? pins.retire()
      this.#retiredAt.set(row.name, retiredAt)
      if (!pins.isFree(retiredAt)) continue
      if (!(await this.#remove(row))) continue
      this.#retiredAt.delete(row.name)
      this.#count--
    }
  }

  async #remove({ what, name }: GarbageRow): Promise<boolean> {
    const { connection, files, failPoints } = this.#parts
    if (what === 'file') {
      if (!(await files.remove(name))) return false
      failPoints.reach('garbage.unlinked')
      await run(connection, "DELETE FROM hot.main.garbage WHERE what = 'file' AND name = ?", [name])
      return true
    }
    await inTransaction(connection, async () => {
      await connection.run(`DROP TABLE hot.main.${name}`)
      await run(connection, 'DELETE FROM hot.main.garbage WHERE name = ?', [name])
    })
    return true
  }
}
