import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { FieldSummary, SearchRequest, SearchResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Span, StoredSpan, TraceSummary } from '../../domain/span.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type {
  ServiceEdges,
  ServiceEdgesRequest,
  SpanOrigin,
  SpanStats,
  SpanStatsRequest,
  TraceSearchRequest,
  TraceSearchResult,
  TraceSpans,
  TraceStore,
  TraceSuffixRequest,
  TraceSuffixResult
} from '../../ports/trace-store.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import { withGaps } from '../shared/with-gaps.js'
import type { SpanFieldsRequest, SpanOriginsRequest } from './read/trace-reader.js'
import { spanColumns } from './wire/span-columns.js'
import type { Warning } from '../../domain/warning.js'

/** `TraceStore` on the embedded engine: columns out, calls to the store process in. */
export class DuckDbTraceStore implements TraceStore {
  readonly #client: StoreClient

  constructor(client: StoreClient) {
    this.#client = client
  }

  async append(ns: NamespaceId, { ingestId, items }: Batch<Span>): Promise<AppendResult> {
    const columns = await spanColumns(items)
    return this.#client.append({ kind: 'spans', ns, ingestId, rows: items.length, columns })
  }

  async searchSpans(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredSpan>> {
    const found = await this.#client.read<SearchResult<StoredSpan>>('traces.searchSpans', [ns, request], signal)
    return withGaps(found, this.gaps(ns, request.range))
  }

  async searchTraces(ns: NamespaceId, request: TraceSearchRequest, signal: AbortSignal): Promise<TraceSearchResult> {
    const found = await this.#client.read<TraceSearchResult>('traces.searchTraces', [ns, request], signal)
    return withGaps(found, this.gaps(ns, request.range))
  }

  gaps(ns: NamespaceId, range: TimeRange): readonly Warning[] {
    return gapSentences(this.#client.gaps, ['spans'], ns, range)
  }

  summaries(ns: NamespaceId, traceIds: readonly string[], signal: AbortSignal): Promise<readonly TraceSummary[]> {
    return this.#client.read('traces.summaries', [ns, traceIds], signal)
  }

  trace(ns: NamespaceId, traceId: string, limit: number, signal: AbortSignal): Promise<TraceSpans> {
    return this.#client.read('traces.trace', [ns, traceId, limit], signal)
  }

  smallTrace(ns: NamespaceId, traceId: string, signal: AbortSignal): Promise<TraceSpans | null> {
    return this.#client.read('traces.smallTrace', [ns, traceId], signal)
  }

  async traceIdsBySuffix(ns: NamespaceId, request: TraceSuffixRequest, signal: AbortSignal): Promise<TraceSuffixResult> {
    const found = await this.#client.read<TraceSuffixResult>('traces.traceIdsBySuffix', [ns, request], signal)
    return withGaps(found, this.gaps(ns, request.range))
  }

  newestOrigins(ns: NamespaceId, request: SpanOriginsRequest, signal: AbortSignal): Promise<readonly SpanOrigin[]> {
    return this.#client.read('traces.newestOrigins', [ns, request], signal)
  }

  async stats(ns: NamespaceId, request: SpanStatsRequest, signal: AbortSignal): Promise<SpanStats> {
    const found = await this.#client.read<SpanStats>('traces.stats', [ns, request], signal)
    return withGaps(found, this.gaps(ns, request.range))
  }

  async serviceEdges(ns: NamespaceId, request: ServiceEdgesRequest, signal: AbortSignal): Promise<ServiceEdges> {
    const found = await this.#client.read<ServiceEdges>('traces.serviceEdges', [ns, request], signal)
    return withGaps(found, this.gaps(ns, request.range))
  }

  fields(
    ns: NamespaceId,
    request: SpanFieldsRequest,
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
    return this.#client.read('traces.fields', [ns, request], signal)
  }

  /** Nothing to do: what is acknowledged is visible. */
  async settle(_ns: NamespaceId): Promise<void> {
    if (!this.#client.state.isRunning) throw new GatewayError('store_unavailable', this.#client.state.detail)
  }

  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    return this.#client.call('deleteBefore', ['spans', ns, timeNs])
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#client.call('dropNamespace', [['spans'], ns])
  }
}
