import type { EventStore } from '../../ports/event-store.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import { withGaps } from '../shared/with-gaps.js'
import { ERROR_ENCODER, RUM_ENCODER } from './wire/record-columns.js'

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
