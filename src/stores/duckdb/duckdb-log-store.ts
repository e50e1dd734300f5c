import type { Position } from '../../domain/search.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { LogStore } from '../../ports/log-store.js'
import { LogGatherer } from './client/log-gatherer.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import { withGaps } from '../shared/with-gaps.js'
import { LOG_ENCODER } from './wire/record-columns.js'

/** Rows that a stream fetches at once: about 1 MiB of ordinary logs. */
const STREAM_PAGE_ROWS = 2_000
/** Encoding that many logs takes about 5 ms. */
const PAUSELESS_ROWS = 2_000

/** `LogStore` on the embedded engine: columns out, calls to the store process in. */
export function duckDbLogStore(client: StoreClient): LogStore {
  const gatherer = new LogGatherer(request => client.append(request, true))
  const gaps: NonNullable<LogStore['gaps']> = (ns, range) => gapSentences(client.gaps, ['logs'], ns, range)
  return {
    gaps,
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
    settle: () => client.settle(),
    deleteBefore: (ns, timeNs) => client.call('deleteBefore', ['logs', ns, timeNs]),
    dropNamespace: ns => client.call('dropNamespace', [['logs'], ns])
  }
}
