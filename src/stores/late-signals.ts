import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { MetricStore } from '../ports/metric-store.js'

// Stores of an engine that may not be open yet: each call asks for the store, and rejects as that does.

/** Logs of the engine that `of` gives. */
export function lateLogs(of: () => LogStore): LogStore {
  return {
    append: async (ns, batch) => of().append(ns, batch),
    search: async (ns, request, signal) => of().search(ns, request, signal),
    stream: async function* (ns, request, signal) {
      yield* of().stream(ns, request, signal)
    },
    get: async (ns, id) => of().get(ns, id),
    fields: async (ns, request, signal) => of().fields(ns, request, signal),
    settle: async ns => of().settle(ns),
    deleteBefore: async (ns, timeNs) => of().deleteBefore(ns, timeNs),
    dropNamespace: async ns => of().dropNamespace(ns)
  }
}

/** As above, for metrics. */
export function lateMetrics(of: () => MetricStore): MetricStore {
  return {
    append: async (ns, batch) => of().append(ns, batch),
    select: async (ns, request, signal) => of().select(ns, request, signal),
    series: async (ns, matchers, range, limit) => of().series(ns, matchers, range, limit),
    metrics: async (ns, request) => of().metrics(ns, request),
    settle: async ns => of().settle(ns),
    deleteBefore: async (ns, timeNs) => of().deleteBefore(ns, timeNs),
    dropNamespace: async ns => of().dropNamespace(ns)
  }
}

/** As above, for page timings and errors. */
export function lateEvents(of: () => EventStore): EventStore {
  return {
    appendRum: async (ns, batch) => of().appendRum(ns, batch),
    appendErrors: async (ns, batch) => of().appendErrors(ns, batch),
    searchRum: async (ns, request, signal) => of().searchRum(ns, request, signal),
    searchErrors: async (ns, request, signal) => of().searchErrors(ns, request, signal),
    vitals: async (ns, request, signal) => of().vitals(ns, request, signal),
    errorGroups: async (ns, request, signal) => of().errorGroups(ns, request, signal),
    getRum: async (ns, id) => of().getRum(ns, id),
    getError: async (ns, id) => of().getError(ns, id),
    settle: async ns => of().settle(ns),
    deleteBefore: async (ns, kind, timeNs) => of().deleteBefore(ns, kind, timeNs),
    dropNamespace: async ns => of().dropNamespace(ns)
  }
}
