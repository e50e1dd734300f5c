import type { Filter } from '../../../domain/filter.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { FieldSummary, SearchRequest, SearchResult } from '../../../domain/search.js'
import type { StoredSpan, TraceSummary } from '../../../domain/span.js'
import { ALL_TIME, type TimeRange } from '../../../domain/time-range.js'
import type {
  ServiceEdges,
  ServiceEdgesRequest,
  SpanOrigin,
  SpanStats,
  SpanStatsRequest,
  TraceSearchRequest,
  TraceSearchResult,
  TraceSpans,
  TraceSuffixRequest,
  TraceSuffixResult
} from '../../../ports/trace-store.js'
import type { Snapshots } from '../snapshot.js'
import { summarizeFields } from './log-reader.js'
import { readRows } from './read-rows.js'
import { readSmallTrace, readTrace } from './read-trace.js'
import { inSnapshot, isHeavyFilter, isHeavySearch } from './reading.js'
import { ORDER_COLUMNS } from './record-order.js'
import { searchRecords } from './search.js'
import { searchTraces } from './search-traces.js'
import { type LongEdges, readServiceEdges } from './service-edges.js'
import { CellStats } from './cell-stats.js'
import { EdgeCells } from './edge-cells.js'
import { SpanCells } from './span-cells.js'
import { type LongRanges, readSpanStats } from './span-stats.js'
import { sentObject, text } from './stored-record.js'
import { SPANS } from './stored-span.js'
import { summarizeTraces } from './trace-summaries.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { spansBySuffixSql, SUFFIX_SQL } from './spans-of-traces.js'
import { runStatement } from './statement.js'

/** As `TraceStore.traceIdsBySuffix`; the scope has the range of the request. */
async function readTraceIdsBySuffix(scope: Scope, { suffixes, limit }: TraceSuffixRequest): Promise<readonly string[]> {
  if (suffixes.length === 0) return []
  const params = new Params()
  const spans = await spansBySuffixSql(scope, [...new Set(suffixes)], ['trace_id'], params)
  const sql = `SELECT trace_id FROM (SELECT DISTINCT trace_id FROM ${spans})
    QUALIFY row_number() OVER (PARTITION BY ${SUFFIX_SQL} ORDER BY trace_id) <= ${params.add(limit)} ORDER BY trace_id`
  return (await runStatement(scope, sql, params)).map(row => row['trace_id'] as string)
}

/** Which fields to summarize; see `TraceStore.fields`. */
export interface SpanFieldsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly limit: number
  readonly sampleRows: number
}

/** Which spans' origins to read; see `TraceStore.newestOrigins`. */
export interface SpanOriginsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly limit: number
}

/** Fewer are read in little more time than cells take, and exactly. */
const LEAST_ROWS = 200_000

/** The reading half of `TraceStore` on DuckDB; answers from hot tables and segments alike. */
export class TraceReader {
  readonly #snapshots: Snapshots
  readonly #long: LongRanges & LongEdges

  /** @param leastRows sealed spans of a long range from which on its statistics are counted by cells. */
  constructor(snapshots: Snapshots, leastRows = LEAST_ROWS) {
    this.#snapshots = snapshots
    // Each has a memory of its own: a map of many edges must not push out what lists of services ask for.
    this.#long = { cells: new CellStats(new SpanCells()), edgeCells: new EdgeCells(new SpanCells()), leastRows }
  }

  /** As `TraceStore.searchSpans`. */
  searchSpans(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredSpan>> {
    const options = { kind: 'spans', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
    return inSnapshot(this.#snapshots, options, scope => searchRecords(scope, SPANS, request))
  }

  /** As `TraceStore.trace`. */
  trace(ns: NamespaceId, traceId: string, limit: number, signal: AbortSignal): Promise<TraceSpans> {
    const options = { kind: 'spans', ns, range: ALL_TIME, heavy: true, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readTrace(scope, traceId, limit))
  }

  /** As `TraceStore.smallTrace`. */
  smallTrace(ns: NamespaceId, traceId: string, signal: AbortSignal): Promise<TraceSpans | null> {
    const options = { kind: 'spans', ns, range: ALL_TIME, heavy: false, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readSmallTrace(scope, traceId))
  }

  /** As `TraceStore.traceIdsBySuffix`. */
  traceIdsBySuffix(ns: NamespaceId, request: TraceSuffixRequest, signal: AbortSignal): Promise<TraceSuffixResult> {
    const options = { kind: 'spans', ns, range: request.range, heavy: false, signal } as const
    return inSnapshot(this.#snapshots, options, async scope => ({
      traceIds: await readTraceIdsBySuffix(scope, request),
      complete: true,
      warnings: []
    }))
  }

  /** As `TraceStore.searchTraces`. */
  searchTraces(ns: NamespaceId, request: TraceSearchRequest, signal: AbortSignal): Promise<TraceSearchResult> {
    const { filter, rows, total, conditions } = request
    // Conditions on whole traces and places far down a list may end in a ranking of all that match.
    const mayRank =
      rows.by === 'duration' || rows.order === 'asc' || rows.after !== undefined || Object.keys(conditions).length > 0
    const heavy = total === true || mayRank || isHeavyFilter(filter)
    const options = { kind: 'spans', ns, range: ALL_TIME, heavy, signal } as const
    return inSnapshot(this.#snapshots, options, scope => searchTraces(scope, request))
  }

  /** As `TraceStore.summaries`. */
  summaries(ns: NamespaceId, traceIds: readonly string[], signal: AbortSignal): Promise<readonly TraceSummary[]> {
    const options = { kind: 'spans', ns, range: ALL_TIME, heavy: false, signal } as const
    return inSnapshot(this.#snapshots, options, async scope => [...(await summarizeTraces(scope, traceIds)).values()])
  }

  /** As `TraceStore.newestOrigins`. */
  newestOrigins(
    ns: NamespaceId,
    { range, filter, limit }: SpanOriginsRequest,
    signal: AbortSignal
  ): Promise<readonly SpanOrigin[]> {
    const columns = [...ORDER_COLUMNS, 'service', 'tags_json', 'tags_sent']
    const query = { fields: SPANS.fields, filter, order: 'desc', limit, columns, isNarrow: true } as const
    const options = { kind: 'spans', ns, range, heavy: isHeavyFilter(filter), signal } as const
    return inSnapshot(this.#snapshots, options, async scope =>
      (await readRows(scope, query)).map(row => ({ service: text(row, 'service'), resource: sentObject(row, 'tags') }))
    )
  }

  /** As `TraceStore.stats`. */
  stats(ns: NamespaceId, request: SpanStatsRequest, signal: AbortSignal): Promise<SpanStats> {
    const options = { kind: 'spans', ns, range: request.range, heavy: true, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readSpanStats(scope, request, this.#long))
  }

  /** As `TraceStore.serviceEdges`. */
  serviceEdges(ns: NamespaceId, request: ServiceEdgesRequest, signal: AbortSignal): Promise<ServiceEdges> {
    const options = { kind: 'spans', ns, range: ALL_TIME, heavy: true, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readServiceEdges(scope, request, this.#long))
  }

  /** As `TraceStore.fields`. */
  fields(
    ns: NamespaceId,
    { range, filter, limit, sampleRows }: SpanFieldsRequest,
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
    const columns = [...ORDER_COLUMNS, 'fields_json', 'tags_json']
    const query = { fields: SPANS.fields, filter, order: 'desc', limit: sampleRows + 1, columns } as const
    const options = { kind: 'spans', ns, range, heavy: isHeavyFilter(filter), signal } as const
    return inSnapshot(this.#snapshots, options, async scope => {
      const rows = await readRows(scope, query)
      return { fields: summarizeFields(rows.slice(0, sampleRows), limit), sampled: rows.length > sampleRows }
    })
  }
}
