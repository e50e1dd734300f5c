import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ControlStore } from '../../ports/control-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { ReadGaps } from '../../ports/read-gaps.js'
import type { RecordSpool, WaitingRecords } from '../../ports/record-spool.js'
import { takeGatewayId } from './gateway-id.js'
import { SharedWaiting } from './shared-waiting.js'
import { gappedStores } from './gapped-stores.js'
import { allGaps, waitingGaps } from '../shared/gaps.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { SignalStores } from '../../ports/stores.js'
import type { BackupPart } from './backup.js'
import { backupStores, CONTROL_FOLDER, outsideBackup, TELEMETRY_FOLDER } from './backup.js'
import { chosenSignals } from './chosen-signals.js'
import { Closers } from './closers.js'
import type { TelemetryStores } from './combined-stores.js'
import { cachedSelects } from '../metrics/cached-selects.js'
import { combineStores } from './combined-stores.js'
import type { DuckDbStores } from '../duckdb/duckdb-stores.js'
import { syncFolder } from '../disk/durable-files.js'
import type { EngineContext, OpenedEngine } from '../shared/engine-descriptor.js'
import type { Engine } from '../shared/engine.js'
import { lockFolder } from '../disk/folder-lock.js'
import { CONTROL_FILE, DATABASE_WAIT_MS, openEmbeddedControl, openSharedControl } from './open-control.js'
import type { EmbeddedOptions } from './open-embedded.js'
import { openEmbedded } from './open-embedded.js'
import type { StoreChoice } from '../shared/store-choice.js'
import { hasControl, requireControlStore } from './lone-telemetry.js'
import { ALL_EMBEDDED, EMBEDDED, LOCK_FILE, SPOOL_FOLDER, usesEmbedded, usesManaged } from '../shared/store-choice.js'
import type { OpenedSpool } from '../spool/open-spool.js'
import { openSpool } from '../spool/open-spool.js'
import type { SpoolLimits } from '../spool/limits.js'
import { withAlertMetrics } from '../virtual/alert-metrics.js'
import { withVirtualMetrics } from '../virtual/with-virtual-metrics.js'
import { unreadControl, unreadNamespaces, unreadRecords, unreadSpool, unreadTelemetry } from './unread-data.js'

const LOCK_WAIT_MS = 10_000
const PRIVATE_MODE = 0o700
const GATEWAY_FILE = 'gateway-id'
const INSTALLATION = 'installation_id'
const INSTALLATION_BYTES = 6
const DEFAULT_MAX_SERIES = 50_000
const DEFAULT_QUERY_TIMEOUT_MS = 30_000
const DEFAULT_CACHED_SAMPLE_BYTES = 256 * 1024 * 1024

/** What the stores need to open. */
export interface OpenStoresOptions extends EmbeddedOptions {
  readonly dataDir: string
  /** The store of each signal; everything in the data folder if absent. */
  readonly choice?: StoreChoice
  /** All namespaces in memory, over the control store once that is open. */
  readonly openDirectory: (control: ControlStore) => Promise<NamespaceDirectory>
  /** Active series of one namespace. */
  readonly maxSeries?: number
  /** How long a read may take. */
  readonly queryTimeoutMs?: number
  /** Memory for samples of metrics that were read last. */
  readonly cachedSampleBytes?: number
  readonly spoolLimits?: Partial<Omit<SpoolLimits, 'maxBytes'>>
  /** How long to wait for PostgreSQL when it is not there yet; a minute when absent. */
  readonly databaseWaitMs?: number
}

/** All stores of one service. */
export interface OpenedStores {
  readonly telemetry: TelemetryStores
  readonly control: ControlStore
  /** The queue of records for managed stores; null without managed stores. */
  readonly spool: RecordSpool | null
  /** Embedded data that is not readable, because their signal moved to another store: one sentence each. */
  readonly unread: readonly string[]
  /** A consistent copy of what is embedded into an empty folder, while running; returns what it does not hold, as sentences. */
  backup(folder: string): Promise<readonly string[]>
  /** Closes all of them; the second call does nothing. */
  close(): Promise<void>
}

/** Makes the folder and those above it that are missing, and forces each new name to the disk. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: PRIVATE_MODE })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** What all that opens needs. */
interface Opening {
  readonly options: OpenStoresOptions
  readonly choice: StoreChoice
  readonly dataDir: string
  readonly closers: Closers
}

/** A store that this process alone writes, behind the memory of what was read last. */
function withCache(
  store: MetricStore,
  { clock, cachedSampleBytes = DEFAULT_CACHED_SAMPLE_BYTES }: OpenStoresOptions
): MetricStore {
  return cachedSelects(store, cachedSampleBytes, clock)
}

type Embedded = Engine & SignalStores & Pick<DuckDbStores, 'backup' | 'recordsByKind'>

async function openDuckDb({ options, choice, dataDir, closers }: Opening): Promise<Embedded | null> {
  if (!usesEmbedded(choice)) return null
  const stores = await openEmbedded(join(dataDir, TELEMETRY_FOLDER), options)
  closers.add(() => stores.close())
  return { name: EMBEDDED, ...stores, metrics: withCache(stores.metrics, options) }
}

async function openControl({ options, choice, dataDir, closers }: Opening): Promise<ControlStore> {
  const { clock, logger, jobs, databaseWaitMs = DATABASE_WAIT_MS } = options
  const { databaseUrl: url } = choice
  const control =
    url === null
      ? await openEmbeddedControl(join(dataDir, CONTROL_FOLDER))
      : await openSharedControl({ url, clock, jobs, waitMs: databaseWaitMs, onWait: sentence => logger.warn({}, sentence) })
  closers.add(() => control.close())
  return control
}

async function createEngineContext(options: OpenStoresOptions, control: ControlStore): Promise<EngineContext> {
  const made = randomBytes(INSTALLATION_BYTES).toString('hex')
  const installation = await control.settings.setOnce(INSTALLATION, made)
  const { clock, logger, jobs, maxSeries = DEFAULT_MAX_SERIES, queryTimeoutMs = DEFAULT_QUERY_TIMEOUT_MS } = options
  return {
    control,
    directory: await options.openDirectory(control),
    clock,
    logger,
    jobs,
    installation,
    maxSeries,
    queryTimeoutMs
  }
}

async function openManaged({ options, choice, closers }: Opening, context: EngineContext): Promise<readonly OpenedEngine[]> {
  const opened: OpenedEngine[] = []
  for (const engine of choice.managed) {
    const stores = await engine.open(context)
    closers.add(() => stores.close())
    opened.push(stores)
  }
  // What other gateways write is not seen here.
  const isShared = choice.databaseUrl !== null
  return isShared ? opened : opened.map(engine => cachedMetrics(engine, options))
}

function cachedMetrics(engine: OpenedEngine, options: OpenStoresOptions): OpenedEngine {
  return engine.metrics ? { ...engine, metrics: withCache(engine.metrics, options) } : engine
}

/** Opened last and closed first: appends pass through it to the engines. */
async function openSpoolOf({ choice, options, dataDir, closers }: Opening): Promise<OpenedSpool | null> {
  if (!usesManaged(choice)) return null
  const { clock, logger, jobs, spoolLimits } = options
  const limits = { ...spoolLimits, maxBytes: choice.spoolBytes }
  const spool = await openSpool({ folder: join(dataDir, SPOOL_FOLDER), clock, logger, jobs, limits })
  closers.add(() => spool.close())
  return spool
}

/** How many records wait here and, where gateways share a control database, on the others. */
async function openWaiting(
  { options, choice, dataDir, closers }: Opening,
  control: ControlStore,
  spool: OpenedSpool | null
): Promise<ReadGaps> {
  const here = (ns: NamespaceId, signal: WaitingRecords['signal']): number =>
    spool === null ? 0 : sumOf(spool.waiting(ns).filter(waiting => waiting.signal === signal))
  if (choice.databaseUrl === null) return waitingGaps((ns, signal) => ({ here: here(ns, signal), elsewhere: 0 }))
  const { clock, jobs } = options
  const gateway = await takeGatewayId(join(dataDir, GATEWAY_FILE))
  const shared = new SharedWaiting({ board: control.waiting, gateway, own: () => spool?.waitingOfAll() ?? [], clock, jobs })
  shared.start()
  closers.add(() => shared.stop())
  return waitingGaps((ns, signal) => ({ here: here(ns, signal), elsewhere: shared.elsewhere(ns, signal) }))
}

function sumOf(waiting: readonly WaitingRecords[]): number {
  return waiting.reduce((sum, { records }) => sum + records, 0)
}

async function findUnread({ choice, dataDir }: Opening, embedded: Embedded | null): Promise<string[]> {
  const control = choice.databaseUrl === null ? [] : await unreadControl(join(dataDir, CONTROL_FOLDER), CONTROL_FILE)
  const telemetry = embedded
    ? unreadRecords(await embedded.recordsByKind(), choice)
    : await unreadTelemetry(join(dataDir, TELEMETRY_FOLDER))
  const spool = usesManaged(choice) ? [] : await unreadSpool(join(dataDir, SPOOL_FOLDER))
  return [...telemetry, ...control, ...spool]
}

/** A control database that is older than the telemetry knows less than is there. */
async function unknownNamespaces(embedded: Embedded | null, { directory }: EngineContext): Promise<readonly string[]> {
  const sizes = (await embedded?.sizes()) ?? []
  return unreadNamespaces(sizes.filter(({ namespace }) => directory.byId(namespace) === null))
}

function backupTargets({ choice }: Opening, embedded: Embedded | null, control: ControlStore): BackupPart[] {
  const parts: BackupPart[] = []
  if (embedded) parts.push({ folder: TELEMETRY_FOLDER, backup: folder => embedded.backup(folder) })
  if (choice.databaseUrl === null) parts.push({ folder: CONTROL_FOLDER, backup: folder => control.backup(folder) })
  return parts
}

/**
 * The embedded engine and the control store. Both embedded: opened concurrently; if one fails, the other is closed before the
 * error is thrown. PostgreSQL may be waited for: an error of the embedded engine is thrown before that.
 */
async function openBoth(opening: Opening): Promise<[Embedded | null, ControlStore]> {
  const isFirst = opening.choice.databaseUrl === null && !(await hasControl(opening.dataDir))
  // A first start that does not come to its end must not leave telemetry without it: that is refused later.
  const first = isFirst ? await openControl(opening) : null
  const duckdb = openDuckDb(opening)
  if (opening.choice.databaseUrl !== null) return [await duckdb, await openControl(opening)]
  const control = first === null ? openControl(opening) : Promise.resolve(first)
  await Promise.allSettled([duckdb, control])
  return [await duckdb, await control]
}

async function openAll(opening: Opening): Promise<OpenedStores> {
  const { options, choice, dataDir, closers } = opening
  closers.add(await lockFolder(join(dataDir, LOCK_FILE), LOCK_WAIT_MS, options.clock))
  if (choice.databaseUrl === null) await requireControlStore(dataDir)
  const [duckdb, control] = await openBoth(opening)
  const context = await createEngineContext(options, control)
  const managed = await openManaged(opening, context)
  const spool = await openSpoolOf(opening)
  const spooled = spool ? managed.map(engine => spool.spooled(engine)) : []
  const waiting = await openWaiting(opening, control, spool)
  // The folders below it were made by now; a power cut must not take their names.
  await syncFolder(dataDir)
  const unread = [...(await findUnread(opening, duckdb)), ...(await unknownNamespaces(duckdb, context))]
  const running: readonly Engine[] = [duckdb, ...spooled, spool].filter(engine => engine !== null)
  const gaps = allGaps([waiting, ...managed.map(engine => engine.gaps)])
  const chosen = chosenSignals(choice, duckdb, spooled)
  const signals = usesManaged(choice) ? gappedStores(chosen, gaps) : chosen
  const metricsOfAll = withVirtualMetrics({
    stores: signals,
    clock: options.clock,
    retentionOf: (ns, signal) => context.directory.byId(ns)?.retention[signal] ?? null
  })
  const telemetry = combineStores(
    {
      ...signals,
      metrics: withAlertMetrics({
        metrics: metricsOfAll,
        rules: control.alertRules,
        states: control.alertStates,
        clock: options.clock
      })
    },
    running,
    { engine: EMBEDDED, sentences: unread },
    options.jobs
  )
  const notIncluded = outsideBackup(choice)
  return {
    telemetry,
    control,
    spool,
    unread,
    backup: async folder => {
      const madeAt = new Date(options.clock.nowMs()).toISOString()
      await backupStores(backupTargets(opening, duckdb, control), folder, { madeAt, notIncluded })
      return notIncluded
    },
    close: () => closers.close()
  }
}

/**
 * Opens the engines that the choice of stores needs, and loads the code of no other. The data folder's lock comes first and goes last; it
 * guards everything below the folder. When one does not open, those before it are closed again.
 */
export async function openStores(options: OpenStoresOptions): Promise<OpenedStores> {
  const dataDir = resolve(options.dataDir)
  await makeFolder(dataDir)
  const closers = new Closers()
  try {
    return await openAll({ options, choice: options.choice ?? ALL_EMBEDDED, dataDir, closers })
  } catch (error) {
    await closers.close().catch(() => undefined)
    throw error
  }
}
