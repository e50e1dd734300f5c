import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import type { Segment, Snapshot, Snapshots } from '../../src/stores/duckdb/snapshot.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { TABLES, type TableKind } from '../../src/stores/duckdb/tables.js'
import { appendRow, type StoredRow } from './reader-rows.js'

/** Where appended rows come to lie: all in hot tables, all in files, or append by append in one, the other or a third. */
export type Placement = 'hot' | 'sealed' | 'mixed'

const KINDS = Object.keys(TABLES) as TableKind[]
const GENERATIONS = [0, 1]

function hotTable(kind: TableKind, generation: number): string {
  return `hot_${kind}_${generation}`
}

function columnsOf(kind: TableKind): string {
  return Object.keys(TABLES[kind]).join(', ')
}

interface PlacedSegment extends Segment {
  readonly key: string
}

type SnapshotArgs<T> = [
  kind: TableKind,
  ns: NamespaceId,
  range: TimeRange,
  options: { readonly heavy: boolean; readonly signal: AbortSignal },
  read: (snapshot: Snapshot, range: TimeRange) => Promise<T>
]

/** Hot tables in memory and Parquet files in a temporary folder, written by tests: enough to read from. */
export class Tiers implements Snapshots {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #folder: string
  readonly #placement: Placement
  #segments: PlacedSegment[] = []
  #appends = 0
  #isOpen = true

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string, placement: Placement) {
    this.#instance = instance
    this.#connection = connection
    this.#folder = folder
    this.#placement = placement
  }

  static async open(placement: Placement): Promise<Tiers> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
    const connection = await instance.connect()
    for (const kind of KINDS) {
      const columns = Object.entries(TABLES[kind]).map(([name, type]) => `${name} ${type}`)
      for (const generation of GENERATIONS) {
        await connection.run(`CREATE TABLE ${hotTable(kind, generation)} (ns VARCHAR, ${columns.join(', ')})`)
      }
    }
    return new Tiers(instance, connection, await mkdtemp(join(tmpdir(), 'alidade-tiers-')), placement)
  }

  async append(kind: TableKind, ns: NamespaceId, rows: readonly StoredRow[]): Promise<void> {
    const turn = this.#appends++ % 3
    const table = hotTable(kind, this.#placement === 'mixed' ? turn % 2 : 0)
    const appender = await this.#connection.createAppender(table)
    for (const row of rows) appendRow(appender, kind, ns, row)
    appender.closeSync()
    if (this.#placement === 'sealed' || (this.#placement === 'mixed' && turn === 0)) await this.#seal(kind, ns, table)
  }

  async #seal(kind: TableKind, ns: NamespaceId, table: string): Promise<void> {
    const columns = columnsOf(kind)
    const where = `ns = '${ns}'`
    const [bounds] = await this.#rows(`SELECT count(*)::INTEGER, min(ts), max(ts) FROM ${table} WHERE ${where}`)
    const [rows, minNs, maxNs] = bounds as [number, bigint, bigint]
    if (rows === 0) return
    const file = join(this.#folder, `${kind}-${this.#appends}.parquet`)
    const order = kind === 'points' ? 'series, ts' : 'ts DESC'
    await this.#connection.run(
      `COPY (SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${order}) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`
    )
    await this.#connection.run(`DELETE FROM ${table} WHERE ${where}`)
    this.#segments.push({ key: `${kind} ${ns}`, file, rows, bytes: rows, minNs, maxNs })
  }

  async withSnapshot<T>(...[kind, ns, range, { signal }, read]: SnapshotArgs<T>): Promise<T> {
    const connection = await this.#instance.connect()
    const interrupt = () => connection.interrupt()
    signal.addEventListener('abort', interrupt)
    try {
      return await read({ layout: LAYOUT, connection, ...this.#view(kind, ns, range) }, range)
    } finally {
      signal.removeEventListener('abort', interrupt)
      connection.closeSync()
    }
  }

  #view(kind: TableKind, ns: NamespaceId, range: TimeRange): Pick<Snapshot, 'segments' | 'hotTables'> {
    const segments = this.#segments
      .filter(({ key, minNs, maxNs }) => key === `${kind} ${ns}` && maxNs >= range.startNs && minNs < range.endNs)
      .sort((a, b) => (a.maxNs > b.maxNs ? -1 : a.maxNs < b.maxNs ? 1 : 0))
    return { segments, hotTables: GENERATIONS.map(generation => hotTable(kind, generation)) }
  }

  /** Removes rows before `timeNs`; null removes all. */
  async delete(kind: TableKind, ns: NamespaceId, timeNs: bigint | null): Promise<void> {
    const isKept = timeNs === null ? 'FALSE' : `ts >= ${timeNs}`
    const mine = this.#segments.filter(({ key }) => key === `${kind} ${ns}`)
    this.#segments = this.#segments.filter(({ key }) => key !== `${kind} ${ns}`)
    const [target] = GENERATIONS.map(generation => hotTable(kind, generation))
    for (const { file } of mine) {
      await this.#connection.run(`INSERT INTO ${target} SELECT '${ns}', * FROM read_parquet('${file}') WHERE ${isKept}`)
    }
    for (const generation of GENERATIONS) {
      await this.#connection.run(`DELETE FROM ${hotTable(kind, generation)} WHERE ns = '${ns}' AND NOT (${isKept})`)
    }
  }

  async #rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#connection.run(sql)).getRows()
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#connection.closeSync()
    this.#instance.closeSync()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
