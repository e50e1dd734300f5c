import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { Logger } from '../../ports/logger.js'
import type { NamespaceSize, StoreHealth, Stores } from '../../ports/stores.js'
import { entryFile } from '../../threads/entry-file.js'
import { overflowMetrics } from '../metrics/overflow-metrics.js'
import { SeriesIds } from './client/series-ids.js'
import { StoreClient } from './client/store-client.js'
import { duckDbEventStore, duckDbLogStore, duckDbTraceStore } from './record-stores.js'
import { duckDbMetricStore } from './duckdb-metric-store.js'
import { DEFAULT_DUCKDB_LIMITS, type DuckDbLimits } from './limits.js'
import { LAYOUT } from './table-layout.js'
import type { RecordKind } from './tables.js'
import type { EngineHealth } from './wire/calls.js'

const LOCK_WAIT_MS = 10_000

/** How to open the embedded engine. */
export interface DuckDbOptions {
  /** Folder that this process owns; made when missing. Hot file, segments and lock live below it. */
  readonly dataDir: string
  /** Absolute path of the entry of the store process; the bundled one when absent. */
  readonly entry?: string
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: BackgroundJobs
  readonly limits?: Partial<DuckDbLimits>
  /** How long to wait for another process to let go of the data folder, default 10 s. */
  readonly lockWaitMs?: number
  /** Name of the crash point at which the store process ends itself (`process/fail-points.ts`); for crash tests. */
  readonly failPoint?: string
}

/** The embedded engine's stores and the process behind them. */
export interface DuckDbStores extends Stores {
  readonly client: StoreClient
  /** Records of each kind, all namespaces together. */
  recordsByKind(): Promise<Readonly<Record<RecordKind, number>>>
}

async function readHealth(client: StoreClient, clock: Clock): Promise<readonly StoreHealth[]> {
  const startedMs = clock.monotonicMs()
  try {
    const { trouble, damage, notes } = await client.call<EngineHealth>('ping', [])
    const detail = [trouble, damage, client.state.detail, notes].filter(part => part !== '').join('; ')
    const state = { name: 'duckdb', healthy: trouble === '' && damage === '', latencyMs: clock.monotonicMs() - startedMs, detail }
    // Damage removes rows from results, and does not affect writes.
    return [damage !== '' && trouble === '' ? { ...state, acks: true } : state]
  } catch (error) {
    return [{ name: 'duckdb', healthy: false, latencyMs: null, detail: (error as Error).message }]
  }
}

async function readGauges(client: StoreClient): Promise<Readonly<Record<string, number>>> {
  const { budget, state } = client
  const own = { queue_bytes: budget.bytes, queue_refused: budget.refused, process_restarts: state.restarts }
  if (!state.isRunning) return own
  return { ...(await client.call<Record<string, number>>('gauges', [])), ...own }
}

/**
 * Starts the store process and resolves once it responds. Rejects with `conflict` when another process holds the data
 * folder, and with a sentence when its format is newer than this version.
 */
export async function openDuckDbStores(options: DuckDbOptions): Promise<DuckDbStores> {
  const { clock, entry = entryFile('store-process') } = options
  const dataDir = path.resolve(options.dataDir)
  const limits = { ...DEFAULT_DUCKDB_LIMITS, ...options.limits }
  await mkdir(dataDir, { recursive: true })
  const client = new StoreClient({
    entry,
    process: {
      format: LAYOUT.format,
      dataDir,
      lockWaitMs: options.lockWaitMs ?? LOCK_WAIT_MS,
      limits,
      failPoint: options.failPoint ?? null
    },
    logger: options.logger,
    jobs: options.jobs,
    monotonicMs: () => clock.monotonicMs()
  })
  await client.start()
  const ids = new SeriesIds()
  const metrics = duckDbMetricStore(client, ids)
  const folding = overflowMetrics(metrics, { clock, maxSeries: limits.maxSeries })
  return {
    client,
    logs: duckDbLogStore(client),
    metrics: folding.metrics,
    events: duckDbEventStore(client),
    traces: duckDbTraceStore(client),
    health: () => readHealth(client, clock),
    sizes: () => client.call<readonly NamespaceSize[]>('sizes', []),
    recordsByKind: () => client.call<Record<RecordKind, number>>('recordsByKind', []),
    backup: folder => client.call('backup', [path.resolve(folder)]),
    gauges: async () => ({ ...(await readGauges(client)), ...folding.gauges(), series_id_bytes: ids.bytes }),
    close: () => client.close()
  }
}
