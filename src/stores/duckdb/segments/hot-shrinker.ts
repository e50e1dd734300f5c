import { stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { whenMissing } from '../../disk/when-missing.js'
import type { DuckDbLimits } from '../limits.js'
import { inTransaction, queryRows } from '../process/sql.js'
import type { FailPoints } from '../process/fail-points.js'
import type { HotDatabase } from '../write/hot-database.js'
import type { HotTables } from '../write/hot-tables.js'
import { TABLE_KINDS } from '../write/schema.js'
import type { WritePath } from '../write/write-path.js'
import type { Deletions } from './deletions.js'

/** Tables with more rows stay where they are. */
const MAX_MOVED_ROWS = 20_000
/** Of the hot file and its log, what rows that will soon be sealed may take: else the file is needed. */
const MAX_LIVE_SHARE = 0.25

/** What shrinking the hot file works with. */
export interface ShrinkDeps {
  readonly connection: DuckDBConnection
  readonly database: Pick<HotDatabase, 'hotFile' | 'walFile'>
  readonly tables: Pick<HotTables, 'current' | 'bytesOf' | 'addedBytes'>
  readonly deletions: Pick<Deletions, 'during'>
  readonly writes: Pick<WritePath, 'applier'>
  readonly limits: DuckDbLimits
  readonly failPoints: FailPoints
  readonly nowMs: () => number
}

/** Bytes of a file; none while it does not exist, as the log right after a checkpoint. */
export function bytesOfFile(file: string): Promise<number> {
  return stat(file).then(({ size }) => size, whenMissing(0))
}

/**
 * Gives back the room of the hot file and its log once a load is over. The engine cuts off free blocks at the end of the file
 * only, and there are the tables that were last written during the load: they are written once more, to the front.
 */
export class HotShrinker {
  readonly #parts: ShrinkDeps
  #looked: { readonly ms: number; readonly bytes: number }
  #isQuiet = false
  #leftBytes = 0

  constructor(parts: ShrinkDeps) {
    this.#parts = parts
    this.#looked = { ms: parts.nowMs(), bytes: 0 }
  }

  /** Rows have left the hot file: what was left of it before may be more than it needs. */
  noteSeal(): void {
    this.#leftBytes = 0
  }

  /** Whether little is appended, and the files are much larger than what they hold. */
  async isDue(): Promise<boolean> {
    if (!this.#looksQuiet()) return false
    const { tables, limits } = this.#parts
    const bytes = await this.#bytes()
    if (bytes < this.#leftBytes + limits.shrinkBytes) return false
    const live = TABLE_KINDS.reduce((sum, kind) => sum + tables.bytesOf(kind, tables.current(kind).rows), 0)
    return live <= bytes * MAX_LIVE_SHARE
  }

  /** `checkpoint` merges the log into the file, between two commits. */
  async run(checkpoint: () => Promise<void>): Promise<void> {
    const { writes, deletions, failPoints } = this.#parts
    // Blocks of dropped tables are free only behind a checkpoint.
    await checkpoint()
    await writes.applier.exclusive(() => deletions.during(() => this.#moveTables()))
    failPoints.reach('shrink.moved')
    await checkpoint()
    this.#leftBytes = await this.#bytes()
  }

  /** Counts what was appended, from one look to the next one after `sealIdleMs`. */
  #looksQuiet(): boolean {
    const { tables, limits, nowMs } = this.#parts
    const ms = nowMs()
    if (ms - this.#looked.ms < limits.sealIdleMs) return this.#isQuiet
    const bytes = tables.addedBytes
    this.#isQuiet = bytes - this.#looked.bytes < limits.quietBytes
    this.#looked = { ms, bytes }
    return this.#isQuiet
  }

  async #bytes(): Promise<number> {
    const { hotFile, walFile } = this.#parts.database
    return (await bytesOfFile(hotFile)) + (await bytesOfFile(walFile))
  }

  /** Writes the tables without records once more. Nothing else may change them meanwhile. */
  async #moveTables(): Promise<void> {
    const { connection, failPoints } = this.#parts
    const sql = `SELECT table_name AS name FROM duckdb_tables() WHERE database_name = 'hot'
      AND estimated_size BETWEEN 1 AND ${MAX_MOVED_ROWS}
      AND table_name NOT IN (SELECT name FROM hot.main.hot_tables) AND table_name NOT IN (SELECT name FROM hot.main.garbage)`
    const tables = await queryRows<{ name: string }>(connection, sql)
    await inTransaction(connection, async () => {
      for (const { name } of tables) {
        await connection.run(`CREATE OR REPLACE TEMP TABLE moved AS SELECT * FROM hot.main.${name}`)
        await connection.run(`DELETE FROM hot.main.${name}`)
        await connection.run(`INSERT INTO hot.main.${name} SELECT * FROM temp.main.moved`)
      }
      await connection.run('DROP TABLE IF EXISTS temp.main.moved')
      failPoints.reach('shrink.moving')
    })
  }
}
