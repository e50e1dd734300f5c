import type { LogStore } from '../../../ports/log-store.js'
import { deciderOf } from './decider.js'
import { readFields } from './fields.js'
import { readPages } from './pages.js'
import { LOGS } from '../document/record-kinds.js'
import { Scopes, type ReaderDeps } from './scopes.js'
import { searchRecords } from './search.js'

/** Rows that a stream fetches at once: about 1 MiB of ordinary logs. */
const STREAM_PAGE_ROWS = 2_000

/** The reading half of `LogStore` on Elasticsearch and OpenSearch. */
export function logReader(deps: ReaderDeps): Pick<LogStore, 'search' | 'stream' | 'get' | 'fields'> {
  const scopes = new Scopes(deps)
  return {
    search: async (ns, request, signal) =>
      searchRecords(await scopes.open({ ns, kind: 'logs', range: request.range, signal }), LOGS, request),
    async *stream(ns, request, signal) {
      const context = await scopes.open({ ns, kind: 'logs', range: request.range, signal })
      const { query, matches } = deciderOf(context, 'logs', request.filter)
      const pages = readPages(context, { query, order: request.order, size: STREAM_PAGE_ROWS, after: undefined })
      for await (const page of pages) {
        const kept = matches ? page.filter(matches) : page
        if (kept.length > 0) yield kept.map(LOGS.toRecord)
        signal.throwIfAborted()
      }
    },
    get: (ns, id) => scopes.get({ ns, id }, LOGS),
    fields: async (ns, request, signal) =>
      readFields(await scopes.open({ ns, kind: 'logs', range: request.range, signal }), 'logs', request)
  }
}
