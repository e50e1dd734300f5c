import type { EventStore } from '../../ports/event-store.js'
import type { LogStore } from '../../ports/log-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { TraceStore } from '../../ports/trace-store.js'

// Each function returns an object whose methods call those of `store`. A decorator spreads it and replaces what it changes:
// `{ ...forwardingLogs(store), append }`. Stores are class instances, so a copy of one would lack its private members.

/** Forwards every call to a log store. */
export function forwardingLogs(store: LogStore): LogStore {
  return {
    append: (ns, batch) => store.append(ns, batch),
    search: (ns, request, signal) => store.search(ns, request, signal),
    stream: (ns, request, signal) => store.stream(ns, request, signal),
    get: (ns, id) => store.get(ns, id),
    fields: (ns, request, signal) => store.fields(ns, request, signal),
    aggregate: (ns, request, signal) => store.aggregate(ns, request, signal),
    ...(store.gaps && { gaps: (ns, range) => store.gaps!(ns, range) }),
    unassigned: store.unassigned,
    settle: ns => store.settle(ns),
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: ns => store.dropNamespace(ns)
  }
}

/** Forwards every call to a metric store. */
export function forwardingMetrics(store: MetricStore): MetricStore {
  return {
    append: (ns, batch) => store.append(ns, batch),
    select: (ns, request, signal) => store.select(ns, request, signal),
    series: (ns, matchers, range, limit, signal) => store.series(ns, matchers, range, limit, signal),
    metrics: (ns, request, signal) => store.metrics(ns, request, signal),
    labels: (ns, request, signal) => store.labels(ns, request, signal),
    cardinality: (ns, request, signal) => store.cardinality(ns, request, signal),
    ...(store.gaps && { gaps: (ns, range) => store.gaps!(ns, range) }),
    settle: ns => store.settle(ns),
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: ns => store.dropNamespace(ns)
  }
}

/** Forwards every call to a store of page views and errors. */
export function forwardingEvents(store: EventStore): EventStore {
  return {
    appendRum: (ns, batch) => store.appendRum(ns, batch),
    appendErrors: (ns, batch) => store.appendErrors(ns, batch),
    searchRum: (ns, request, signal) => store.searchRum(ns, request, signal),
    searchErrors: (ns, request, signal) => store.searchErrors(ns, request, signal),
    vitals: (ns, request, signal) => store.vitals(ns, request, signal),
    pageViews: (ns, request, signal) => store.pageViews(ns, request, signal),
    errorGroups: (ns, request, signal) => store.errorGroups(ns, request, signal),
    ...(store.gaps && { gaps: (ns, kind, range) => store.gaps!(ns, kind, range) }),
    getRum: (ns, id) => store.getRum(ns, id),
    getError: (ns, id) => store.getError(ns, id),
    settle: ns => store.settle(ns),
    deleteBefore: (ns, kind, timeNs) => store.deleteBefore(ns, kind, timeNs),
    dropNamespace: ns => store.dropNamespace(ns)
  }
}

/** Forwards every call to a trace store. */
export function forwardingTraces(store: TraceStore): TraceStore {
  return {
    append: (ns, batch) => store.append(ns, batch),
    searchSpans: (ns, request, signal) => store.searchSpans(ns, request, signal),
    searchTraces: (ns, request, signal) => store.searchTraces(ns, request, signal),
    summaries: (ns, traceIds, signal) => store.summaries(ns, traceIds, signal),
    trace: (ns, traceId, limit, signal) => store.trace(ns, traceId, limit, signal),
    smallTrace: (ns, traceId, signal) => store.smallTrace(ns, traceId, signal),
    traceIdsBySuffix: (ns, request, signal) => store.traceIdsBySuffix(ns, request, signal),
    newestOrigins: (ns, request, signal) => store.newestOrigins(ns, request, signal),
    stats: (ns, request, signal) => store.stats(ns, request, signal),
    serviceEdges: (ns, request, signal) => store.serviceEdges(ns, request, signal),
    fields: (ns, request, signal) => store.fields(ns, request, signal),
    aggregate: (ns, request, signal) => store.aggregate(ns, request, signal),
    ...(store.gaps && { gaps: (ns, range) => store.gaps!(ns, range) }),
    settle: ns => store.settle(ns),
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: ns => store.dropNamespace(ns)
  }
}
