import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredLog } from '../../../domain/records/log.js'
import type { FieldSummary, SearchRequest, SearchResult } from '../../../domain/search.js'
import type { LogStore, StreamRequest } from '../../../ports/log-store.js'
import { deciderOf } from './decider.js'
import { readFields } from './fields.js'
import { readPages } from './pages.js'
import { LOGS } from '../document/record-kinds.js'
import { Scopes, type ReaderDeps } from './scopes.js'
import { searchRecords } from './search.js'

/** Rows that a stream fetches at once: about 1 MiB of ordinary logs. */
const STREAM_PAGE_ROWS = 2_000

type FieldsRequest = Parameters<LogStore['fields']>[1]

/** The reading half of `LogStore` on Elasticsearch and OpenSearch. */
export class LogReader {
  readonly #scopes: Scopes

  constructor(deps: ReaderDeps) {
    this.#scopes = new Scopes(deps)
  }

  /** As `LogStore.search`. */
  async search(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredLog>> {
    const context = await this.#scopes.open({ ns, kind: 'logs', range: request.range, signal })
    return searchRecords(context, LOGS, request)
  }

  /** As `LogStore.stream`. */
  async *stream(ns: NamespaceId, request: StreamRequest, signal: AbortSignal): AsyncIterable<readonly StoredLog[]> {
    const context = await this.#scopes.open({ ns, kind: 'logs', range: request.range, signal })
    const { query, matches } = deciderOf(context, 'logs', request.filter)
    const pages = readPages(context, { query, order: request.order, size: STREAM_PAGE_ROWS, after: undefined })
    for await (const page of pages) {
      const kept = matches ? page.filter(matches) : page
      if (kept.length > 0) yield kept.map(LOGS.toRecord)
      signal.throwIfAborted()
    }
  }

  /** As `LogStore.get`. */
  get(ns: NamespaceId, id: RecordId): Promise<StoredLog | null> {
    return this.#scopes.get({ ns, id }, LOGS)
  }

  /** As `LogStore.fields`. */
  async fields(
    ns: NamespaceId,
    request: FieldsRequest,
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
    return readFields(await this.#scopes.open({ ns, kind: 'logs', range: request.range, signal }), 'logs', request)
  }
}
