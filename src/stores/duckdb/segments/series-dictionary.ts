import { access, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { syncFile, syncFolder } from '../../disk/durable-files.js'
import type { SetAside } from '../../disk/set-aside.js'
import { literal, queryRows } from '../process/sql.js'
import { SERIES_FILE } from '../write/last-epoch.js'
import { whenMissing } from '../../disk/when-missing.js'

const COLUMNS = 'ns, id, name, type, labels, first_ns, last_ns'

interface Signature {
  readonly count: bigint
  readonly last: bigint | null
}

/**
 * The names and labels of all series, in a file next to the hot file: points are in segments under the numbers of their series
 * alone, and without this file the loss of the hot file would leave numbers without meaning. Written before the segments
 * that need it.
 */
export class SeriesDictionary {
  readonly #connection: DuckDBConnection
  readonly #dataDir: string
  #written: Signature | null = null

  constructor(connection: DuckDBConnection, dataDir: string) {
    this.#connection = connection
    this.#dataDir = dataDir
  }

  /** Whether this start has looked after the file. */
  get isWritten(): boolean {
    return this.#written !== null
  }

  /** Rewrites the file when the series are others than it has. Numbers are never used twice, so count and last one suffice. */
  async write(): Promise<void> {
    const [now] = await queryRows<Signature>(this.#connection, 'SELECT count(*) AS count, max(id) AS last FROM hot.main.series')
    const { count, last } = now!
    if (this.#written?.count === count && this.#written.last === last) return
    this.#written = { count, last }
    if (count === 0n && !(await this.exists())) return
    await this.#replace().catch((error: unknown) => {
      this.#written = null
      throw error
    })
  }

  async #replace(): Promise<void> {
    const fresh = `${this.#file}.new`
    await rm(fresh, { force: true })
    await this.#connection.run(
      `COPY (SELECT ${COLUMNS} FROM hot.main.series ORDER BY ns, id) TO ${literal(fresh)} (FORMAT parquet, COMPRESSION zstd)`
    )
    await syncFile(fresh)
    await rename(fresh, this.#file)
    await syncFolder(this.#dataDir)
  }

  /** Whether there is one to restore from. */
  exists(): Promise<boolean> {
    return access(this.#file).then(() => true, whenMissing(false))
  }

  /** Whether it has later series than the table: the hot file is an older one. */
  async isAhead(): Promise<boolean> {
    const sql = `SELECT (SELECT max(id) FROM read_parquet(${literal(this.#file)})) > (SELECT coalesce(max(id), 0) FROM hot.main.series) AS later`
    const rows = await queryRows<{ later: boolean | null }>(this.#connection, sql)
    return rows[0]!.later === true
  }

  /** Takes what the table of series lacks out of the file; returns how many. */
  async restore(): Promise<number> {
    const before = await this.#count()
    await this.#connection.run(
      `INSERT INTO hot.main.series SELECT ${COLUMNS} FROM read_parquet(${literal(this.#file)}) AS kept
        WHERE id NOT IN (SELECT id FROM hot.main.series)
          AND (ns, name, labels) NOT IN (SELECT (ns, name, labels) FROM hot.main.series)
          AND ns NOT IN (SELECT ns FROM hot.main.dropped WHERE kind = 'points')`
    )
    return (await this.#count()) - before
  }

  /** Lets the times of series reach as far as the points in these files. */
  async widen(files: readonly string[]): Promise<void> {
    if (files.length === 0) return
    await this.#connection.run(
      `UPDATE hot.main.series SET first_ns = least(first_ns, seen.low), last_ns = greatest(last_ns, seen.high)
         FROM (SELECT series, min(ts) AS low, max(ts) AS high
                 FROM read_parquet([${files.map(literal).join(', ')}]) GROUP BY series) seen
        WHERE series.id = seen.series`
    )
  }

  /** Moves a file that cannot be read out of the way. */
  setAside(setAside: SetAside): Promise<string> {
    return setAside.move(this.#file)
  }

  get #file(): string {
    return path.join(this.#dataDir, SERIES_FILE)
  }

  async #count(): Promise<number> {
    const [row] = await queryRows<{ count: bigint }>(this.#connection, 'SELECT count(*) AS count FROM hot.main.series')
    return Number(row!.count)
  }
}
