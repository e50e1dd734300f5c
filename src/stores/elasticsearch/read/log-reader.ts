import { flatten } from '../../../domain/flatten.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredLog } from '../../../domain/log-record.js'
import type { FieldSummary, SearchRequest, SearchResult } from '../../../domain/search.js'
import type { LogStore, StreamRequest } from '../../../ports/log-store.js'
import { FieldSummaries } from '../../field-summary.js'
import { objectOf, type Source } from '../document/document-reader.js'
import { LOG_FIELDS_OBJECT, TAGS_OBJECT } from '../document/field-names.js'
import { compileFilter } from './compile-filter.js'
import { documentMatcher, neededMembers } from './decide.js'
import { MAX_PAGE, readPages, type Asking } from './pages.js'
import { LOGS } from './record-kind.js'
import { Scopes, type ReaderDeps } from './scopes.js'
import { searchRecords } from './search.js'
import { isExact } from './verdict.js'

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
    const asking = await this.#scopes.open({ ns, kind: 'logs', range: request.range, signal })
    return searchRecords(asking, LOGS, request)
  }

  /** As `LogStore.stream`. */
  async *stream(ns: NamespaceId, request: StreamRequest, signal: AbortSignal): AsyncIterable<readonly StoredLog[]> {
    const asking = await this.#scopes.open({ ns, kind: 'logs', range: request.range, signal })
    const { verdict, matches } = this.#decider(asking, request)
    const pages = readPages(asking, { query: verdict.maybe, order: request.order, size: STREAM_PAGE_ROWS, after: undefined })
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
    const asking = await this.#scopes.open({ ns, kind: 'logs', range: request.range, signal })
    const { limit, sampleRows } = request
    const sources = await this.#newest(asking, request, sampleRows + 1)
    const summaries = new FieldSummaries()
    for (const source of sources.slice(0, sampleRows)) {
      summaries.add('log_fields', flatten(objectOf(source, LOG_FIELDS_OBJECT)))
      summaries.add('tags', flatten(objectOf(source, TAGS_OBJECT)))
    }
    return { fields: summaries.top(limit), sampled: sources.length > sampleRows }
  }

  async #newest(asking: Asking, request: FieldsRequest, wanted: number): Promise<readonly Source[]> {
    const { verdict, matches } = this.#decider(asking, request)
    const members = [...new Set([...neededMembers([request.filter], 'logs'), LOG_FIELDS_OBJECT, TAGS_OBJECT])]
    const size = Math.min(wanted, MAX_PAGE)
    const found: Source[] = []
    for await (const page of readPages(asking, { query: verdict.maybe, order: 'desc', size, after: undefined, members })) {
      found.push(...(matches ? page.filter(matches) : page))
      if (found.length >= wanted) break
    }
    return found.slice(0, wanted)
  }

  /** How to find what matches: by the engine's query, and by a look at each record where that is not enough. */
  #decider({ scope }: Asking, { filter }: Pick<StreamRequest, 'filter'>) {
    const verdict = compileFilter(filter, { kind: 'logs', search: scope.target.search })
    return { verdict, matches: isExact(verdict) ? null : documentMatcher(filter, 'logs') }
  }
}
