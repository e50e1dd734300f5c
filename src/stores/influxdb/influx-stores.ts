import { diagnosisOf, sentenceOf } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlChanges } from '../../ports/control-changes.js'
import type { ReadGaps } from '../../ports/read-gaps.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { SeriesCatalog, StorePlaces } from '../../ports/series-catalog.js'
import type { StoreHealth } from '../../ports/stores.js'
import { allGaps } from '../shared/gaps.js'
import { overflowMetrics } from '../metrics/overflow-metrics.js'
import { QueueBudget } from '../shared/queue-budget.js'
import { ServerWatch } from '../shared/server-watch.js'
import { systemTimers } from '../../threads/system-timers.js'
import { Buckets } from './client/buckets.js'
import { InfluxClient } from './client/influx-client.js'
import { openProbe, type InfluxConnection } from './client/transport.js'
import { DEFAULT_INFLUX_LIMITS, type InfluxLimits } from './limits.js'
import { BucketInspector } from './places/bucket-inspector.js'
import { BucketLosses } from './places/bucket-losses.js'
import { BucketPlaces } from './places/bucket-places.js'
import { Removal } from './places/removal.js'
import { MetricReader } from './read/metric-reader.js'
import { ReaderThreads, type ReaderThreadsOptions } from './read/reader-threads.js'
import { SeriesRegistry } from './series/series-registry.js'
import { SeriesSaver } from './series/series-saver.js'
import { MetricWriter } from './write/metric-writer.js'

/**
 * `MetricStore` on InfluxDB 2. A repeated ingest id is known for one while this process remembers it
 * (`InfluxLimits.maxRecentBatches`); beyond that the same points are stored again, which are the same samples.
 */
function influxMetricStore(writer: MetricWriter, reader: MetricReader, removal: Removal): MetricStore {
  return {
    append: (ns, batch) => writer.append(ns, batch),
    select: (ns, request, signal) => reader.select(ns, request, signal),
    series: (ns, matchers, range, limit, signal) => reader.series(ns, { matchers, range, limit }, signal),
    metrics: (ns, request, signal) => reader.metrics(ns, request, signal),
    labels: (ns, request, signal) => reader.labels(ns, request, signal),
    cardinality: (ns, request, signal) => reader.cardinality(ns, request, signal),
    // Nothing to do: InfluxDB acknowledges a write once it is visible.
    settle: () => Promise.resolve(),
    deleteBefore: (ns, timeNs) => removal.deleteBefore(ns, timeNs),
    dropNamespace: ns => removal.dropNamespace(ns)
  }
}

/** What the metric store works with. */
export interface InfluxOptions extends InfluxConnection {
  readonly catalog: SeriesCatalog
  readonly places: StorePlaces
  readonly clock: Clock
  readonly jobs: BackgroundJobs
  /** News of the shared catalogs; null when no other process writes to them. */
  readonly news?: Pick<ControlChanges, 'subscribe'> | null
  /** Active series of one namespace. */
  readonly maxSeries: number
  /** Milliseconds that points of a namespace are kept, null forever. */
  readonly retentionOf: (ns: NamespaceId) => number | null
  /** The name of a namespace, for operators; its id when absent. */
  readonly nameOf?: (ns: NamespaceId) => string
  /** The bucket of the namespaces that have none of their own. */
  readonly poolBucket?: string
  readonly limits?: Partial<InfluxLimits>
  /** Compiled entry of the threads that read; their own when absent. */
  readonly readEntry?: string
}

/** The metric store on InfluxDB 2 and its dependencies. */
export interface InfluxStores {
  readonly metrics: MetricStore
  /** What results lack: series that another gateway added a moment ago, and buckets that were deleted externally. */
  readonly gaps: ReadGaps
  health(): Promise<readonly StoreHealth[]>
  /** Null: InfluxDB does not report the size of a namespace without reading it. */
  sizes(): Promise<null>
  gauges(): Promise<Readonly<Record<string, number>>>
  /** Resolves when what was taken has its result. The second call does nothing. */
  close(): Promise<void>
}

const POOL_BUCKET = 'alidade_pool'

/** Opens the stores without a request: an InfluxDB that is away fails the calls, not the start. */
export function openInfluxStores(options: InfluxOptions): Promise<InfluxStores> {
  const { catalog, clock, jobs, maxSeries, retentionOf } = options
  const limits = { ...DEFAULT_INFLUX_LIMITS, ...options.limits }
  const { maxDedicated, maxLoadedSeries, catalogRefreshMs: refreshMs } = limits
  const poolBucket = options.poolBucket ?? POOL_BUCKET
  const probe = openProbe(options)
  const watch = new ServerWatch({ name: 'InfluxDB', address: options.url, probe: probe.probe, clock, timers: systemTimers })
  const client = new InfluxClient(options, { ...limits, watch })
  const buckets = new Buckets(client)
  const losses = new BucketLosses({ places: options.places, buckets, clock, refreshMs, monitor: jobs.monitor('bucket_losses') })
  const given = { places: options.places, buckets, losses, clock }
  const places = new BucketPlaces({ ...given, retentionOf, poolBucket, maxDedicated, refreshMs })
  const inspector = new BucketInspector({ ...given, nameOf: options.nameOf ?? (ns => ns) })
  const registry = new SeriesRegistry({
    catalog,
    clock,
    maxSeries,
    maxLoadedSeries,
    refreshMs,
    news: options.news,
    refresh: jobs.monitor('series_refresh')
  })
  const saver = new SeriesSaver(catalog, jobs.monitor('series_catalog'))
  const budget = new QueueBudget(limits.maxQueuedBytes)
  const writer = new MetricWriter({ client, places, registry, saver, budget, clock, retentionOf, limits })
  const threads = new ReaderThreads(readerOptions(options, limits))
  const reader = new MetricReader({ threads, places, losses, registry, clock, watch })
  const removal = new Removal({ buckets, places, catalog, registry, saver, writer })
  const store = influxMetricStore(writer, reader, removal)
  // Each of several gateways would write totals of its own.
  const folding = registry.isShared ? null : overflowMetrics(store, { clock, maxSeries })
  return Promise.resolve({
    metrics: folding?.metrics ?? store,
    gaps: allGaps([losses, { of: (ns, signal) => (signal === 'metrics' && registry.lacksSeries(ns) ? [NEW_SERIES] : []) }]),
    health: async () => [await readHealth({ client, watch, saver, inspector, clock })],
    sizes: () => Promise.resolve(null),
    gauges: () =>
      Promise.resolve({
        queue_bytes: budget.bytes,
        queue_refused: budget.refused,
        write_requests: writer.requests,
        reads: threads.reads,
        reads_refused: threads.refused,
        series_in_memory: registry.size,
        ...folding?.gauges()
      }),
    close: async () => {
      await writer.close()
      await threads.close()
      watch.close()
      probe.close()
      client.close()
    }
  })
}

function readerOptions(
  { url, org, token, readEntry: entry }: InfluxOptions,
  { queryTimeoutMs, maxReads }: InfluxLimits
): ReaderThreadsOptions {
  return { url, org, token, queryTimeoutMs, maxReads, ...(entry !== undefined && { entry }) }
}

const NEW_SERIES = 'series that another gateway added recently may be missing'

interface HealthDeps {
  readonly client: InfluxClient
  readonly watch: ServerWatch
  readonly saver: SeriesSaver
  readonly inspector: BucketInspector
  readonly clock: Clock
}

/** Probes the server first, so that later requests know what this found. */
async function readHealth({ client, watch, saver, inspector, clock }: HealthDeps): Promise<StoreHealth> {
  const startedMs = clock.monotonicMs()
  try {
    const outage = await watch.examine()
    if (outage) throw outage
    await client.ping()
    const latencyMs = clock.monotonicMs() - startedMs
    const remarks = await inspector.remarks()
    const { trouble } = saver
    const detail = [trouble.detail, remarks.detail].filter(Boolean).join('; ')
    const diagnosis = [trouble.diagnosis, remarks.diagnosis].filter(Boolean).join('; ')
    return { name: 'influxdb', healthy: true, latencyMs, detail, diagnosis }
  } catch (error) {
    return { name: 'influxdb', healthy: false, latencyMs: null, detail: sentenceOf(error), diagnosis: diagnosisOf(error) }
  }
}
