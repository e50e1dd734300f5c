import type { Gap } from '../gaps.js'
import type { DuckDbLimits } from '../limits.js'
import { DamagedSegments } from '../segments/damaged-segments.js'
import { Deletions } from '../segments/deletions.js'
import { Garbage } from '../segments/garbage.js'
import { KnownManifest } from '../segments/known-manifest.js'
import { Merger } from '../segments/merger.js'
import { Sealer } from '../segments/sealer.js'
import { type SegmentFileOptions, SegmentFiles } from '../segments/segment-files.js'
import { PatternAssignment } from '../segments/pattern-assignment.js'
import { SegmentRecovery } from '../segments/segment-recovery.js'
import { SeriesDictionary } from '../segments/series-dictionary.js'
import { SnapshotPins } from '../segments/snapshot-pins.js'
import { Upkeep } from '../segments/upkeep.js'
import type { TableLayout } from '../table-layout.js'
import { AppendTransaction } from '../write/append-transaction.js'
import type { HotDatabase } from '../write/hot-database.js'
import { HotTables } from '../write/hot-tables.js'
import { DiskRoom } from '../../disk/disk-room.js'
import type { SetAside } from '../../disk/set-aside.js'
import type { KnownBatches } from '../write/known-batches.js'
import { SeriesRegistry } from '../write/series-registry.js'
import { UniqueNumbers } from '../write/unique-numbers.js'
import { COPIES, WritePath, type WritePathDeps } from '../write/write-path.js'
import { DuckDbSnapshots, type SnapshotDeps } from './duckdb-snapshots.js'
import { FailPoints } from './fail-points.js'
import type { TransactionStatements } from './transaction-statements.js'

/** What the engine is opened with. */
export interface EngineOptions {
  /** The columns of this version, and how those of earlier ones become them. */
  readonly layout: TableLayout
  readonly dataDir: string
  readonly limits: DuckDbLimits
  readonly lockWaitMs: number
  readonly failPoint: string | null
  readonly nowMs: () => number
  readonly onTrouble: (message: string, error: unknown) => void
  /** A job of upkeep failed and is tried again, or ended well (null). */
  readonly onJob: (job: string, error: unknown) => void
  /** Called with the gaps of all later results, before any of those results is sent. */
  readonly onGaps: (gaps: readonly Gap[]) => void
}

type Connection = Awaited<ReturnType<HotDatabase['connect']>>

/** What is opened before the engine is put together. */
export interface OpenedComponents {
  readonly writer: Connection
  /** Prepared on `writer`. */
  readonly statements: TransactionStatements
  readonly upkeepConnection: Connection
  readonly deletionsConnection: Connection
  readonly damageConnection: Connection
  readonly batches: KnownBatches
  readonly setAside: SetAside
}

/** What the engine is made of. */
export interface EngineComponents extends OpenedComponents {
  readonly database: HotDatabase
  readonly failPoints: FailPoints
  readonly series: SeriesRegistry
  readonly tables: HotTables
  readonly transaction: AppendTransaction
  readonly deletions: Deletions
  readonly writes: WritePath
  readonly files: SegmentFiles
  readonly pins: SnapshotPins
  readonly garbage: Garbage
  readonly recovery: SegmentRecovery
  readonly damaged: DamagedSegments
  readonly upkeep: Upkeep
  readonly snapshots: DuckDbSnapshots
}

type EngineCallbacks = Pick<WritePathDeps, 'onStored' | 'onState' | 'onTrouble'> & { readonly onDamage: () => void }

/** Puts the engine together; nothing runs yet. */
export function createEngineComponents(
  database: HotDatabase,
  options: EngineOptions,
  opened: OpenedComponents,
  callbacks: EngineCallbacks
): EngineComponents {
  const { layout, limits, nowMs } = options
  const { writer, statements, upkeepConnection: connection, batches, setAside } = opened
  const numbers = new UniqueNumbers(database.epoch)
  const failPoints = new FailPoints(options.failPoint)
  const series = new SeriesRegistry(numbers, limits.maxSeries)
  const manifest = new KnownManifest()
  const tables = new HotTables(writer, numbers, layout, manifest)
  const transaction = new AppendTransaction({ layout, connection: writer, statements, tables, batches, series, numbers })
  const deletions = new Deletions(opened.deletionsConnection)
  const isDropped: WritePathDeps['isDropped'] = (kind, ns) => deletions.isDropped(kind, ns)
  const shared = { layout, database, tables, batches, series, limits, failPoints }
  const room = new DiskRoom(database.dataDir, limits.minFreeBytes, COPIES)
  const writes = new WritePath({ ...shared, ...callbacks, transaction, room, setAside, isDropped, nowMs })
  const inRoom: SegmentFileOptions['inRoom'] = (writing, work) => room.hold(writing, writes.applier.pendingBytes, work)
  const files = new SegmentFiles(database.segmentsDir, numbers, {
    gramIndexRows: limits.gramIndexRows,
    format: layout.format,
    freeColumns: { report: error => options.onJob('free_columns', error), failPoints },
    inRoom
  })
  const pins = new SnapshotPins()
  const garbage = new Garbage({ connection, files, pins, failPoints })
  const damaged = new DamagedSegments({ connection: opened.damageConnection, files, nowMs, onChange: callbacks.onDamage })
  const sealed = { layout, connection, files, deletions, manifest, damaged, failPoints, limits }
  const dictionary = new SeriesDictionary(connection, database.dataDir)
  const recovery = new SegmentRecovery({ ...sealed, ...shared, setAside, dictionary, nowMs, sealAgeMs: limits.sealAgeMs })
  const merger = new Merger(sealed)
  const upkeep = new Upkeep({
    ...sealed,
    ...shared,
    dictionary,
    writes,
    sealer: new Sealer({ ...sealed, tables, numbers, nowMs }),
    merger,
    assignment: new PatternAssignment({ ...sealed, merger }),
    garbage,
    setAside,
    inRoom,
    nowMs,
    onJob: options.onJob,
    releaseAppenders: () => transaction.release()
  })
  const applied: SnapshotDeps['applied'] = (kind, ns) => writes.applier.applied(kind, ns)
  const snapshots = new DuckDbSnapshots({ database, layout, tables, manifest, deletions, pins, damaged, applied })
  return { ...opened, ...shared, transaction, deletions, writes, files, pins, garbage, recovery, damaged, upkeep, snapshots }
}
