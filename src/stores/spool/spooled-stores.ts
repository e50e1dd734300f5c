import type { NamespaceId } from '../../domain/ids.js'
import type { ApmError } from '../../domain/records/error.js'
import type { LogRecord } from '../../domain/records/log.js'
import type { MetricPoint } from '../../domain/metric-point.js'
import type { RumEvent } from '../../domain/records/rum.js'
import type { Span } from '../../domain/span.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { EventStore } from '../../ports/event-store.js'
import type { LogStore } from '../../ports/log-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { SignalStores } from '../../ports/stores.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { forwardingEvents, forwardingLogs, forwardingMetrics, forwardingTraces } from '../shared/forwarding-stores.js'
import type { ReplaySignal } from './replay-group.js'
import type { SpooledAppendDeps } from './spooled-append.js'
import { SpooledAppend } from './spooled-append.js'
import type { SpoolSignal } from './spool-frames.js'

/** The signals that an engine may contain. */
export type Signals = Partial<SignalStores>

/** What one wrapped store works with. */
interface SpooledDeps extends SpooledAppendDeps {
  /** Grows by those that are deleted. */
  readonly dropped: Set<NamespaceId>
}

/** Resolves when what waits of the signals is stored; rejects with `store_unavailable` when that fails. */
async function drain({ spool, replayer }: SpooledDeps, ns: NamespaceId, signals: readonly SpoolSignal[]): Promise<void> {
  const waiting = signals.filter(signal => spool.isWaiting(ns, signal))
  await Promise.all(waiting.map(signal => replayer.drained(spool.queue(ns, signal))))
}

/** What waits of a deleted namespace goes first; its store may be down for long. */
async function drop(parts: SpooledDeps, ns: NamespaceId, signals: readonly SpoolSignal[]): Promise<void> {
  parts.dropped.add(ns)
  const { spool, replayer } = parts
  await spool.written()
  const waiting = signals.filter(signal => spool.isWaiting(ns, signal))
  await Promise.all(waiting.map(signal => replayer.drop(spool.queue(ns, signal))))
  await spool.purge(ns)
}

/** What of a wrapped store waits for its spool. */
function waiting(
  store: Pick<LogStore, 'settle' | 'dropNamespace'>,
  parts: SpooledDeps,
  signals: readonly SpoolSignal[]
): Pick<LogStore, 'settle' | 'dropNamespace'> {
  return {
    settle: async ns => {
      await drain(parts, ns, signals)
      await store.settle(ns)
    },
    dropNamespace: async ns => {
      await drop(parts, ns, signals)
      await store.dropNamespace(ns)
    }
  }
}

type Append<Item> = (ns: NamespaceId, batch: Batch<Item>) => Promise<AppendResult>

/** An append that outlasts an outage. */
function spooledAppend<Item>(signal: SpoolSignal, append: Append<Item>, parts: SpooledDeps): Append<Item> {
  const appending = new SpooledAppend(signal, append, parts)
  return (ns, batch) => appending.append(ns, batch)
}

/** `store`, whose appends outlast an outage. */
function spooledLogs(store: LogStore, parts: SpooledDeps): LogStore {
  const append = spooledAppend('logs', (ns, batch: Batch<LogRecord>) => store.append(ns, batch), parts)
  return { ...forwardingLogs(store), append, ...waiting(store, parts, ['logs']) }
}

/** As above, for metrics. */
function spooledMetrics(store: MetricStore, parts: SpooledDeps): MetricStore {
  const append = spooledAppend('metrics', (ns, batch: Batch<MetricPoint>) => store.append(ns, batch), parts)
  return { ...forwardingMetrics(store), append, ...waiting(store, parts, ['metrics']) }
}

/** As above, for page timings and errors. */
function spooledEvents(store: EventStore, parts: SpooledDeps): EventStore {
  const appendRum = spooledAppend('rum', (ns, batch: Batch<RumEvent>) => store.appendRum(ns, batch), parts)
  const appendErrors = spooledAppend('errors', (ns, batch: Batch<ApmError>) => store.appendErrors(ns, batch), parts)
  return { ...forwardingEvents(store), appendRum, appendErrors, ...waiting(store, parts, ['rum', 'errors']) }
}

/** As above, for spans. */
function spooledTraces(store: TraceStore, parts: SpooledDeps): TraceStore {
  const append = spooledAppend('spans', (ns, batch: Batch<Span>) => store.append(ns, batch), parts)
  return { ...forwardingTraces(store), append, ...waiting(store, parts, ['spans']) }
}

/** The stores, each with appends that outlast an outage. */
export function wrapStores({ logs, metrics, events, traces }: Signals, shared: Omit<SpooledAppendDeps, 'dropped'>): Signals {
  const parts = (): SpooledDeps => ({ ...shared, dropped: new Set() })
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

function byId<Item>(append: Append<Item>): ReplaySignal {
  return { append: (ns, batch) => append(ns, batch as Batch<Item>), isOrdered: false }
}

function inOrder<Item>(append: Append<Item>): ReplaySignal {
  return { append: (ns, batch) => append(ns, batch as Batch<Item>), isOrdered: true }
}
