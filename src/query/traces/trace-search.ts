import type { FacetRequest, HistogramRequest, SearchResult } from '../../domain/search.js'
import type { StoredSpan, TraceSummary } from '../../domain/span.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { SpanStats, SpanStatsRequest, TraceSearchRequest, TraceSearchResult, TraceStore } from '../../ports/trace-store.js'
import { boundedCount } from '../bounds.js'
import type { CursorCodec, CursorPosition } from '../cursor.js'
import { emptyHints } from '../empty-hints.js'
import { spellingHints } from '../spelling-hints.js'
import { checkHistogramCount, histogramCounts, histogramRequest } from '../histogram.js'
import { rowBytes } from '../json-bytes.js'
import { ListPage } from '../list-page.js'
import { checkFacetCount, facetCounts, facetRequest } from '../log-facets.js'
import { clipToRetention, HOUR_MS, readWindow } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { durationBounds, type HeatmapRequest, heatmapRequest, toHeatmap } from './duration-heatmap.js'
import { SPAN_VOCABULARY } from './span-vocabulary.js'
import { type TraceRequest, traceRequest } from './trace-conditions.js'
import type { DurationHistogram, TracePoints, TraceSearchPage, TraceQuery } from './trace-query.js'
import { distinctWarnings } from '../../domain/warning.js'

/** Dependencies of `TraceSearch`. */
export interface TraceSearchDeps {
  readonly traces: TraceStore
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

const DEFAULT_DURATION_BUCKETS = 40
const MAX_DURATION_BUCKETS = 200
const MAX_POINTS = 2_000
const PERCENTILES = [0.5, 0.9, 0.99] as const
const SPANS_COUNTED =
  'histogram, durations, heatmap and facets count all spans that match, including spans of traces that conditions on whole traces exclude'

/** A summary as a row of a list that is sorted by one of its numbers. */
interface Row extends CursorPosition {
  readonly summary: TraceSummary
}

type Sort = 'start' | 'duration'

function toRow(summary: TraceSummary, sort: Sort): Row {
  const timestampNs = sort === 'start' ? summary.startNs : summary.durationNs
  return { timestampNs, id: summary.traceId, summary }
}

function bytesOf({ summary }: Row): number {
  return rowBytes(...summary.services.map(({ service }) => service))
}

/** The parts of one query to the store: each only if requested. */
interface Parts {
  readonly histograms: readonly HistogramRequest[]
  readonly durations: readonly (readonly bigint[])[]
  readonly heatmaps: readonly HeatmapRequest[]
  /** Limits, in traces. */
  readonly points: readonly number[]
  readonly facets: readonly FacetRequest[]
}

/** The results of the store. */
interface StoreResults {
  readonly traces: TraceSearchResult | null
  /** The first carries the first histogram and the facets. */
  readonly spans: readonly SearchResult<StoredSpan>[]
  readonly durations: readonly SpanStats[]
  readonly heatmaps: readonly SpanStats[]
  readonly points: readonly TraceSearchResult[]
}

/** Searches traces: the use case under `GET /api/v1/traces` and the field `traces` of GraphQL. Retention holds at reading. */
export class TraceSearch {
  readonly #deps: TraceSearchDeps

  constructor(deps: TraceSearchDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`. */
  async search(ns: Namespace, query: TraceQuery, signal: AbortSignal): Promise<TraceSearchPage> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const { sort = 'start' } = query
    const tracesRequest = traceRequest(query.conditions)
    const page = this.#page(ns, tracesRequest, query)
    const place = { namespace: ns, signal: 'traces', nowNs: clock.nowNs() } as const
    const window = page.resumed ? clipToRetention(page.resumed, place) : readWindow(query, place, HOUR_MS)
    const parts = partsOf(query, tracesRequest, window.range)
    const found = await this.#load(ns, { tracesRequest, parts, page, query, range: window.range }, signal)
    const finished = [found.traces, ...found.spans, ...found.durations, ...found.heatmaps, ...found.points].filter(
      part => part !== null
    )
    const rows = { rows: found.traces?.traces.map(summary => toRow(summary, sort)), hasMore: found.traces?.hasMore }
    const cut = page.paged(rows, window.requested, bytesOf)
    const isEmpty = page.resumed === null && query.rows !== false && page.limit > 0 && cut.rows.length === 0
    const { filter } = tracesRequest
    const { traces } = this.#deps
    const unfound = { ns: ns.id, filter, range: window.range, search: traces.searchSpans.bind(traces) }
    const hints = isEmpty
      ? [
          ...(await spellingHints(unfound, signal)),
          ...emptyHints({ filter, vocabulary: SPAN_VOCABULARY, window: window.requested })
        ]
      : []
    return {
      ...cut,
      rows: cut.rows.map(({ summary }) => summary),
      cursorOf: summary => cut.cursorOf(toRow(summary, sort)),
      window: window.requested,
      complete: window.warnings.length === 0 && finished.every(part => part.complete),
      warnings: distinctWarnings([
        ...window.warnings,
        ...finished.flatMap(part => part.warnings),
        ...countedSpans(tracesRequest, parts),
        ...hints
      ]),
      total: found.traces?.total ?? null,
      ...counted(query, tracesRequest, parts, found),
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  #page(ns: Namespace, { filter, conditions }: TraceRequest, query: TraceQuery): ListPage {
    const { cursors: codec, settings: all } = this.#deps
    const settings = { ...all, defaultRows: all.defaultTraces, maxRows: all.maxTraces }
    const list = query.sort === 'duration' ? 'traces by duration' : 'traces by start'
    const { minDurationNs, maxDurationNs, hasError } = conditions
    const also = JSON.stringify([minDurationNs, maxDurationNs, hasError].map(String))
    return new ListPage({ codec, settings }, { list, namespace: ns.id, filter, conditions: also }, query)
  }

  async #load(
    ns: Namespace,
    requested: {
      readonly tracesRequest: TraceRequest
      readonly parts: Parts
      readonly page: ListPage
      readonly query: TraceQuery
      readonly range: TimeRange
    },
    signal: AbortSignal
  ): Promise<StoreResults> {
    const { traces } = this.#deps
    const { tracesRequest, parts, range } = requested
    const { filter } = tracesRequest
    const [first, ...further] = parts.histograms
    const hasCounts = first !== undefined || parts.facets.length > 0
    const withFirst = { ...(first && { histogram: first }), ...(parts.facets.length > 0 && { facets: parts.facets }) }
    const searches = [...(hasCounts ? [withFirst] : []), ...further.map(histogram => ({ histogram }))]
    const stats = async (boundsNs: readonly bigint[], also: Partial<SpanStatsRequest>): Promise<SpanStats> =>
      traces.stats(ns.id, { range, filter, groupBy: [], percentiles: [], boundsNs, limit: 1, ...also }, signal)
    const [found, spans, durations, heatmaps, points] = await Promise.all([
      this.#summaries(ns, requested, signal),
      // A store counts one histogram at a time.
      Promise.all(searches.map(async search => traces.searchSpans(ns.id, { range, filter, ...search }, signal))),
      Promise.all(parts.durations.map(boundsNs => stats(boundsNs, { percentiles: PERCENTILES }))),
      Promise.all(
        parts.heatmaps.map(({ grid: { startNs, stepNs, length }, boundsNs }) =>
          stats(boundsNs, { grid: { startNs, stepNs, count: length, buckets: true } })
        )
      ),
      Promise.all(parts.points.map(limit => this.#latest(ns, limit, { range, ...tracesRequest }, signal)))
    ])
    return { traces: found, spans, durations, heatmaps, points }
  }

  async #latest(
    ns: Namespace,
    limit: number,
    traces: Pick<TraceSearchRequest, 'range' | 'filter' | 'conditions'>,
    signal: AbortSignal
  ): Promise<TraceSearchResult> {
    const rows = { limit, by: 'start', order: 'desc' } as const
    return this.#deps.traces.searchTraces(ns.id, { ...traces, rows, total: true }, signal)
  }

  async #summaries(
    ns: Namespace,
    { tracesRequest, page, query, range }: { tracesRequest: TraceRequest; page: ListPage; query: TraceQuery; range: TimeRange },
    signal: AbortSignal
  ): Promise<TraceSearchResult | null> {
    const { rows = true, total = false, sort: by = 'start' } = query
    if (!rows && !total) return null
    const { order, position } = page
    const after = position && { key: position.timestampNs, traceId: position.id }
    const requested = { limit: rows ? page.limit : 0, by, order, ...(after && { after }) }
    return this.#deps.traces.searchTraces(ns.id, { range, ...tracesRequest, rows: requested, ...(total && { total }) }, signal)
  }
}

function partsOf(query: TraceQuery, { filter }: TraceRequest, range: TimeRange): Parts {
  const { histograms = [], durations = [], heatmaps = [], points = [], facets = [] } = query
  checkHistogramCount([...histograms, ...durations, ...heatmaps, ...points])
  checkFacetCount(facets)
  const bounds = { least: 3, most: MAX_DURATION_BUCKETS, otherwise: DEFAULT_DURATION_BUCKETS }
  return {
    histograms: histograms.map(histogram => histogramRequest(histogram, range, SPAN_VOCABULARY)),
    durations: durations.map(buckets => durationBounds(boundedCount(buckets, 'buckets', bounds))),
    heatmaps: heatmaps.map(columns => heatmapRequest(columns, range)),
    points: points.map(limit => boundedCount(limit, 'limit', { least: 1, most: MAX_POINTS, otherwise: MAX_POINTS })),
    facets: facets.map(facet => facetRequest(facet, filter, SPAN_VOCABULARY))
  }
}

/** Conditions on whole traces do not apply to the counts of spans; a query for both gets a warning. */
function countedSpans({ conditions }: TraceRequest, { histograms, durations, heatmaps, facets }: Parts): readonly string[] {
  const hasCounts = histograms.length + durations.length + heatmaps.length + facets.length > 0
  return hasCounts && Object.keys(conditions).length > 0 ? [SPANS_COUNTED] : []
}

function toDurations(boundsNs: readonly bigint[], stats: SpanStats | undefined): DurationHistogram {
  const row = stats?.rows[0]
  const [p50Ns = null, p90Ns = null, p99Ns = null] = row?.percentilesNs ?? []
  return { boundsNs, counts: row?.buckets ?? [...boundsNs.map(() => 0), 0], p50Ns, p90Ns, p99Ns }
}

function toPoints({ traces, total }: TraceSearchResult): TracePoints {
  return { traces, omitted: Math.max(0, total!.value - traces.length) }
}

function counted(
  query: TraceQuery,
  { filter }: TraceRequest,
  parts: Parts,
  { spans, durations, heatmaps, points }: StoreResults
): Pick<TraceSearchPage, 'histograms' | 'durations' | 'heatmaps' | 'points' | 'facets'> {
  const { facets = [] } = query
  return {
    histograms: parts.histograms.map((request, i) => histogramCounts(request, spans[i]?.histogram ?? [])),
    durations: parts.durations.map((bounds, i) => toDurations(bounds, durations[i])),
    heatmaps: parts.heatmaps.map((request, i) => toHeatmap(request, heatmaps[i]!)),
    points: points.map(toPoints),
    facets: facets.map((facet, i) => facetCounts(facet.field, filter, spans[0]!.facets![i]!, SPAN_VOCABULARY))
  }
}
