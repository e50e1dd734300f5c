import type { Filter } from '../../../domain/filter.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { SearchRequest, SearchResult } from '../../../domain/search.js'
import type { StoredSpan, TraceSummary } from '../../../domain/span.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type {
  ServiceEdges,
  SpanStats,
  SpanStatsRequest,
  TraceSearchRequest,
  TraceSearchResult,
  TraceSpans,
  TraceStore,
  TraceSuffixRequest,
  TraceSuffixResult
} from '../../../ports/trace-store.js'
import type { TraceLimits } from '../limits.js'
import { EventTerms } from './event-terms.js'
import { readFields } from './fields.js'
import type { SearchContext } from './pages.js'
import { SPANS } from '../document/record-kinds.js'
import { EVERY_TIME, Scopes, type ReaderDeps } from './scopes.js'
import { searchRecords } from './search.js'
import { readServiceEdges } from './service-edges.js'
import { readSpanStats } from './span-stats.js'
import { summariesOf } from './summaries.js'
import { searchTraces } from './trace-search.js'
import { readSmallTrace, readTrace } from './trace-spans.js'
import { TraceSuffixes } from './trace-suffixes.js'

/** The reading half of `TraceStore` on Elasticsearch and OpenSearch. */
export class TraceReader {
  readonly #scopes: Scopes
  readonly #limits: TraceLimits
  readonly #eventTerms = new EventTerms()
  readonly #suffixes = new TraceSuffixes()

  constructor(deps: ReaderDeps, limits: TraceLimits) {
    this.#scopes = new Scopes(deps)
    this.#limits = limits
  }

  /** As `TraceStore.searchSpans`. */
  async searchSpans(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredSpan>> {
    const context = await this.#open(ns, request.range, signal)
    return this.#withWarnings(ns, context, request, searchRecords(context, SPANS, request))
  }

  /** As `TraceStore.searchTraces`. */
  async searchTraces(ns: NamespaceId, request: TraceSearchRequest, signal: AbortSignal): Promise<TraceSearchResult> {
    const context = await this.#open(ns, request.range, signal)
    return this.#withWarnings(ns, context, request, searchTraces(context, request, this.#limits))
  }

  /** Says when spans of the range cannot be found by what the filter names. */
  async #withWarnings<Result extends Pick<TraceSearchResult, 'complete' | 'warnings'>>(
    ns: NamespaceId,
    context: SearchContext,
    { filter }: { readonly filter: Filter },
    search: Promise<Result>
  ): Promise<Result> {
    const [result, warnings] = await Promise.all([search, this.#eventTerms.warnings(ns, context, filter)])
    return warnings.length === 0 ? result : { ...result, complete: false, warnings: [...result.warnings, ...warnings] }
  }

  /** As `TraceStore.summaries`. */
  async summaries(ns: NamespaceId, traceIds: readonly string[], signal: AbortSignal): Promise<readonly TraceSummary[]> {
    const { traces } = await summariesOf(await this.#open(ns, EVERY_TIME, signal), [...new Set(traceIds)])
    return traces
  }

  /** As `TraceStore.trace`. */
  async trace(ns: NamespaceId, traceId: string, limit: number, signal: AbortSignal): Promise<TraceSpans> {
    return readTrace(await this.#open(ns, EVERY_TIME, signal), traceId, limit)
  }

  /** As `TraceStore.smallTrace`. */
  async smallTrace(ns: NamespaceId, traceId: string, signal: AbortSignal): Promise<TraceSpans | null> {
    return readSmallTrace(await this.#open(ns, EVERY_TIME, signal), traceId)
  }

  /** As `TraceStore.traceIdsBySuffix`. */
  async traceIdsBySuffix(ns: NamespaceId, request: TraceSuffixRequest, signal: AbortSignal): Promise<TraceSuffixResult> {
    return this.#suffixes.find(ns, await this.#open(ns, request.range, signal), request)
  }

  /** As `TraceStore.newestOrigins`. */
  async newestOrigins(
    ns: NamespaceId,
    { range, filter, limit }: Parameters<TraceStore['newestOrigins']>[1],
    signal: AbortSignal
  ): ReturnType<TraceStore['newestOrigins']> {
    const { rows = [] } = await this.searchSpans(ns, { range, filter, rows: { limit, order: 'desc' } }, signal)
    return rows.map(({ service, resource }) => ({ service, resource }))
  }

  /** As `TraceStore.stats`. */
  async stats(ns: NamespaceId, request: SpanStatsRequest, signal: AbortSignal): Promise<SpanStats> {
    return readSpanStats(await this.#open(ns, request.range, signal), request)
  }

  /** As `TraceStore.serviceEdges`. */
  async serviceEdges(
    ns: NamespaceId,
    request: Parameters<TraceStore['serviceEdges']>[1],
    signal: AbortSignal
  ): Promise<ServiceEdges> {
    return readServiceEdges(await this.#open(ns, request.range, signal), request, this.#limits)
  }

  /** As `TraceStore.fields`. */
  async fields(
    ns: NamespaceId,
    request: Parameters<TraceStore['fields']>[1],
    signal: AbortSignal
  ): ReturnType<TraceStore['fields']> {
    return readFields(await this.#open(ns, request.range, signal), 'spans', request)
  }

  #open(ns: NamespaceId, range: TimeRange, signal: AbortSignal): Promise<SearchContext> {
    return this.#scopes.open({ ns, kind: 'spans', range, signal })
  }
}
