import { allOf, type Filter } from '../domain/filter.js'
import { GatewayError } from '../domain/errors.js'
import { parseRecordId, type RecordId } from '../domain/ids.js'
import type { StoredLog } from '../domain/records/log.js'
import { type Namespace, retentionStartNs } from '../domain/namespace.js'
import type { HistogramRequest, Order, RowsRequest, SearchRequest, SearchResult } from '../domain/search.js'
import type { ResolvedWindow, TimeRange } from '../domain/time-range.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { StreamLedger } from '../ports/stream-ledger.js'
import { boundedCount } from './bounds.js'
import { type ConditionCount, conditionCounts } from './condition-counts.js'
import { logFilter } from './conditions.js'
import type { CursorCodec } from './cursor.js'
import { gapsAround } from './gaps-around.js'
import { emptyHints } from './empty-hints.js'
import { checkHistogramCount, histogramCounts, histogramRequest } from './histogram.js'
import { ListPage } from './list-page.js'
import { type LogsAround, logsAround } from './log-around.js'
import type { LogSearchResult, LogQuery, LogStream } from './log-query.js'
import { checkFacetCount, facetCounts, facetRequest, spreadRequest } from './log-facets.js'
import { logBytes } from './row-bytes.js'
import { clipToRetention, HOUR_MS, type ReadPlace, readWindow, type ReadWindow, wholeRetention } from './read-window.js'
import type { QuerySettings } from './settings.js'
import { timedPages } from './timed-pages.js'
import { spellingHints } from './spelling-hints.js'
import { gapsInSearch } from './streams/gaps-in-search.js'
import { fieldOf, LOG_VOCABULARY } from './vocabulary.js'
import { distinctWarnings, type Warning } from '../domain/warning.js'

/** Dependencies of `LogSearch`. */
export interface LogSearchDeps {
  readonly logs: LogStore
  readonly streams: Pick<StreamLedger, 'lost'>
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

/** Lines around a log are looked for this far away. */
const SURROUNDING_NS = 86_400_000_000_000n
const MAX_SURROUNDING = 100

/** The same service and host, or the same lack of one. */
function sameOrigin(log: StoredLog): Filter {
  const condition = (name: 'service' | 'host'): Filter => {
    const field = { in: 'known', name } as const
    const value = log[name]
    return value === null ? { kind: 'not', of: { kind: 'exists', field } } : { kind: 'eq', field, value }
  }
  return allOf([condition('service'), condition('host')])
}

/** Searches logs: the use case of `POST /api/v1/logs/query` and of the field `logs` of GraphQL. Retention holds at reading. */
export class LogSearch {
  readonly #deps: LogSearchDeps

  constructor(deps: LogSearchDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`. */
  async search(ns: Namespace, query: LogQuery, signal: AbortSignal): Promise<LogSearchResult> {
    const { clock, logs, cursors, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    const filter = logFilter(query.conditions)
    const page = new ListPage({ codec: cursors, settings }, { list: 'logs', namespace: ns.id, filter }, query)
    const window = this.#window(ns, query, page.resumed)
    const { range, warnings } = window
    const { histograms = [], facets = [], spreads = [] } = query
    checkHistogramCount(histograms)
    checkFacetCount(facets, spreads)
    const requested = histograms.map(histogram => histogramRequest(histogram, range, LOG_VOCABULARY))
    const isAround = query.around !== undefined && query.rows !== false
    const request = toRequest({ range, filter }, isAround ? undefined : page.request(), query, requested[0])
    const around = isAround ? await this.#around(ns, query.around, { range, filter, page }, signal) : null
    const [lost, found, ...further] = await Promise.all([
      gapsInSearch(this.#deps.streams, ns.id, { filter, range }),
      isAround && isBare(request) ? NOTHING : logs.search(ns.id, request, signal),
      // A store counts one histogram at a time.
      ...requested.slice(1).map(histogram => logs.search(ns.id, { range, filter, histogram }, signal))
    ])
    const fields = facets.map(({ field }) => fieldOf(LOG_VOCABULARY, field))
    const isEmpty = page.resumed === null && !isAround && foundNothing(request, found)
    const hints = isEmpty
      ? [
          ...(await spellingHints({ ns: ns.id, filter, range, search: (...given) => logs.search(...given) }, signal)),
          ...emptyHints({ filter, vocabulary: LOG_VOCABULARY, window: window.requested, fields })
        ]
      : []
    const parts = [found, ...further, ...(around?.sides ?? [])]
    return {
      ...page.paged(around ?? found, window.requested, logBytes),
      window: window.requested,
      complete: warnings.length === 0 && lost.cuts.length === 0 && parts.every(part => part.complete),
      gaps: lost.gaps,
      warnings: distinctWarnings([...warnings, ...lost.cuts, ...parts.flatMap(part => part.warnings), ...hints]),
      total: found.total ?? null,
      histograms: requested.map((histogram, i) => histogramCounts(histogram, [found, ...further][i]?.histogram ?? [])),
      facets: facets.map((facet, i) => facetCounts(facet.field, filter, found.facets![i]!, LOG_VOCABULARY)),
      spreads: spreads.map(({ field }, i) => ({ ...found.spreads![i]!, field })),
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  /** As `search`, for all rows up to `limit`, which has no upper bound here; each page must come within the time limit. */
  stream(ns: Namespace, query: LogQuery, signal: AbortSignal): LogStream {
    const { logs, settings } = this.#deps
    const filter = logFilter(query.conditions)
    const window = this.#window(ns, query, null)
    const request = { range: window.range, filter, order: query.order ?? 'desc' }
    const gaps = gapsAround(() => logs.gaps?.(ns.id, window.range))
    let lost: readonly Warning[] = []
    const begin = async (): Promise<void> => {
      lost = (await gapsInSearch(this.#deps.streams, ns.id, { filter, range: window.range })).cuts
    }
    return {
      facts: () => {
        const warnings = [...window.warnings, ...lost, ...gaps()]
        return { window: window.requested, complete: warnings.length === 0, warnings }
      },
      pages: startedBy(begin, () => timedPages(inner => logs.stream(ns.id, request, inner), signal, settings.timeoutMs))
    }
  }

  /** Null for an unknown id, one of another namespace and one past the retention. */
  async get(ns: Namespace, id: string): Promise<StoredLog | null> {
    if (!parseRecordId(id)) return null
    const log = await this.#deps.logs.get(ns.id, id as RecordId)
    if (!log || log.timestampNs < retentionStartNs(ns.retention, 'logs', this.#deps.clock.nowNs())) return null
    return log
  }

  /** The lines before and after a log from the same service and host, oldest first, the log itself left out. */
  async surrounding(
    ns: Namespace,
    log: StoredLog,
    count: { readonly before: number; readonly after: number },
    signal: AbortSignal
  ): Promise<readonly StoredLog[]> {
    const filter = sameOrigin(log)
    const startNs = log.timestampNs - SURROUNDING_NS
    const requested = { startNs, endNs: log.timestampNs + SURROUNDING_NS, unitDetected: 'default' } as const
    const { range } = clipToRetention(requested, this.#place(ns))
    const side = async (order: Order, name: 'before' | 'after') => {
      const limit = boundedCount(count[name], name, { least: 0, most: MAX_SURROUNDING, otherwise: 0 })
      if (limit === 0) return []
      const rows = { limit, order, after: { timestampNs: log.timestampNs, id: log.id } }
      return (await this.#deps.logs.search(ns.id, { range, filter, rows }, signal)).rows ?? []
    }
    const [before, after] = await Promise.all([side('desc', 'before'), side('asc', 'after')])
    return [...before.toReversed(), ...after]
  }

  /** Counts per condition of a search that found nothing. Throws as `search`. */
  async conditions(ns: Namespace, query: LogQuery, signal: AbortSignal): Promise<readonly ConditionCount[]> {
    const filter = logFilter(query.conditions)
    const { range } = this.#window(ns, query, null)
    return conditionCounts(this.#deps.logs, ns.id, { filter, range }, signal)
  }

  async #around(
    ns: Namespace,
    id: string,
    { range, filter, page }: { readonly range: TimeRange; readonly filter: Filter; readonly page: ListPage },
    signal: AbortSignal
  ): Promise<LogsAround> {
    if (page.resumed) throw new GatewayError('invalid_field', 'use around or a cursor, not both', { field: 'around' })
    const record = await this.get(ns, id)
    if (!record) throw new GatewayError('not_found', 'no log record has the id in around', { field: 'around' })
    const { limit, order } = page
    const request = { range, filter, record, limit, order, maxBytes: this.#deps.settings.maxPageBytes }
    return logsAround(this.#deps.logs, ns.id, request, signal)
  }

  #place(namespace: Namespace): ReadPlace {
    return { namespace, signal: 'logs', nowNs: this.#deps.clock.nowNs() }
  }

  #window(ns: Namespace, query: LogQuery, resumed: ResolvedWindow | null): ReadWindow {
    const place = this.#place(ns)
    if (resumed) return clipToRetention(resumed, place)
    const isUnbounded = (query.start ?? '') === '' && (query.end ?? '') === ''
    if (query.otherwise && isUnbounded) return clipToRetention({ ...query.otherwise, unitDetected: 'default' }, place)
    if (query.wholeRetention === true && isUnbounded) return wholeRetention(place)
    return readWindow(query, place, HOUR_MS)
  }
}

/** Pages that are read when something else is done. */
async function* startedBy<Page>(
  begin: () => Promise<void>,
  pages: () => AsyncIterable<Page>
): AsyncGenerator<Page, void, undefined> {
  await begin()
  yield* pages()
}

const NOTHING: SearchResult<StoredLog> = { complete: true, warnings: [] }

/** Whether a request has only rows. */
function isBare({ total, histogram, facets, spreads }: SearchRequest): boolean {
  return [total, histogram, facets, spreads].every(part => part === undefined)
}

/** No row, or where none was requested, nothing counted, or no value of any facet. */
function foundNothing({ rows }: SearchRequest, { rows: found = [], total, facets }: SearchResult<StoredLog>): boolean {
  if (rows !== undefined && rows.limit > 0) return found.length === 0
  if (facets !== undefined) return facets.every(({ values }) => values.length === 0)
  return total?.value === 0
}

/** One request for all that one view of the store can return. */
function toRequest(
  { range, filter }: { readonly range: TimeRange; readonly filter: Filter },
  rows: RowsRequest | undefined,
  query: LogQuery,
  histogram: HistogramRequest | undefined
): SearchRequest {
  const { facets = [], spreads = [], total = false } = query
  return {
    range,
    filter,
    ...(rows && { rows }),
    ...(total && { total }),
    ...(histogram && { histogram }),
    ...(facets.length > 0 && { facets: facets.map(facet => facetRequest(facet, filter, LOG_VOCABULARY)) }),
    ...(spreads.length > 0 && { spreads: spreads.map(spread => spreadRequest(spread, filter, LOG_VOCABULARY)) })
  }
}
