import { type DuckDBConnection, type DuckDBPreparedStatement, VARCHAR } from '@duckdb/node-api'
import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { DamagedSegments } from '../segments/damaged-segments.js'
import type { Deletions } from '../segments/deletions.js'
import type { KnownManifest, Listed, ListedSegment } from '../segments/known-manifest.js'
import type { SnapshotPins } from '../segments/snapshot-pins.js'
import type { Snapshot, Snapshots } from '../snapshot.js'
import { isSampled, type TableKind } from '../tables.js'
import type { TableLayout } from '../table-layout.js'
import type { HotDatabase } from '../write/hot-database.js'
import type { HotTables } from '../write/hot-tables.js'
import { resultRows } from '../read/statement.js'
import { Slots } from '../../../threads/slots.js'
import { KnownFreeColumns } from './known-free-columns.js'
import { queryRows } from './sql.js'
import { TransactionStatements } from './transaction-statements.js'

// Every running statement holds a thread of the pool (`UV_THREADPOOL_SIZE`), and commits and seals need theirs. A namespace
// leaves a slot of each heavy kind to others.
/** Few: each of these reads uses all threads of the engine. */
const SAMPLE_SLOTS = { size: 2, mostOfOne: 1 }
const SEARCH_SLOTS = { size: 3, mostOfOne: 2 }
const LIGHT_SLOTS = { size: 6, mostOfOne: 4 }
const MAX_IDLE_CONNECTIONS = 8
/** An interrupt hits only the statement that is running; the next one of the read is stopped by the next interrupt. */
const INTERRUPT_EVERY_MS = 20

const MANIFEST = `
  SELECT state, name, 0::BIGINT AS rows, 0::BIGINT AS bytes, 0::BIGINT AS min_ns, 0::BIGINT AS max_ns
    FROM hot.main.hot_tables WHERE kind = $1
  UNION ALL SELECT 'sealed', file, rows, bytes, min_ns, max_ns FROM hot.main.segments WHERE kind = $1 AND ns = $2`

/** A connection and, prepared on it, the statements that every read begins and ends with: planning them takes as long as running them. */
interface ReadConnection {
  readonly connection: DuckDBConnection
  readonly manifest: DuckDBPreparedStatement
  readonly transaction: TransactionStatements
}

interface ManifestRow {
  readonly state: 'current' | 'waiting' | 'sealed'
  readonly name: string
  readonly rows: bigint
  readonly bytes: bigint
  readonly min_ns: bigint
  readonly max_ns: bigint
}

type SnapshotArgs<T> = [
  kind: TableKind,
  ns: NamespaceId,
  range: TimeRange,
  options: { readonly heavy: boolean; readonly signal: AbortSignal },
  read: (snapshot: Snapshot, range: TimeRange) => Promise<T>
]

/** What is looked at. */
interface ViewRequest {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly range: TimeRange
}

interface SnapshotRequest extends ViewRequest {
  readonly signal: AbortSignal
}

/** What snapshots are made of. */
export interface SnapshotDeps {
  readonly database: HotDatabase
  readonly layout: TableLayout
  readonly tables: Pick<HotTables, 'mayHave'>
  readonly manifest: KnownManifest
  readonly deletions: Pick<Deletions, 'isDropped' | 'markOf'>
  readonly pins: SnapshotPins
  readonly damaged: Pick<DamagedSegments, 'has' | 'isAmong'>
  /** Resolves when everything acknowledged for a kind and namespace is in the hot tables. */
  readonly applied: (kind: TableKind, ns: NamespaceId) => Promise<void>
}

/** Consistent views of hot tables and segments, each on a connection of its own. */
export class DuckDbSnapshots implements Snapshots {
  readonly #deps: SnapshotDeps
  /** Apart from searches, which would wait long: PromQL may read millions of samples at a time. */
  readonly #heavySamples = new Slots<NamespaceId>(SAMPLE_SLOTS)
  readonly #heavySearches = new Slots<NamespaceId>(SEARCH_SLOTS)
  readonly #light = new Slots<NamespaceId>(LIGHT_SLOTS)
  readonly #freeColumns = new KnownFreeColumns()
  readonly #idle: ReadConnection[] = []

  constructor(deps: SnapshotDeps) {
    this.#deps = deps
  }

  get gauges(): Readonly<Record<string, number>> {
    const all = [this.#heavySamples, this.#heavySearches, this.#light]
    return {
      queries_heavy: this.#heavySamples.taken + this.#heavySearches.taken,
      queries_light: this.#light.taken,
      queries_waiting: all.reduce((sum, { waiting }) => sum + waiting, 0)
    }
  }

  async withSnapshot<T>(...[kind, ns, range, { heavy, signal }, read]: SnapshotArgs<T>): Promise<T> {
    const giveBack = await this.#slotsOf(kind, heavy).take(ns, signal)
    const unpin = this.#deps.pins.enter()
    try {
      await this.#deps.applied(kind, ns)
      signal.throwIfAborted()
      return await this.#withoutDamaged({ kind, ns, range, signal }, read)
    } finally {
      unpin()
      giveBack()
    }
  }

  /** A segment that does not read takes only its own rows from the result: the rest is requested once more. */
  async #withoutDamaged<T>({ signal, ...request }: SnapshotRequest, read: SnapshotArgs<T>[4]): Promise<T> {
    for (;;) {
      let tried: readonly string[] = []
      try {
        return await this.#onConnection(signal, async own => {
          const range = this.#visibleRange(request)
          const listed = await this.#listed(own, request)
          const segments = this.#segmentsIn(listed, range)
          tried = segments.map(({ name }) => name)
          return read(this.#snapshotOf(own.connection, request, { ...listed, segments }), range)
        })
      } catch (error) {
        if (signal.aborted || !mayBeOfFile(error) || !(await this.#deps.damaged.isAmong(tried))) throw error
      }
    }
  }

  #slotsOf(kind: TableKind, isHeavy: boolean): Slots<NamespaceId> {
    if (!isHeavy) return this.#light
    return isSampled(kind) ? this.#heavySamples : this.#heavySearches
  }

  /** To be called before the manifest is read: a mark is lifted once nothing that is listed has rows before it. */
  #visibleRange({ kind, ns, range }: ViewRequest): TimeRange {
    const { deletions } = this.#deps
    if (deletions.isDropped(kind, ns)) return { startNs: range.endNs, endNs: range.endNs }
    const markNs = deletions.markOf(kind, ns)
    return markNs !== undefined && markNs > range.startNs ? { startNs: markNs, endNs: range.endNs } : range
  }

  #listed({ connection, manifest }: ReadConnection, { kind, ns }: ViewRequest): Promise<Listed> {
    return this.#deps.manifest.of(kind, ns, async () => {
      manifest.bind([kind, ns], [VARCHAR, VARCHAR])
      const rows = resultRows(await manifest.run()) as unknown as readonly ManifestRow[]
      const namesOf = (state: ManifestRow['state']) => rows.filter(row => row.state === state).map(({ name }) => name)
      const waiting: string[] = []
      for (const table of namesOf('waiting')) if (await hasRows(connection, table, ns)) waiting.push(table)
      const segments = rows.filter(({ state }) => state === 'sealed').map(row => this.#segmentOf(row))
      return {
        current: namesOf('current')[0]!,
        waiting,
        segments: segments.sort((a, b) => (a.maxNs < b.maxNs ? 1 : a.maxNs > b.maxNs ? -1 : 0))
      }
    })
  }

  #segmentsIn({ segments }: Listed, { startNs, endNs }: TimeRange): readonly ListedSegment[] {
    const { damaged } = this.#deps
    if (startNs >= endNs) return []
    return segments.filter(({ name, minNs, maxNs }) => maxNs >= startNs && minNs < endNs && !damaged.has(name))
  }

  #snapshotOf(connection: DuckDBConnection, { kind, ns }: ViewRequest, { current, waiting, segments }: Listed): Snapshot {
    const tables = this.#deps.tables.mayHave(kind, current, ns) ? [current, ...waiting] : waiting
    return {
      layout: this.#deps.layout,
      connection,
      freeColumns: files => this.#freeColumns.of(connection, files),
      hotTables: tables.map(name => `hot.main.${name}`),
      segments
    }
  }

  #segmentOf({ name, rows, bytes, min_ns: minNs, max_ns: maxNs }: ManifestRow): ListedSegment {
    const file = `${this.#deps.database.segmentsDir}/${name}`
    return { name, file, rows: Number(rows), bytes: Number(bytes), minNs, maxNs }
  }

  async #connect(): Promise<ReadConnection> {
    const connection = await this.#deps.database.connect()
    try {
      return {
        connection,
        manifest: await connection.prepare(MANIFEST),
        transaction: await TransactionStatements.prepare(connection)
      }
    } catch (error) {
      connection.closeSync()
      throw error
    }
  }

  async #onConnection<T>(signal: AbortSignal, work: (own: ReadConnection) => Promise<T>): Promise<T> {
    const own = this.#idle.pop() ?? (await this.#connect())
    const { connection, transaction } = own
    let timer: NodeJS.Timeout | undefined
    const interrupt = (): void => {
      connection.interrupt()
      timer ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
    }
    signal.addEventListener('abort', interrupt, { once: true })
    try {
      await transaction.begin()
      return await work(own)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', interrupt)
      clearInterval(timer)
      await this.#recycle(own)
    }
  }

  async #recycle(own: ReadConnection): Promise<void> {
    const { connection, manifest, transaction } = own
    // A connection that cannot roll back is closed instead of used again.
    const isClean = await transaction.rollback().then(
      () => true,
      () => false
    )
    if (isClean && this.#idle.length < MAX_IDLE_CONNECTIONS) return void this.#idle.push(own)
    manifest.destroySync()
    transaction.destroy()
    connection.closeSync()
  }
}

/** Whether the content of a file may be behind an error, and not the query or the load. */
function mayBeOfFile(error: unknown): boolean {
  return error instanceof Error && !(error instanceof GatewayError) && !/^(Out of Memory|INTERRUPT)/.test(error.message)
}

/** Whether a table that takes no more appends has rows of a namespace. */
async function hasRows(connection: DuckDBConnection, table: string, ns: NamespaceId): Promise<boolean> {
  return (await queryRows(connection, `SELECT 1 FROM hot.main.${table} WHERE ns = ? LIMIT 1`, [ns])).length > 0
}
