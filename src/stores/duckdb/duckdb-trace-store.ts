import type { TraceStore } from '../../ports/trace-store.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import { withGaps } from '../shared/with-gaps.js'
import { spanColumns } from './wire/span-columns.js'

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
    settle: () => client.settle(),
    deleteBefore: (ns, timeNs) => client.call('deleteBefore', ['spans', ns, timeNs]),
    dropNamespace: ns => client.call('dropNamespace', [['spans'], ns])
  }
}
