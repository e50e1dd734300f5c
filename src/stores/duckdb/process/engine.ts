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
import type { AppendRequest } from '../wire/calls.js'
import { toWireError } from '../wire/errors.js'
import { AppendTransaction } from '../write/append-transaction.js'
import { GroupCommit } from '../write/group-commit.js'
import { type HotDatabase, openHotDatabase } from '../write/hot-database.js'
import { HotTables } from '../write/hot-tables.js'
import { KnownBatches } from '../write/known-batches.js'
import { TABLE_KINDS } from '../write/schema.js'
import { SeriesRegistry } from '../write/series-registry.js'
import { UniqueNumbers } from '../write/unique-numbers.js'
import { DuckDbSnapshots } from './duckdb-snapshots.js'
import { syncFolder } from './durable-files.js'
import { FailPoints } from './fail-points.js'
import { hotSizes } from './sizes.js'

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
  readonly #group: GroupCommit
  readonly #deletions: Deletions
  readonly #garbage: Garbage
  readonly #files: SegmentFiles
  readonly #failPoints: FailPoints
  readonly #pins = new SnapshotPins()
  readonly #upkeep: Upkeep
  readonly snapshots: DuckDbSnapshots
  readonly series: SeriesRegistry
  // A new log file's name is not on the disk before its folder is; see `#syncNewLog`.
  #isLogNew = true
  #timer: NodeJS.Timeout | undefined
  #trouble = ''

  constructor(
    database: HotDatabase,
    options: EngineOptions,
    parts: {
      readonly writer: Connection
      readonly upkeep: Connection
      readonly deletionsConnection: Connection
      readonly batches: KnownBatches
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
    this.#group = new GroupCommit({
      transaction: this.#transaction,
      tables: this.#tables,
      batches: parts.batches,
      maxCommitBytes: limits.maxCommitBytes,
      isDropped: (kind, ns) => this.#deletions.isDropped(kind, ns),
      onCommit: () => this.#syncNewLog()
    })
    this.#files = new SegmentFiles(database.segmentsDir, numbers)
    this.#garbage = new Garbage({ connection, files: this.#files, pins: this.#pins, failPoints })
    const shared = { connection, files: this.#files, deletions: this.#deletions, failPoints, limits }
    this.#upkeep = new Upkeep({
      ...shared,
      group: this.#group,
      tables: this.#tables,
      batches: parts.batches,
      series: this.series,
      sealer: new Sealer({ ...shared, numbers, nowMs }),
      merger: new Merger(shared),
      garbage: this.#garbage,
      walFile: database.walFile,
      nowMs,
      onCheckpoint: () => (this.#isLogNew = true),
      releaseAppenders: () => this.#transaction.release()
    })
    this.snapshots = new DuckDbSnapshots(database, this.#pins)
    this.#failPoints = failPoints
  }

  /** Opens the data folder; see `openHotDatabase`. */
  static async open(options: EngineOptions): Promise<Engine> {
    const database = await openHotDatabase({ ...options, sleep: ms => sleep(ms) })
    const writer = await database.connect()
    const upkeep = await database.connect()
    const deletionsConnection = await database.connect()
    const batches = await KnownBatches.load(await database.connect())
    const engine = new Engine(database, options, { writer, upkeep, deletionsConnection, batches })
    await engine.#load()
    return engine
  }

  /** What was repaired while opening; empty when nothing was. */
  get detail(): string {
    return this.#database.repairs.join('; ')
  }

  append(request: AppendRequest, bytes: number): Promise<AppendResult> {
    const { kind, ns } = request
    if (!isNamespaceId(ns)) throw new GatewayError('internal', 'not a namespace id')
    if (this.#deletions.isDropped(kind, ns)) throw new GatewayError('namespace_deleted', 'the namespace has been deleted')
    const stored = this.#group.submit(request, bytes)
    if (this.#upkeep.isFull(kind)) this.#tick()
    return stored.then(
      result => {
        this.#trouble = ''
        return result
      },
      (error: unknown) => {
        this.#trouble = toWireError(error).message
        this.#options.onTrouble('a commit failed', error)
        throw error
      }
    )
  }

  /** Why the last write failed; empty when it did not. */
  get trouble(): string {
    return this.#trouble
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
    // Between two commits: what is queued behind it is refused.
    await this.#group.exclusive(() => this.#deletions.drop(kinds, ns))
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
        exclusive: work =>
          this.#group.exclusive(async () => {
            await work()
            this.#isLogNew = true
          })
      },
      folder
    )
  }

  /** Bytes and records per namespace, hot rows by their share of the hot file. */
  async sizes(): Promise<NamespaceSize[]> {
    const connection = await this.#database.connect()
    try {
      return await hotSizes(connection, this.#database, await readManifest(connection))
    } finally {
      connection.closeSync()
    }
  }

  async gauges(): Promise<Readonly<Record<string, number>>> {
    const connection = await this.#database.connect()
    try {
      const segments = await readManifest(connection)
      return {
        ...this.#group.gauges,
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
    await this.#group.exclusive(async () => {
      this.#transaction.release()
      await this.#upkeepConnection.run('CHECKPOINT hot')
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
    await this.#group.exclusive(async () => {
      const ids = this.series.prune(ns, beforeNs)
      if (ids.length > 0) await this.#upkeepConnection.run(`DELETE FROM hot.main.series WHERE id IN (${ids.join(', ')})`)
    })
  }

  /** The first commit after a checkpoint makes a new log file. */
  async #syncNewLog(): Promise<void> {
    if (!this.#isLogNew) return
    await syncFolder(this.#database.dataDir)
    this.#isLogNew = false
  }
}
