import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { TraceStore } from '../ports/trace-store.js'

// A signal that moved to a managed store may have left embedded records behind. Nobody reads them, but retention and the
// deletion of a namespace must reach them as long as their engine runs.

/** `store`, whose deletions also reach what lies in `left`. */
export function logsAlsoDeleting(store: LogStore, left: LogStore): LogStore {
  return {
    append: (ns, batch) => store.append(ns, batch),
    search: (ns, request, signal) => store.search(ns, request, signal),
    stream: (ns, request, signal) => store.stream(ns, request, signal),
    get: (ns, id) => store.get(ns, id),
    fields: (ns, request, signal) => store.fields(ns, request, signal),
    settle: ns => store.settle(ns),
    deleteBefore: async (ns, timeNs) => {
      await left.deleteBefore(ns, timeNs)
      await store.deleteBefore(ns, timeNs)
    },
    dropNamespace: async ns => {
      await left.dropNamespace(ns)
      await store.dropNamespace(ns)
    }
  }
}

/** As above, for metrics. */
export function metricsAlsoDeleting(store: MetricStore, left: MetricStore): MetricStore {
  return {
    append: (ns, batch) => store.append(ns, batch),
    select: (ns, request, signal) => store.select(ns, request, signal),
    series: (ns, matchers, range, limit) => store.series(ns, matchers, range, limit),
    metrics: (ns, request) => store.metrics(ns, request),
    settle: ns => store.settle(ns),
    deleteBefore: async (ns, timeNs) => {
      await left.deleteBefore(ns, timeNs)
      await store.deleteBefore(ns, timeNs)
    },
    dropNamespace: async ns => {
      await left.dropNamespace(ns)
      await store.dropNamespace(ns)
    }
  }
}

/** As above, for page timings and errors. */
export function eventsAlsoDeleting(store: EventStore, left: EventStore): EventStore {
  return {
    appendRum: (ns, batch) => store.appendRum(ns, batch),
    appendErrors: (ns, batch) => store.appendErrors(ns, batch),
    searchRum: (ns, request, signal) => store.searchRum(ns, request, signal),
    searchErrors: (ns, request, signal) => store.searchErrors(ns, request, signal),
    vitals: (ns, request, signal) => store.vitals(ns, request, signal),
    errorGroups: (ns, request, signal) => store.errorGroups(ns, request, signal),
    getRum: (ns, id) => store.getRum(ns, id),
    getError: (ns, id) => store.getError(ns, id),
    settle: ns => store.settle(ns),
    deleteBefore: async (ns, kind, timeNs) => {
      await left.deleteBefore(ns, kind, timeNs)
      await store.deleteBefore(ns, kind, timeNs)
    },
    dropNamespace: async ns => {
      await left.dropNamespace(ns)
      await store.dropNamespace(ns)
    }
  }
}

/** As above, for spans. */
export function tracesAlsoDeleting(store: TraceStore, left: TraceStore): TraceStore {
  return {
    append: (ns, batch) => store.append(ns, batch),
    searchSpans: (ns, request, signal) => store.searchSpans(ns, request, signal),
    searchTraces: (ns, request, signal) => store.searchTraces(ns, request, signal),
    summaries: (ns, traceIds, signal) => store.summaries(ns, traceIds, signal),
    trace: (ns, traceId, limit, signal) => store.trace(ns, traceId, limit, signal),
    stats: (ns, request, signal) => store.stats(ns, request, signal),
    serviceEdges: (ns, request, signal) => store.serviceEdges(ns, request, signal),
    fields: (ns, request, signal) => store.fields(ns, request, signal),
    settle: ns => store.settle(ns),
    deleteBefore: async (ns, timeNs) => {
      await left.deleteBefore(ns, timeNs)
      await store.deleteBefore(ns, timeNs)
    },
    dropNamespace: async ns => {
      await left.dropNamespace(ns)
      await store.dropNamespace(ns)
    }
  }
}
