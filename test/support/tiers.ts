import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../src/domain/ids.js'
import { ALL_TIME, type TimeRange } from '../../src/domain/time-range.js'
import type { FreeColumnList } from '../../src/stores/duckdb/free-columns.js'
import type { SegmentRows } from '../../src/stores/duckdb/segments/free-copy.js'
import type { Segment, Snapshot, Snapshots } from '../../src/stores/duckdb/snapshot.js'
import { FailPoints } from '../../src/stores/duckdb/process/fail-points.js'
import { KnownFreeColumns } from '../../src/stores/duckdb/process/known-free-columns.js'
import { readWholeStrings } from '../../src/stores/duckdb/process/whole-strings.js'
import { rowsOfSegments } from '../../src/stores/duckdb/segments/rows-of-segments.js'
import { SegmentFiles } from '../../src/stores/duckdb/segments/segment-files.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { TABLES, type TableKind } from '../../src/stores/duckdb/tables.js'
import { UniqueNumbers } from '../../src/stores/duckdb/write/unique-numbers.js'
import { segmentOrder } from '../../src/stores/duckdb/write/schema.js'
import { appendRow, type StoredRow } from './reader-rows.js'

/** Where appended rows are stored: all in hot tables, all in files, or append by append in one, the other or a third. */
export type Placement = 'hot' | 'sealed' | 'mixed'

/** What a test of reading may set. */
export interface TierOptions {
  /** More segments of a namespace are merged into one, as the service does; none are when absent. */
  readonly maxSegments?: number
}

const KINDS = Object.keys(TABLES) as TableKind[]
const GENERATIONS = [0, 1]

function hotTable(kind: TableKind, generation: number): string {
  return `hot_${kind}_${generation}`
}

function columnsOf(kind: TableKind): string {
  return Object.keys(TABLES[kind]).join(', ')
}

interface OpenedDatabase {
  readonly instance: DuckDBInstance
  readonly connection: DuckDBConnection
  readonly folder: string
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
  readonly #maxSegments: number
  readonly #files: SegmentFiles
  readonly #free = new KnownFreeColumns()
  /** What could not be written of free columns. */
  readonly failures: unknown[] = []
  /** False: all is read as if no segment had free columns. */
  readsFreeColumns = true
  #segments: PlacedSegment[] = []
  #appends = 0
  #written = 0
  #isOpen = true
  /** Memory that a merge may sort in. */
  maxSortBytes = Infinity

  private constructor(
    { instance, connection, folder }: OpenedDatabase,
    placement: Placement,
    { maxSegments = Infinity }: TierOptions
  ) {
    this.#instance = instance
    this.#connection = connection
    this.#folder = folder
    this.#placement = placement
    this.#maxSegments = maxSegments
    this.#files = new SegmentFiles(folder, new UniqueNumbers(1n), {
      gramIndexRows: Infinity,
      format: LAYOUT.format,
      freeColumns: { report: error => void (error && this.failures.push(error)), failPoints: new FailPoints(null) },
      inRoom: (_, work) => work()
    })
  }

  static async open(placement: Placement, options: TierOptions = {}): Promise<Tiers> {
    readWholeStrings()
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
    const connection = await instance.connect()
    for (const kind of KINDS) {
      const columns = Object.entries(TABLES[kind]).map(([name, type]) => `${name} ${type}`)
      for (const generation of GENERATIONS) {
        await connection.run(`CREATE TABLE ${hotTable(kind, generation)} (ns VARCHAR, ${columns.join(', ')})`)
      }
    }
    const folder = await mkdtemp(join(tmpdir(), 'alidade-tiers-'))
    return new Tiers({ instance, connection, folder }, placement, options)
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
    const where = `ns = '${ns}'`
    const [bounds] = await this.#rows(`SELECT count(*)::INTEGER, min(ts), max(ts) FROM ${table} WHERE ${where}`)
    const [rows, minNs, maxNs] = bounds as [number, bigint, bigint]
    if (rows === 0) return
    const parts = [{ sql: `SELECT * FROM ${table} WHERE ${where}`, free: null }]
    const file = await this.#write(kind, ns, { parts, rows, columns: LAYOUT.names(kind), order: segmentOrder(kind) })
    await this.#connection.run(`DELETE FROM ${table} WHERE ${where}`)
    const key = `${kind} ${ns}`
    this.#segments.push({ key, file, rows, bytes: rows, minNs, maxNs })
    const segments = this.#segments.filter(segment => segment.key === key)
    if (segments.length > this.#maxSegments) await this.merge(kind, ns)
  }

  async #write(kind: TableKind, ns: NamespaceId, rows: SegmentRows): Promise<string> {
    // Segments of no day have no index of traces.
    const name = { kind, ns, day: -1 }
    const target = { file: `${kind}-${this.#written++}.parquet`, name, replaces: [] }
    const { file } = await this.#files.write(this.#connection, rows, target)
    return this.#files.pathOf(file)
  }

  /** Makes one segment of all that a namespace has. */
  async merge(kind: TableKind, ns: NamespaceId): Promise<void> {
    const merged = this.#segments.filter(({ key }) => key === `${kind} ${ns}`)
    const segments = merged.map(({ file, rows, minNs: low, maxNs: high }) => ({ path: file, rows, minNs: low, maxNs: high }))
    const markNs = -(2n ** 63n)
    const rows = await rowsOfSegments(this.#connection, LAYOUT, { kind, segments, markNs, maxSortBytes: this.maxSortBytes })
    const file = await this.#write(kind, ns, rows)
    const [minNs, maxNs] = [merged.map(({ minNs: ns }) => ns), merged.map(({ maxNs: ns }) => ns)]
    this.#segments = this.#segments.filter(({ key }) => key !== `${kind} ${ns}`)
    this.#segments.push({
      ...{ key: `${kind} ${ns}`, file, rows: rows.rows, bytes: rows.rows },
      minNs: minNs.reduce((a, b) => (a < b ? a : b)),
      maxNs: maxNs.reduce((a, b) => (a > b ? a : b))
    })
  }

  /** The segments of a namespace, latest first. */
  segmentsOf(kind: TableKind, ns: NamespaceId): readonly Segment[] {
    return this.#view(kind, ns, ALL_TIME).segments
  }

  /** What the segments of a namespace report about their free columns. */
  async freeColumns(kind: TableKind, ns: NamespaceId): Promise<readonly (FreeColumnList | null)[]> {
    const paths = this.#segments.filter(({ key }) => key === `${kind} ${ns}`).map(({ file }) => file)
    return [...(await this.#free.of(this.#connection, paths)).values()].map(free => free?.list ?? null)
  }

  async withSnapshot<T>(...[kind, ns, range, { signal }, read]: SnapshotArgs<T>): Promise<T> {
    const connection = await this.#instance.connect()
    const interrupt = () => connection.interrupt()
    signal.addEventListener('abort', interrupt)
    try {
      const freeColumns: Snapshot['freeColumns'] = async files =>
        this.readsFreeColumns ? this.#free.of(connection, files) : new Map()
      return await read({ layout: LAYOUT, connection, freeColumns, ...this.#view(kind, ns, range) }, range)
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
      await this.#connection.run(
        `INSERT INTO ${target} SELECT '${ns}', ${columnsOf(kind)} FROM read_parquet('${file}') WHERE ${isKept}`
      )
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
