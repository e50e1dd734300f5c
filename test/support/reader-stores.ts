import type { ApmError } from '../../src/domain/records/error.js'
import { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { RumEvent } from '../../src/domain/records/rum.js'
import type { Span } from '../../src/domain/span.js'
import type { Position } from '../../src/domain/search.js'
import type { AppendResult, Batch } from '../../src/ports/append.js'
import type { Stores } from '../../src/ports/stores.js'
import type { UnassignedLogs } from '../../src/ports/unassigned-logs.js'
import { eventReader } from '../../src/stores/duckdb/read/event-reader.js'
import { logReader } from '../../src/stores/duckdb/read/log-reader.js'
import { metricReader } from '../../src/stores/duckdb/read/metric-reader.js'
import { traceReader } from '../../src/stores/duckdb/read/trace-reader.js'
import type { NumberedSeries } from '../../src/stores/duckdb/read/series-lookup.js'
import type { TableKind } from '../../src/stores/duckdb/tables.js'
import { errorRow, logRow, pointRows, rumRow, spanRows, type StoredRow } from './reader-rows.js'
import { Tiers, type Placement, type TierOptions } from './tiers.js'

const STREAM_PAGE_ROWS = 500
const SIGNALS: readonly TableKind[] = ['logs', 'points', 'histograms', 'rum', 'errors', 'spans']

type Append = <Item extends { readonly index: number }>(
  ns: NamespaceId,
  batch: Batch<Item>,
  store: (items: readonly Item[]) => Promise<void>
) => Promise<AppendResult>

/** Readers rewrite nothing. */
const NO_UNASSIGNED: UnassignedLogs = {
  maxAssigned: 0,
  parts: async () => [],
  page: async () => 'gone',
  assign: async () => 'gone'
}

/** Accepts each ingest id once and refuses namespaces that were dropped. */
function appendOnce(dropped: ReadonlySet<NamespaceId>): Append {
  const seen = new Set<string>()
  return async (ns, { ingestId, items }, store) => {
    if (dropped.has(ns)) throw new GatewayError('namespace_deleted', 'the namespace is deleted')
    const key = `${ns} ${ingestId}`
    if (seen.has(key)) return { accepted: 0, deduplicated: items.length, failures: [] }
    seen.add(key)
    await store(items)
    return { accepted: items.length, deduplicated: 0, failures: [] }
  }
}

class SeriesTable {
  readonly maxSeries = 50_000
  readonly #series = new Map<string, { ns: NamespaceId; series: NumberedSeries }>()

  idOf(ns: NamespaceId, { name, type, labels, timestampNs }: MetricPoint): bigint {
    const key = JSON.stringify([ns, name, labels])
    const known = this.#series.get(key)?.series
    const id = known?.id ?? BigInt(this.#series.size + 1)
    const firstSeenNs = known && known.firstSeenNs < timestampNs ? known.firstSeenNs : timestampNs
    const lastSeenNs = known && known.lastSeenNs > timestampNs ? known.lastSeenNs : timestampNs
    this.#series.set(key, { ns, series: { id, name, type, labels, firstSeenNs, lastSeenNs } })
    return id
  }

  sizeOf(ns: NamespaceId): number {
    return [...this.ofNamespace(ns)].length
  }

  *ofNamespace(ns: NamespaceId, name?: string): Iterable<NumberedSeries> {
    for (const entry of this.#series.values()) {
      if (entry.ns === ns && (name === undefined || entry.series.name === name)) yield entry.series
    }
  }

  drop(ns: NamespaceId): void {
    for (const [key, entry] of this.#series) if (entry.ns === ns) this.#series.delete(key)
  }
}

/** All ports over the readers and rows that this process places itself: tests of reading need no store process. */
export async function openReaderStores(placement: Placement, options: TierOptions = {}): Promise<Stores> {
  const tiers = await Tiers.open(placement, options)
  const dropped = new Set<NamespaceId>()
  const series = new SeriesTable()
  const append = appendOnce(dropped)
  const logs = logReader(tiers)
  const events = eventReader(tiers)
  const metrics = metricReader(tiers, series)
  const traces = traceReader(tiers)
  let seq = 0n

  const rowsWith = (ingestId: string, rows: readonly StoredRow[]) => rows.map(row => ({ ...row, ingest_id: ingestId }))
  const settle = async () => {}
  const dropNamespace = async (ns: NamespaceId) => {
    dropped.add(ns)
    series.drop(ns)
    for (const kind of SIGNALS) await tiers.delete(kind, ns, null)
  }
  const appendRecords =
    <Item extends { readonly index: number }>(kind: TableKind, toRow: (item: Item) => StoredRow) =>
    (ns: NamespaceId, batch: Batch<Item>) =>
      append(ns, batch, items => tiers.append(kind, ns, rowsWith(batch.ingestId, items.map(toRow))))

  return {
    logs: {
      append: appendRecords<LogRecord>('logs', logRow),
      search: (ns, request, signal) => logs.search(ns, request, signal),
      async *stream(ns, request, signal) {
        let after: Position | undefined
        for (;;) {
          const page = { ...request, limit: STREAM_PAGE_ROWS, ...(after ? { after } : {}) }
          const rows = await logs.page(ns, page, signal)
          const last = rows.at(-1)
          if (!last) return
          yield rows
          after = last
        }
      },
      get: (ns, id) => logs.get(ns, id),
      fields: (ns, request, signal) => logs.fields(ns, request, signal),
      aggregate: (ns, request, signal) => logs.aggregate(ns, request, signal),
      unassigned: NO_UNASSIGNED,
      settle,
      deleteBefore: (ns, timeNs) => tiers.delete('logs', ns, timeNs),
      dropNamespace
    },
    metrics: {
      append: (ns, batch: Batch<MetricPoint>) =>
        append(ns, batch, async points => {
          seq++
          const rows = points.map(point => pointRows(point, { series: series.idOf(ns, point), seq }))
          await tiers.append(
            'points',
            ns,
            rows.map(({ point }) => point)
          )
          const histograms = rows.map(({ histogram }) => histogram).filter(row => row !== null)
          if (histograms.length > 0) await tiers.append('histograms', ns, histograms)
        }),
      select: (ns, request, signal) => metrics.select(ns, request, signal),
      series: (ns, matchers, range, limit, signal) => metrics.series(ns, { matchers, range, limit }, signal),
      metrics: (ns, request, signal) => metrics.metrics(ns, request, signal),
      labels: (ns, request, signal) => metrics.labels(ns, request, signal),
      cardinality: (ns, request, signal) => metrics.cardinality(ns, request, signal),
      settle,
      deleteBefore: async (ns, timeNs) => {
        for (const kind of ['points', 'histograms'] as const) await tiers.delete(kind, ns, timeNs)
      },
      dropNamespace
    },
    events: {
      appendRum: appendRecords<RumEvent>('rum', rumRow),
      appendErrors: appendRecords<ApmError>('errors', errorRow),
      searchRum: (ns, request, signal) => events.searchRum(ns, request, signal),
      searchErrors: (ns, request, signal) => events.searchErrors(ns, request, signal),
      vitals: (ns, request, signal) => events.vitals(ns, request, signal),
      pageViews: (ns, request, signal) => events.pageViews(ns, request, signal),
      errorGroups: (ns, request, signal) => events.errorGroups(ns, request, signal),
      getRum: (ns, id) => events.getRum(ns, id),
      getError: (ns, id) => events.getError(ns, id),
      settle,
      deleteBefore: (ns, kind, timeNs) => tiers.delete(kind, ns, timeNs),
      dropNamespace
    },
    traces: {
      append: (ns, batch: Batch<Span>) =>
        append(ns, batch, async items => tiers.append('spans', ns, rowsWith(batch.ingestId, await spanRows(items)))),
      searchSpans: (ns, request, signal) => traces.searchSpans(ns, request, signal),
      searchTraces: (ns, request, signal) => traces.searchTraces(ns, request, signal),
      summaries: (ns, traceIds, signal) => traces.summaries(ns, traceIds, signal),
      newestOrigins: (ns, request, signal) => traces.newestOrigins(ns, request, signal),
      smallTrace: (ns, traceId, signal) => traces.smallTrace(ns, traceId, signal),
      traceIdsBySuffix: (ns, request, signal) => traces.traceIdsBySuffix(ns, request, signal),
      trace: (ns, traceId, limit, signal) => traces.trace(ns, traceId, limit, signal),
      stats: (ns, request, signal) => traces.stats(ns, request, signal),
      serviceEdges: (ns, request, signal) => traces.serviceEdges(ns, request, signal),
      fields: (ns, request, signal) => traces.fields(ns, request, signal),
      aggregate: (ns, request, signal) => traces.aggregate(ns, request, signal),
      settle,
      deleteBefore: (ns, timeNs) => tiers.delete('spans', ns, timeNs),
      dropNamespace
    },
    health: async () => [],
    sizes: async () => [],
    backup: async () => {},
    gauges: async () => ({}),
    close: () => tiers.close()
  }
}
