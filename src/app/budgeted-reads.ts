import type { SearchRequest, SearchResult } from '../domain/search.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { TraceStore } from '../ports/trace-store.js'
import type { ReadBudgets } from '../query/read-budgets.js'
import { errorBytes, logBytes, rumBytes, spanBytes } from '../query/row-bytes.js'
import { forwardingEvents, forwardingLogs, forwardingTraces } from '../stores/shared/forwarding-stores.js'

// Decorators of stores whose reads of rows count in the budget of their request. Counts, histograms and facets do not.

function sumOf<Row>(rows: readonly Row[], bytesOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + bytesOf(row), 0)
}

/** One search within the budget. */
async function searchWithin<Row>(
  budgets: ReadBudgets,
  request: SearchRequest,
  signal: AbortSignal,
  bytesOf: (row: Row) => number,
  search: (request: SearchRequest) => Promise<SearchResult<Row>>
): Promise<SearchResult<Row>> {
  const { rows } = request
  if (rows === undefined || rows.limit === 0) return search(request)
  return budgets.read(
    signal,
    async bytes => search({ ...request, rows: { ...rows, maxBytes: Math.min(rows.maxBytes ?? bytes, bytes) } }),
    found => sumOf(found.rows ?? [], bytesOf)
  )
}

/** Logs of searches. */
export function budgetedLogs(store: LogStore, budgets: ReadBudgets): LogStore {
  return {
    ...forwardingLogs(store),
    search: async (ns, request, signal) =>
      searchWithin(budgets, request, signal, logBytes, async bounded => store.search(ns, bounded, signal))
  }
}

/** Page views and errors of searches. */
export function budgetedEvents(store: EventStore, budgets: ReadBudgets): EventStore {
  return {
    ...forwardingEvents(store),
    searchRum: async (ns, request, signal) =>
      searchWithin(budgets, request, signal, rumBytes, async bounded => store.searchRum(ns, bounded, signal)),
    searchErrors: async (ns, request, signal) =>
      searchWithin(budgets, request, signal, errorBytes, async bounded => store.searchErrors(ns, bounded, signal))
  }
}

/** Spans of searches and of small traces; large traces have a bound of their own, `LargeReads`. */
export function budgetedTraces(store: TraceStore, budgets: ReadBudgets): TraceStore {
  return {
    ...forwardingTraces(store),
    searchSpans: async (ns, request, signal) =>
      searchWithin(budgets, request, signal, spanBytes, async bounded => store.searchSpans(ns, bounded, signal)),
    smallTrace: async (ns, traceId, signal) =>
      budgets.read(
        signal,
        async () => store.smallTrace(ns, traceId, signal),
        trace => sumOf(trace?.spans ?? [], spanBytes)
      )
  }
}
