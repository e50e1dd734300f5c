import { BIGINT, type DuckDBConnection, type DuckDBPreparedStatement, VARCHAR } from '@duckdb/node-api'
import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { DamagedSegments } from '../segments/damaged-segments.js'
import type { SnapshotPins } from '../segments/snapshot-pins.js'
import type { Segment, Snapshot, Snapshots } from '../snapshot.js'
import { isSampled, type TableKind } from '../tables.js'
import type { TableLayout } from '../table-layout.js'
import type { HotDatabase } from '../write/hot-database.js'
import { resultRows } from '../read/statement.js'
import { Slots } from '../../../threads/slots.js'
import { KnownFreeColumns } from './known-free-columns.js'
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

const VIEW = `
  SELECT 'table' AS what, name, 0::BIGINT AS rows, 0::BIGINT AS bytes, 0::BIGINT AS min_ns, 0::BIGINT AS max_ns
    FROM hot.main.hot_tables WHERE kind = $1
  UNION ALL SELECT 'segment', file, rows, bytes, min_ns, max_ns
    FROM hot.main.segments WHERE kind = $1 AND ns = $2 AND max_ns >= $3 AND min_ns < $4
  UNION ALL SELECT 'mark', '', 0, 0, before_ns, 0 FROM hot.main.marks WHERE kind = $1 AND ns = $2
  UNION ALL SELECT 'dropped', '', 0, 0, 0, 0 FROM hot.main.dropped WHERE kind = $1 AND ns = $2`

const VIEW_TYPES = [VARCHAR, VARCHAR, BIGINT, BIGINT]

/** A connection and, prepared on it, the statements that every read begins and ends with: planning them takes as long as running them. */
interface ReadConnection {
  readonly connection: DuckDBConnection
  readonly view: DuckDBPreparedStatement
  readonly transaction: TransactionStatements
}

interface ViewRow {
  readonly what: 'table' | 'segment' | 'mark' | 'dropped'
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

interface SnapshotRequest {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly range: TimeRange
  readonly signal: AbortSignal
}

/** Consistent views of hot tables and segments, each on a connection of its own. */
export class DuckDbSnapshots implements Snapshots {
  readonly #database: HotDatabase
  readonly #layout: TableLayout
  readonly #pins: SnapshotPins
  readonly #damaged: Pick<DamagedSegments, 'has' | 'isAmong'>
  readonly #applied: (kind: TableKind, ns: NamespaceId) => Promise<void>
  /** Apart from searches, which would wait long: PromQL may read millions of samples at a time. */
  readonly #heavySamples = new Slots<NamespaceId>(SAMPLE_SLOTS)
  readonly #heavySearches = new Slots<NamespaceId>(SEARCH_SLOTS)
  readonly #light = new Slots<NamespaceId>(LIGHT_SLOTS)
  readonly #freeColumns = new KnownFreeColumns()
  readonly #idle: ReadConnection[] = []

  /** @param applied resolves when everything acknowledged for a kind and namespace is in the hot tables. */
  constructor(
    { database, layout }: { readonly database: HotDatabase; readonly layout: TableLayout },
    pins: SnapshotPins,
    damaged: Pick<DamagedSegments, 'has' | 'isAmong'>,
    applied: (kind: TableKind, ns: NamespaceId) => Promise<void>
  ) {
    this.#database = database
    this.#layout = layout
    this.#pins = pins
    this.#damaged = damaged
    this.#applied = applied
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
    const unpin = this.#pins.enter()
    try {
      await this.#applied(kind, ns)
      signal.throwIfAborted()
      return await this.#withoutDamaged({ kind, ns, range, signal }, read)
    } finally {
      unpin()
      giveBack()
    }
  }

  /** A segment that does not read takes only its own rows from the result: the rest is requested once more. */
  async #withoutDamaged<T>({ kind, ns, range, signal }: SnapshotRequest, read: SnapshotArgs<T>[4]): Promise<T> {
    for (;;) {
      const tried: string[] = []
      try {
        return await this.#onConnection(signal, async ({ connection, view }) => {
          view.bind([kind, ns, range.startNs, range.endNs], VIEW_TYPES)
          const rows = resultRows(await view.run()) as unknown as readonly ViewRow[]
          tried.push(...rows.filter(({ what, name }) => what === 'segment' && !this.#damaged.has(name)).map(({ name }) => name))
          return read(this.#snapshotOf(connection, rows), visibleRange(range, rows))
        })
      } catch (error) {
        if (signal.aborted || !mayBeOfFile(error) || !(await this.#damaged.isAmong(tried))) throw error
      }
    }
  }

  #slotsOf(kind: TableKind, isHeavy: boolean): Slots<NamespaceId> {
    if (!isHeavy) return this.#light
    return isSampled(kind) ? this.#heavySamples : this.#heavySearches
  }

  #snapshotOf(connection: DuckDBConnection, rows: readonly ViewRow[]): Snapshot {
    const isDropped = rows.some(({ what }) => what === 'dropped')
    const isRead = ({ what, name }: ViewRow): boolean => what === 'segment' && !isDropped && !this.#damaged.has(name)
    const segments = rows.filter(isRead).map(row => this.#segmentOf(row))
    return {
      layout: this.#layout,
      connection,
      freeColumns: files => this.#freeColumns.of(connection, files),
      hotTables: rows.filter(({ what }) => what === 'table').map(({ name }) => `hot.main.${name}`),
      segments: segments.sort((a, b) => (a.maxNs < b.maxNs ? 1 : a.maxNs > b.maxNs ? -1 : 0))
    }
  }

  #segmentOf(row: ViewRow): Segment {
    const file = `${this.#database.segmentsDir}/${row.name}`
    return { file, rows: Number(row.rows), bytes: Number(row.bytes), minNs: row.min_ns, maxNs: row.max_ns }
  }

  async #connect(): Promise<ReadConnection> {
    const connection = await this.#database.connect()
    try {
      return { connection, view: await connection.prepare(VIEW), transaction: await TransactionStatements.prepare(connection) }
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
    const { connection, view, transaction } = own
    // A connection that cannot roll back is closed instead of used again.
    const isClean = await transaction.rollback().then(
      () => true,
      () => false
    )
    if (isClean && this.#idle.length < MAX_IDLE_CONNECTIONS) return void this.#idle.push(own)
    view.destroySync()
    transaction.destroy()
    connection.closeSync()
  }
}

/** Whether the content of a file may be behind an error, and not the query or the load. */
function mayBeOfFile(error: unknown): boolean {
  return error instanceof Error && !(error instanceof GatewayError) && !/^(Out of Memory|INTERRUPT)/.test(error.message)
}

function visibleRange(range: TimeRange, rows: readonly ViewRow[]): TimeRange {
  if (rows.some(({ what }) => what === 'dropped')) return { startNs: range.endNs, endNs: range.endNs }
  const mark = rows.find(({ what }) => what === 'mark')?.min_ns
  return mark !== undefined && mark > range.startNs ? { startNs: mark, endNs: range.endNs } : range
}
