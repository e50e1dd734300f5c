import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../../../domain/errors.js'
import { isNamespaceId, type NamespaceId } from '../../../domain/ids.js'
import type { AppendResult } from '../../../ports/append.js'
import type { NamespaceSize } from '../../../ports/stores.js'
import type { DuckDbLimits } from '../limits.js'
import { backUp } from '../segments/backup.js'
import { Deletions } from '../segments/deletions.js'
import { Garbage } from '../segments/garbage.js'
import { readManifest } from '../segments/manifest.js'
import { Merger } from '../segments/merger.js'
import { Sealer } from '../segments/sealer.js'
import { SegmentFiles } from '../segments/segment-files.js'
import { SnapshotPins } from '../segments/snapshot-pins.js'
import { Upkeep } from '../segments/upkeep.js'
import type { TableKind } from '../tables.js'
import type { AppendRequest, EngineHealth } from '../wire/calls.js'
import { toWireError } from '../wire/errors.js'
import { AppendTransaction } from '../write/append-transaction.js'
import { type HotDatabase, openHotDatabase } from '../write/hot-database.js'
import { HotTables } from '../write/hot-tables.js'
import { SetAside } from '../../set-aside.js'
import { KnownBatches } from '../write/known-batches.js'
import { TABLE_KINDS } from '../write/schema.js'
import { SeriesRegistry } from '../write/series-registry.js'
import { UniqueNumbers } from '../write/unique-numbers.js'
import { WritePath } from '../write/write-path.js'
import { DuckDbSnapshots } from './duckdb-snapshots.js'
import { FailPoints } from './fail-points.js'
import { hotSizes, recordsByKind } from './sizes.js'

/** What the engine is opened with. */
export interface EngineOptions {
  readonly dataDir: string
  readonly limits: DuckDbLimits
  readonly lockWaitMs: number
  readonly failPoint: string | null
  readonly nowMs: () => number
  /** Upkeep failed; it is tried again. */
  readonly onTrouble: (message: string, error: unknown) => void
}

type Connection = Awaited<ReturnType<HotDatabase['connect']>>

/** The whole embedded engine within the store process. */
export class Engine {
  readonly #database: HotDatabase
  readonly #options: EngineOptions
  readonly #upkeepConnection: Connection
  readonly #tables: HotTables
  readonly #transaction: AppendTransaction
  readonly #writes: WritePath
  readonly #setAside: SetAside
  readonly #deletions: Deletions
  readonly #garbage: Garbage
  readonly #files: SegmentFiles
  readonly #failPoints: FailPoints
  readonly #pins = new SnapshotPins()
  readonly #upkeep: Upkeep
  readonly snapshots: DuckDbSnapshots
  readonly series: SeriesRegistry
  #timer: NodeJS.Timeout | undefined
  #trouble = ''
  #isApplyFailing = false
  #repairs: readonly string[]

  constructor(
    database: HotDatabase,
    options: EngineOptions,
    parts: {
      readonly writer: Connection
      readonly upkeep: Connection
      readonly deletionsConnection: Connection
      readonly batches: KnownBatches
      readonly setAside: SetAside
    }
  ) {
    const { limits, nowMs } = options
    this.#database = database
    this.#options = options
    const numbers = new UniqueNumbers(database.epoch)
    const failPoints = new FailPoints(options.failPoint)
    const connection = parts.upkeep
    this.#upkeepConnection = connection
    this.series = new SeriesRegistry(numbers, limits.maxSeries)
    this.#tables = new HotTables(parts.writer, numbers)
    this.#transaction = new AppendTransaction({
      connection: parts.writer,
      tables: this.#tables,
      batches: parts.batches,
      series: this.series,
      numbers
    })
    this.#deletions = new Deletions(parts.deletionsConnection)
    this.#setAside = parts.setAside
    this.#repairs = database.repairs
    this.#writes = this.#createWritePath(parts.batches, failPoints)
    this.#files = new SegmentFiles(database.segmentsDir, numbers)
    this.#garbage = new Garbage({ connection, files: this.#files, pins: this.#pins, failPoints })
    const shared = { connection, files: this.#files, deletions: this.#deletions, failPoints, limits }
    this.#upkeep = new Upkeep({
      ...shared,
      writes: this.#writes,
      database,
      tables: this.#tables,
      batches: parts.batches,
      series: this.series,
      sealer: new Sealer({ ...shared, numbers, nowMs }),
      merger: new Merger(shared),
      garbage: this.#garbage,
      nowMs,
      releaseAppenders: () => this.#transaction.release()
    })
    this.snapshots = new DuckDbSnapshots(database, this.#pins, (kind, ns) => this.applied(kind, ns))
    this.#failPoints = failPoints
  }

  #createWritePath(batches: KnownBatches, failPoints: FailPoints): WritePath {
    return new WritePath({
      database: this.#database,
      limits: this.#options.limits,
      failPoints,
      transaction: this.#transaction,
      tables: this.#tables,
      batches,
      series: this.series,
      setAside: this.#setAside,
      isDropped: (kind, ns) => this.#deletions.isDropped(kind, ns),
      onStored: kind => this.#onStored(kind),
      onState: failure => this.#onState(failure),
      onTrouble: this.#options.onTrouble
    })
  }

  /** Opens the data folder; see `openHotDatabase`. */
  static async open(options: EngineOptions): Promise<Engine> {
    const database = await openHotDatabase({ ...options, sleep: ms => sleep(ms) })
    const writer = await database.connect()
    const upkeep = await database.connect()
    const deletionsConnection = await database.connect()
    const batches = await KnownBatches.load(await database.connect())
    const setAside = await SetAside.open(database.dataDir)
    const engine = new Engine(database, options, { writer, upkeep, deletionsConnection, batches, setAside })
    await engine.#load()
    return engine
  }

  /** What was repaired while opening; empty when nothing was. */
  get detail(): string {
    return this.#repairs.join('; ')
  }

  /** Why writing fails now, and what was set aside. */
  get health(): EngineHealth {
    return { trouble: this.#trouble, notes: this.#setAside.detail }
  }

  /** Stores a request; `payload` is the call as it came over the pipe. */
  async append(request: AppendRequest, payload: Buffer): Promise<AppendResult> {
    const { kind, ns } = request
    if (!isNamespaceId(ns)) throw new GatewayError('internal', 'not a namespace id')
    if (this.#deletions.isDropped(kind, ns)) throw new GatewayError('namespace_deleted', 'the namespace has been deleted')
    try {
      if (this.#hasDeletedTimes(request)) await this.#upkeep.liftMark(kind, ns)
      const result = await this.#writes.submit(request, payload)
      if (!this.#isApplyFailing) this.#trouble = ''
      return result
    } catch (error) {
      const { code, message } = toWireError(error)
      if (code === 'namespace_deleted') throw error
      this.#trouble = message
      this.#options.onTrouble('a write failed', error)
      throw error
    }
  }

  /** Whether records of the request would be hidden by a mark: they were sent after what it deleted. */
  #hasDeletedTimes(request: AppendRequest): boolean {
    const markNs = this.#deletions.markOf(request.kind, request.ns)
    if (markNs === undefined) return false
    const ts = request.kind === 'points' ? request.ts : request.columns['ts']
    return ts instanceof BigInt64Array && ts.some(ns => ns < markNs)
  }

  /** Resolves when everything that was acknowledged for the kind and namespace can be read. */
  applied(kind: TableKind, ns: NamespaceId): Promise<void> {
    return this.#writes.applier.applied(kind, ns)
  }

  /** As `LogStore.deleteBefore`, for any kind. */
  async deleteBefore(kind: TableKind, ns: NamespaceId, timeNs: bigint): Promise<void> {
    if (!(await this.#deletions.mark(kind, ns, timeNs))) return
    if (kind === 'points') await this.#pruneSeries(ns, timeNs)
    this.#upkeep.noteMarks()
    this.#tick()
  }

  /** As `LogStore.dropNamespace`, for any kinds. */
  async dropNamespace(kinds: readonly TableKind[], ns: NamespaceId): Promise<void> {
    if (!isNamespaceId(ns)) throw new GatewayError('internal', 'not a namespace id')
    // Between two transactions: what comes behind it is refused or left out.
    await this.#writes.applier.exclusive(() => this.#deletions.drop(kinds, ns))
    this.#failPoints.reach('drop.marked')
    await this.#upkeep.finishDrops()
  }

  /** Makes segments of everything, merges what is due and sweeps: for tests and tools. */
  async sealAll(): Promise<void> {
    for (const kind of TABLE_KINDS) await this.#upkeep.sealAll(kind)
    await this.#upkeep.tick()
  }

  /** Does everything that is due now. */
  upkeep(): Promise<void> {
    return this.#upkeep.tick()
  }

  backup(folder: string): Promise<void> {
    return backUp(
      {
        database: this.#database,
        connection: this.#upkeepConnection,
        upkeep: this.#upkeep,
        pins: this.#pins,
        afterAll: work => this.#writes.applier.afterAll(work)
      },
      folder
    )
  }

  /** Bytes and records per namespace, hot rows by their share of the hot file. */
  async sizes(): Promise<NamespaceSize[]> {
    await this.#writes.applier.flush()
    const connection = await this.#database.connect()
    try {
      return await hotSizes(connection, this.#database, await readManifest(connection))
    } finally {
      connection.closeSync()
    }
  }

  /** Records of each kind, all namespaces together. */
  async recordsByKind(): Promise<Readonly<Record<TableKind, number>>> {
    await this.#writes.applier.flush()
    const connection = await this.#database.connect()
    try {
      return await recordsByKind(connection)
    } finally {
      connection.closeSync()
    }
  }

  async gauges(): Promise<Readonly<Record<string, number>>> {
    const connection = await this.#database.connect()
    try {
      const segments = await readManifest(connection)
      return {
        ...this.#writes.gauges,
        ...this.snapshots.gauges,
        segments: segments.length,
        segment_bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
        segment_rows: segments.reduce((sum, { rows }) => sum + rows, 0),
        hot_rows: this.#tables.current('logs').rows + this.#tables.current('points').rows,
        garbage: this.#garbage.count,
        series: this.series.size,
        resident_bytes: process.memoryUsage.rss()
      }
    } finally {
      connection.closeSync()
    }
  }

  /** Waits for writes and upkeep and lets go of the files. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#upkeep.stop()
    await this.#writes.close(async failure => {
      this.#transaction.release()
      // On a full disk the logs are as good; the next start reads them.
      if (failure === null) await this.#upkeepConnection.run('CHECKPOINT hot')
    })
    this.#database.close()
  }

  async #load(): Promise<void> {
    await this.#tables.load()
    await this.#deletions.load()
    const connection = this.#upkeepConnection
    const known = new Set((await readManifest(connection)).map(({ file }) => file))
    // Files of a seal or merge that did not get as far as the manifest; what is garbage goes the same way.
    await this.#files.removeUnknown(known)
    await this.#garbage.sweep()
    await this.series.load(connection, await this.#hotPointTables())
    this.#repairs = [...this.#repairs, ...(await this.#writes.recover())]
    this.#timer = setInterval(() => this.#tick(), this.#options.limits.upkeepIntervalMs)
  }

  async #hotPointTables(): Promise<string[]> {
    const result = await this.#upkeepConnection.runAndReadAll("SELECT name FROM hot.main.hot_tables WHERE kind = 'points'")
    return result.getRows().map(([name]) => `hot.main.${String(name)}`)
  }

  #tick(): void {
    this.#upkeep.tick().catch((error: unknown) => this.#options.onTrouble('upkeep of the stored data failed', error))
  }

  async #pruneSeries(ns: NamespaceId, beforeNs: bigint): Promise<void> {
    // Not within a transaction of upkeep's, nor behind a long statement of it while nothing is applied.
    await this.#upkeep.serial(() =>
      this.#writes.applier.exclusive(async () => {
        const ids = this.series.prune(ns, beforeNs)
        if (ids.length > 0) await this.#upkeepConnection.run(`DELETE FROM hot.main.series WHERE id IN (${ids.join(', ')})`)
      })
    )
  }

  #onStored(kind: TableKind): void {
    if (this.#upkeep.isFull(kind)) this.#tick()
  }

  #onState(failure: unknown): void {
    this.#isApplyFailing = failure !== null
    this.#trouble = failure === null ? '' : toWireError(failure).message
    if (failure !== null) this.#options.onTrouble('what was acknowledged cannot be applied yet', failure)
  }
}
