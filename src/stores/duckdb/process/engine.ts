import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../../../domain/errors.js'
import { isNamespaceId, type NamespaceId } from '../../../domain/ids.js'
import { backUp } from '../segments/backup.js'
import type { Gap } from '../gaps.js'
import { readLost } from '../segments/lost-rows.js'
import type { Upkeep } from '../segments/upkeep.js'
import type { RecordKind, TableKind } from '../tables.js'
import type { AppendRequest, StoredAppend, EngineHealth } from '../wire/calls.js'
import { toWireError, UnknownSeries } from '../wire/errors.js'
import { type HotDatabase, openHotDatabase } from '../write/hot-database.js'
import { SetAside } from '../../disk/set-aside.js'
import { KnownBatches } from '../write/known-batches.js'
import { TABLE_KINDS } from '../write/schema.js'
import type { SeriesRegistry } from '../write/series-registry.js'
import type { DuckDbSnapshots } from './duckdb-snapshots.js'
import { EngineFigures } from './engine-figures.js'
import { createEngineComponents, type EngineOptions, type EngineComponents, type OpenedComponents } from './engine-components.js'
import { FailPoints } from './fail-points.js'
import { TransactionStatements } from './transaction-statements.js'

/** The kinds of tables for records of a kind. */
function tablesOf(kind: RecordKind): readonly TableKind[] {
  return kind === 'points' ? ['points', 'histograms'] : [kind]
}

/** The whole embedded engine within the store process. */
export class StoreEngine {
  readonly #options: EngineOptions
  readonly #parts: EngineComponents
  #timer: NodeJS.Timeout | undefined
  #trouble = ''
  #isApplyFailing = false
  #isLoaded = false
  #lost: readonly Gap[] = []
  #repairs: readonly string[]

  constructor(database: HotDatabase, options: EngineOptions, opened: OpenedComponents) {
    this.#options = options
    this.#repairs = database.repairs
    this.#parts = createEngineComponents(database, options, opened, {
      onStored: kind => this.#onStored(kind),
      onState: failure => this.#onState(failure),
      onTrouble: options.onTrouble,
      onDamage: () => this.#onDamage()
    })
  }

  /** Opens the data folder; see `openHotDatabase`. */
  static async open(options: EngineOptions): Promise<StoreEngine> {
    const database = await openHotDatabase({
      ...options,
      failPoints: new FailPoints(options.failPoint),
      sleep: ms => sleep(ms)
    })
    const writer = await database.connect()
    const statements = await TransactionStatements.prepare(writer)
    const upkeepConnection = await database.connect()
    const deletionsConnection = await database.connect()
    const damageConnection = await database.connect()
    const batches = await KnownBatches.load(await database.connect())
    const setAside = await SetAside.open(database.dataDir)
    const connections = { writer, upkeepConnection, deletionsConnection, damageConnection }
    const engine = new StoreEngine(database, options, { ...connections, statements, batches, setAside })
    await engine.#load()
    return engine
  }

  get snapshots(): DuckDbSnapshots {
    return this.#parts.snapshots
  }

  get series(): SeriesRegistry {
    return this.#parts.series
  }

  /** What was repaired while opening; empty when nothing was. */
  get detail(): string {
    return this.#repairs.join('; ')
  }

  /** Why writing fails now, and what was set aside. */
  get health(): EngineHealth {
    const { damaged, setAside, writes } = this.#parts
    const damage = [damaged.detail, writes.damage].filter(each => each !== '').join('; ')
    return { trouble: this.#trouble, damage, notes: setAside.detail }
  }

  /** Stores a request; `payload` is the call as it came over the pipe. */
  async append(request: AppendRequest, payload: Buffer): Promise<StoredAppend> {
    const { kind, ns } = request
    if (!isNamespaceId(ns)) throw new GatewayError('internal', 'not a namespace id')
    if (this.#parts.deletions.isDropped(kind, ns)) throw new GatewayError('namespace_deleted', 'the namespace has been deleted')
    try {
      if (this.#hasDeletedTimes(request)) for (const each of tablesOf(kind)) await this.#parts.upkeep.liftMark(each, ns)
      const result = await this.#parts.writes.submit(request, payload)
      if (!this.#isApplyFailing) this.#trouble = ''
      return result
    } catch (error) {
      const { code, message } = toWireError(error)
      if (code === 'namespace_deleted' || error instanceof UnknownSeries) throw error
      this.#trouble = message
      this.#options.onTrouble('a write failed', error)
      throw error
    }
  }

  /** Whether records of the request would be hidden by a mark: they were sent after what it deleted. */
  #hasDeletedTimes(request: AppendRequest): boolean {
    const markNs = this.#parts.deletions.markOf(request.kind, request.ns)
    if (markNs === undefined) return false
    const ts = request.kind === 'points' ? request.ts : request.columns['ts']
    return ts instanceof BigInt64Array && ts.some(ns => ns < markNs)
  }

  /** Resolves when everything that was acknowledged for the kind and namespace can be read. */
  applied(kind: TableKind, ns: NamespaceId): Promise<void> {
    return this.#parts.writes.applier.applied(kind, ns)
  }

  /** As `LogStore.deleteBefore`, for any kind. */
  async deleteBefore(kind: RecordKind, ns: NamespaceId, timeNs: bigint): Promise<void> {
    let isNew = false
    for (const each of tablesOf(kind)) isNew = (await this.#parts.deletions.mark(each, ns, timeNs)) || isNew
    if (!isNew) return
    if (kind === 'points') await this.#pruneSeries(ns, timeNs)
    this.#parts.upkeep.noteMarks()
    this.#tick()
  }

  /** As `LogStore.dropNamespace`, for any kinds. */
  async dropNamespace(kinds: readonly RecordKind[], ns: NamespaceId): Promise<void> {
    if (!isNamespaceId(ns)) throw new GatewayError('internal', 'not a namespace id')
    // Between two transactions: what comes behind it is refused or left out.
    await this.#parts.writes.applier.exclusive(() => this.#parts.deletions.drop(kinds.flatMap(tablesOf), ns))
    this.#parts.failPoints.reach('drop.marked')
    await this.#parts.upkeep.finishDrops()
  }

  /** Makes segments of everything, merges what is due and sweeps: for tests and tools. */
  async sealAll(): Promise<void> {
    for (const kind of TABLE_KINDS) await this.#parts.upkeep.sealAll(kind)
    await this.#parts.upkeep.tick()
  }

  /** Does everything that is due now. */
  upkeep(): Promise<void> {
    return this.#parts.upkeep.tick()
  }

  /** What gives stored logs the patterns that they lack. */
  get assignment(): Pick<Upkeep, 'unassignedSegments' | 'unassignedPage' | 'assignPatterns'> {
    return this.#parts.upkeep
  }

  backup(folder: string): Promise<void> {
    return backUp(
      {
        database: this.#parts.database,
        connection: this.#parts.upkeepConnection,
        upkeep: this.#parts.upkeep,
        pins: this.#parts.pins,
        afterAll: work => this.#parts.writes.applier.afterAll(work)
      },
      folder
    )
  }

  get figures(): EngineFigures {
    return new EngineFigures(this.#parts)
  }

  /** Waits for writes and upkeep and lets go of the files. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#parts.upkeep.stop()
    await this.#parts.writes.close(async failure => {
      this.#parts.transaction.release()
      // On a full disk the logs are as good; the next start reads them.
      if (failure === null) await this.#parts.upkeepConnection.run('CHECKPOINT hot')
    })
    this.#parts.database.close()
  }

  async #load(): Promise<void> {
    await this.#parts.tables.load(this.#options.nowMs())
    await this.#parts.deletions.load()
    const { recovery, garbage, damaged, series, writes, upkeepConnection } = this.#parts
    const restored = await recovery.begin()
    await series.load(upkeepConnection, await this.#hotPointTables())
    const replayed = await writes.recover()
    const adopted = await recovery.finish(() => writes.applier.flush())
    await damaged.load()
    this.#lost = await readLost(upkeepConnection)
    const kept = damaged.count > 0 ? await recovery.keepReplaced(damaged.rows) : []
    await garbage.sweep()
    this.#repairs = [...this.#repairs, ...restored, ...replayed, ...adopted, ...kept]
    this.#isLoaded = true
    this.#onDamage()
    this.#timer = setInterval(() => this.#tick(), this.#options.limits.upkeepIntervalMs)
  }

  async #hotPointTables(): Promise<string[]> {
    const result = await this.#parts.upkeepConnection.runAndReadAll("SELECT name FROM hot.main.hot_tables WHERE kind = 'points'")
    return result.getRows().map(([name]) => `hot.main.${String(name)}`)
  }

  #tick(): void {
    // Nothing is sealed while it is not certain which rows segments hold already.
    if (!this.#isLoaded) return
    // Each job of the round has reported its own failure.
    this.#parts.upkeep.tick().catch(() => undefined)
  }

  async #pruneSeries(ns: NamespaceId, beforeNs: bigint): Promise<void> {
    // Not within a transaction of upkeep's, nor behind a long statement of it while nothing is applied.
    await this.#parts.upkeep.serial(() =>
      this.#parts.writes.applier.exclusive(async () => {
        const ids = this.#parts.series.prune(ns, beforeNs)
        if (ids.length > 0) await this.#parts.upkeepConnection.run(`DELETE FROM hot.main.series WHERE id IN (${ids.join(', ')})`)
      })
    )
  }

  #onDamage(): void {
    if (this.#isLoaded) this.#options.onGaps([...this.#lost, ...this.#parts.writes.gaps, ...this.#parts.damaged.gaps])
  }

  #onStored(kind: TableKind): void {
    if (this.#parts.upkeep.isFull(kind)) this.#tick()
  }

  #onState(failure: unknown): void {
    this.#isApplyFailing = failure !== null
    this.#trouble = failure === null ? '' : toWireError(failure).message
    if (failure !== null) this.#options.onTrouble('acknowledged records cannot be applied yet', failure)
  }
}
