import type { NamespaceId } from '../../domain/ids.js'
import type { ApmError } from '../../domain/apm-error.js'
import type { LogRecord } from '../../domain/log-record.js'
import type { MetricPoint } from '../../domain/metric-point.js'
import type { RumEvent } from '../../domain/rum-event.js'
import type { Span } from '../../domain/span.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { EventStore } from '../../ports/event-store.js'
import type { LogStore } from '../../ports/log-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { SignalStores } from '../../ports/stores.js'
import type { TraceStore } from '../../ports/trace-store.js'
import type { ReplaySignal } from './replay-group.js'
import type { AppendParts } from './spooled-append.js'
import { SpooledAppend } from './spooled-append.js'
import type { SpoolSignal } from './spool-frames.js'

/** The signals that an engine may hold. */
export type Signals = Partial<SignalStores>

/** What one wrapped store works with. */
interface SpooledParts extends AppendParts {
  /** Grows by those that are deleted. */
  readonly dropped: Set<NamespaceId>
}

/** Resolves when what waits of the signals is stored; rejects with `store_unavailable` when that fails. */
async function drain({ spool, replayer }: SpooledParts, ns: NamespaceId, signals: readonly SpoolSignal[]): Promise<void> {
  const waiting = signals.filter(signal => spool.isWaiting(ns, signal))
  await Promise.all(waiting.map(signal => replayer.drained(spool.queue(ns, signal))))
}

/** What waits of a deleted namespace goes first; its store may be down for long. */
async function drop(parts: SpooledParts, ns: NamespaceId, signals: readonly SpoolSignal[]): Promise<void> {
  parts.dropped.add(ns)
  const { spool, replayer } = parts
  await spool.written()
  const waiting = signals.filter(signal => spool.isWaiting(ns, signal))
  await Promise.all(waiting.map(signal => replayer.drop(spool.queue(ns, signal))))
}

/** `store`, whose appends outlast an outage. */
function spooledLogs(store: LogStore, parts: SpooledParts): LogStore {
  const appending = new SpooledAppend('logs', (ns, batch: Batch<LogRecord>) => store.append(ns, batch), parts)
  return {
    append: (ns, batch) => appending.append(ns, batch),
    search: (ns, request, signal) => store.search(ns, request, signal),
    stream: (ns, request, signal) => store.stream(ns, request, signal),
    get: (ns, id) => store.get(ns, id),
    fields: (ns, request, signal) => store.fields(ns, request, signal),
    settle: async ns => {
      await drain(parts, ns, ['logs'])
      await store.settle(ns)
    },
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: async ns => {
      await drop(parts, ns, ['logs'])
      await store.dropNamespace(ns)
    }
  }
}

/** As above, for metrics. */
function spooledMetrics(store: MetricStore, parts: SpooledParts): MetricStore {
  const appending = new SpooledAppend('metrics', (ns, batch: Batch<MetricPoint>) => store.append(ns, batch), parts)
  return {
    append: (ns, batch) => appending.append(ns, batch),
    select: (ns, request, signal) => store.select(ns, request, signal),
    series: (ns, matchers, range, limit) => store.series(ns, matchers, range, limit),
    metrics: (ns, request) => store.metrics(ns, request),
    settle: async ns => {
      await drain(parts, ns, ['metrics'])
      await store.settle(ns)
    },
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: async ns => {
      await drop(parts, ns, ['metrics'])
      await store.dropNamespace(ns)
    }
  }
}

/** As above, for page timings and errors. */
function spooledEvents(store: EventStore, parts: SpooledParts): EventStore {
  const rum = new SpooledAppend('rum', (ns, batch: Batch<RumEvent>) => store.appendRum(ns, batch), parts)
  const errors = new SpooledAppend('errors', (ns, batch: Batch<ApmError>) => store.appendErrors(ns, batch), parts)
  return {
    appendRum: (ns, batch) => rum.append(ns, batch),
    appendErrors: (ns, batch) => errors.append(ns, batch),
    searchRum: (ns, request, signal) => store.searchRum(ns, request, signal),
    searchErrors: (ns, request, signal) => store.searchErrors(ns, request, signal),
    vitals: (ns, request, signal) => store.vitals(ns, request, signal),
    errorGroups: (ns, request, signal) => store.errorGroups(ns, request, signal),
    getRum: (ns, id) => store.getRum(ns, id),
    getError: (ns, id) => store.getError(ns, id),
    settle: async ns => {
      await drain(parts, ns, ['rum', 'errors'])
      await store.settle(ns)
    },
    deleteBefore: (ns, kind, timeNs) => store.deleteBefore(ns, kind, timeNs),
    dropNamespace: async ns => {
      await drop(parts, ns, ['rum', 'errors'])
      await store.dropNamespace(ns)
    }
  }
}

/** As above, for spans. */
function spooledTraces(store: TraceStore, parts: SpooledParts): TraceStore {
  const appending = new SpooledAppend('spans', (ns, batch: Batch<Span>) => store.append(ns, batch), parts)
  return {
    append: (ns, batch) => appending.append(ns, batch),
    searchSpans: (ns, request, signal) => store.searchSpans(ns, request, signal),
    searchTraces: (ns, request, signal) => store.searchTraces(ns, request, signal),
    summaries: (ns, traceIds, signal) => store.summaries(ns, traceIds, signal),
    trace: (ns, traceId, limit, signal) => store.trace(ns, traceId, limit, signal),
    stats: (ns, request, signal) => store.stats(ns, request, signal),
    serviceEdges: (ns, request, signal) => store.serviceEdges(ns, request, signal),
    fields: (ns, request, signal) => store.fields(ns, request, signal),
    settle: async ns => {
      await drain(parts, ns, ['spans'])
      await store.settle(ns)
    },
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: async ns => {
      await drop(parts, ns, ['spans'])
      await store.dropNamespace(ns)
    }
  }
}

/** The stores, each with appends that outlast an outage. */
export function wrapStores({ logs, metrics, events, traces }: Signals, shared: Omit<AppendParts, 'dropped'>): Signals {
  const parts = (): SpooledParts => ({ ...shared, dropped: new Set() })
  return {
    ...(logs && { logs: spooledLogs(logs, parts()) }),
    ...(metrics && { metrics: spooledMetrics(metrics, parts()) }),
    ...(events && { events: spooledEvents(events, parts()) }),
    ...(traces && { traces: spooledTraces(traces, parts()) })
  }
}

/** How records that waited go to their store: what was spooled as records of a signal are such records. */
export function replaySignals({ logs, metrics, events, traces }: Signals): Map<SpoolSignal, ReplaySignal> {
  const signals = new Map<SpoolSignal, ReplaySignal>()
  if (logs)
    signals.set(
      'logs',
      byId((ns, batch: Batch<LogRecord>) => logs.append(ns, batch))
    )
  // A point has no id: the later one of the same series and time wins.
  if (metrics)
    signals.set(
      'metrics',
      inOrder((ns, batch: Batch<MetricPoint>) => metrics.append(ns, batch))
    )
  if (events) {
    signals.set(
      'rum',
      byId((ns, batch: Batch<RumEvent>) => events.appendRum(ns, batch))
    )
    signals.set(
      'errors',
      byId((ns, batch: Batch<ApmError>) => events.appendErrors(ns, batch))
    )
  }
  if (traces)
    signals.set(
      'spans',
      byId((ns, batch: Batch<Span>) => traces.append(ns, batch))
    )
  return signals
}

type Append<Item> = (ns: NamespaceId, batch: Batch<Item>) => Promise<AppendResult>

function byId<Item>(append: Append<Item>): ReplaySignal {
  return { append: (ns, batch) => append(ns, batch as Batch<Item>), isOrdered: false }
}

function inOrder<Item>(append: Append<Item>): ReplaySignal {
  return { append: (ns, batch) => append(ns, batch as Batch<Item>), isOrdered: true }
}
