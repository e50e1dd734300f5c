import type { Position } from '../../domain/search.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { LogStore } from '../../ports/log-store.js'
import { LogGatherer } from './client/log-gatherer.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gaps.js'
import { withGaps } from '../shared/gaps.js'
import { LOG_ENCODER, ERROR_ENCODER, RUM_ENCODER } from './wire/record-columns.js'
import type { EventStore } from '../../ports/event-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { spanColumns } from './wire/span-columns.js'

/** Rows that a stream fetches at once: about 1 MiB of ordinary logs. */
const STREAM_PAGE_ROWS = 2_000
/** Encoding that many logs takes about 5 ms. */
const PAUSELESS_ROWS = 2_000

/** A segment is rewritten whole for the patterns of so many of its logs. */
const MAX_ASSIGNED = 1_000_000

/** `LogStore` on the embedded engine: columns out, calls to the store process in. */
export function duckDbLogStore(client: StoreClient): LogStore {
  const gatherer = new LogGatherer(request => client.append(request, true))
  const gaps: NonNullable<LogStore['gaps']> = (ns, range) => gapSentences(client.gaps, ['logs'], ns, range)
  return {
    gaps,
    unassigned: {
      maxAssigned: MAX_ASSIGNED,
      parts: ns => client.call('unassignedSegments', [ns]),
      page: (ns, from) => client.read('unassignedPage', [ns, from]),
      assign: (ns, part, assigned) => client.call('assignPatterns', [ns, part, assigned])
    },
    append: async (ns, batch) => {
      if (gatherer.takes(batch)) return gatherer.append(ns, batch)
      const { ingestId, items } = batch
      const columns = items.length > PAUSELESS_ROWS ? await LOG_ENCODER.columnsInSlices(items) : LOG_ENCODER.columns(items)
      return client.append({ kind: 'logs', ns, ingestId, rows: items.length, columns })
    },
    search: async (ns, request, signal) =>
      withGaps(await client.read('logs.search', [ns, request], signal), gaps(ns, request.range)),
    async *stream(ns, request, signal) {
      let after: Position | undefined
      for (;;) {
        const page = { ...request, limit: STREAM_PAGE_ROWS, ...(after ? { after } : {}) }
        const rows = await client.read<readonly StoredLog[]>('logs.page', [ns, page], signal)
        const last = rows.at(-1)
        if (!last) return
        yield rows
        after = { timestampNs: last.timestampNs, id: last.id }
      }
    },
    get: (ns, id) => client.read('logs.get', [ns, id]),
    fields: (ns, request, signal) => client.read('logs.fields', [ns, request], signal),
    aggregate: async (ns, request, signal) =>
      withGaps(await client.read('logs.aggregate', [ns, request], signal), gaps(ns, request.range)),
    settle: () => client.settle(),
    deleteBefore: (ns, timeNs) => client.call('deleteBefore', ['logs', ns, timeNs]),
    dropNamespace: ns => client.call('dropNamespace', [['logs'], ns])
  }
}

/** `EventStore` on the embedded engine: columns out, calls to the store process in. */
export function duckDbEventStore(client: StoreClient): EventStore {
  const gaps: NonNullable<EventStore['gaps']> = (ns, kind, range) => gapSentences(client.gaps, [kind], ns, range)
  return {
    gaps,
    appendRum: (ns, { ingestId, items }) =>
      client.append({ kind: 'rum', ns, ingestId, rows: items.length, columns: RUM_ENCODER.columns(items) }),
    appendErrors: (ns, { ingestId, items }) =>
      client.append({ kind: 'errors', ns, ingestId, rows: items.length, columns: ERROR_ENCODER.columns(items) }),
    searchRum: async (ns, request, signal) =>
      withGaps(await client.read('events.searchRum', [ns, request], signal), gaps(ns, 'rum', request.range)),
    searchErrors: async (ns, request, signal) =>
      withGaps(await client.read('events.searchErrors', [ns, request], signal), gaps(ns, 'errors', request.range)),
    vitals: (ns, request, signal) => client.read('events.vitals', [ns, request], signal),
    pageViews: async (ns, request, signal) =>
      withGaps(await client.read('events.pageViews', [ns, request], signal), gaps(ns, 'rum', request.range)),
    errorGroups: (ns, request, signal) => client.read('events.errorGroups', [ns, request], signal),
    getRum: (ns, id) => client.read('events.getRum', [ns, id]),
    getError: (ns, id) => client.read('events.getError', [ns, id]),
    settle: () => client.settle(),
    deleteBefore: (ns, kind, timeNs) => client.call('deleteBefore', [kind, ns, timeNs]),
    dropNamespace: ns => client.call('dropNamespace', [['rum', 'errors'], ns])
  }
}

/** `TraceStore` on the embedded engine: columns out, calls to the store process in. */
export function duckDbTraceStore(client: StoreClient): TraceStore {
  const gaps: NonNullable<TraceStore['gaps']> = (ns, range) => gapSentences(client.gaps, ['spans'], ns, range)
  return {
    gaps,
    append: async (ns, { ingestId, items }) => {
      const columns = await spanColumns(items)
      return client.append({ kind: 'spans', ns, ingestId, rows: items.length, columns })
    },
    searchSpans: async (ns, request, signal) =>
      withGaps(await client.read('traces.searchSpans', [ns, request], signal), gaps(ns, request.range)),
    searchTraces: async (ns, request, signal) =>
      withGaps(await client.read('traces.searchTraces', [ns, request], signal), gaps(ns, request.range)),
    summaries: (ns, traceIds, signal) => client.read('traces.summaries', [ns, traceIds], signal),
    trace: (ns, traceId, limit, signal) => client.read('traces.trace', [ns, traceId, limit], signal),
    smallTrace: (ns, traceId, signal) => client.read('traces.smallTrace', [ns, traceId], signal),
    traceIdsBySuffix: async (ns, request, signal) =>
      withGaps(await client.read('traces.traceIdsBySuffix', [ns, request], signal), gaps(ns, request.range)),
    newestOrigins: (ns, request, signal) => client.read('traces.newestOrigins', [ns, request], signal),
    stats: async (ns, request, signal) =>
      withGaps(await client.read('traces.stats', [ns, request], signal), gaps(ns, request.range)),
    serviceEdges: async (ns, request, signal) =>
      withGaps(await client.read('traces.serviceEdges', [ns, request], signal), gaps(ns, request.range)),
    fields: (ns, request, signal) => client.read('traces.fields', [ns, request], signal),
    aggregate: async (ns, request, signal) =>
      withGaps(await client.read('traces.aggregate', [ns, request], signal), gaps(ns, request.range)),
    settle: () => client.settle(),
    deleteBefore: (ns, timeNs) => client.call('deleteBefore', ['spans', ns, timeNs]),
    dropNamespace: ns => client.call('dropNamespace', [['spans'], ns])
  }
}
