import type { SignalStores } from '../../ports/stores.js'
import type { Engine } from '../shared/engine.js'
import type { StoreSignal } from '../shared/engine-descriptor.js'
import type { StoreChoice } from '../shared/store-choice.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { EventStore } from '../../ports/event-store.js'
import type { LogStore } from '../../ports/log-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { forwardingEvents, forwardingLogs, forwardingMetrics, forwardingTraces } from '../shared/forwarding-stores.js'

/** A store of one signal, as far as its records are removed. */
type Deleting = Pick<LogStore, 'deleteBefore' | 'dropNamespace'>

// A signal that moved to a managed store may have left embedded records behind. They are not readable, but retention and the
// deletion of a namespace must reach them as long as their engine runs.

function dropsAlso(store: Pick<Deleting, 'dropNamespace'>, left: Pick<Deleting, 'dropNamespace'>): Deleting['dropNamespace'] {
  return async (ns: NamespaceId) => {
    await left.dropNamespace(ns)
    await store.dropNamespace(ns)
  }
}

function deletesAlso(store: Deleting, left: Deleting): Deleting {
  return {
    deleteBefore: async (ns, timeNs) => {
      await left.deleteBefore(ns, timeNs)
      await store.deleteBefore(ns, timeNs)
    },
    dropNamespace: dropsAlso(store, left)
  }
}

/** `store`, whose deletions also reach what is left in `left`. */
function logsAlsoDeleting(store: LogStore, left: LogStore): LogStore {
  return { ...forwardingLogs(store), ...deletesAlso(store, left) }
}

/** `store`, whose deletions also reach what is left in `left`. */
function metricsAlsoDeleting(store: MetricStore, left: MetricStore): MetricStore {
  return { ...forwardingMetrics(store), ...deletesAlso(store, left) }
}

/** `store`, whose deletions also reach what is left in `left`. */
function tracesAlsoDeleting(store: TraceStore, left: TraceStore): TraceStore {
  return { ...forwardingTraces(store), ...deletesAlso(store, left) }
}

/** `store`, whose deletions, which name the kind of record, also reach what is left in `left`. */
function eventsAlsoDeleting(store: EventStore, left: EventStore): EventStore {
  return {
    ...forwardingEvents(store),
    deleteBefore: async (ns, kind, timeNs) => {
      await left.deleteBefore(ns, kind, timeNs)
      await store.deleteBefore(ns, kind, timeNs)
    },
    dropNamespace: dropsAlso(store, left)
  }
}

/** A managed engine as far as signals are stored in it. */
type Managed = { readonly name: string } & Partial<SignalStores>

/** The store of each signal. While the embedded engine runs, deletions also reach what a signal that moved left there. */
export function chosenSignals(
  { signals }: StoreChoice,
  embedded: (Engine & SignalStores) | null,
  managed: readonly Managed[]
): SignalStores {
  const engines = [...(embedded ? [embedded] : []), ...managed]
  const storeOf = <Signal extends StoreSignal>(signal: Signal): SignalStores[Signal] => {
    const name = signals[signal]
    const store = engines.find(engine => engine.name === name)?.[signal]
    if (!store) throw new Error(`${name} is configured for ${signal} but not open`)
    return store as SignalStores[Signal]
  }
  const chosen = { logs: storeOf('logs'), metrics: storeOf('metrics'), events: storeOf('events'), traces: storeOf('traces') }
  if (!embedded) return chosen
  const { logs, metrics, events, traces } = embedded
  return {
    logs: chosen.logs === logs ? logs : logsAlsoDeleting(chosen.logs, logs),
    metrics: chosen.metrics === metrics ? metrics : metricsAlsoDeleting(chosen.metrics, metrics),
    events: chosen.events === events ? events : eventsAlsoDeleting(chosen.events, events),
    traces: chosen.traces === traces ? traces : tracesAlsoDeleting(chosen.traces, traces)
  }
}
