import type { FacetRequest, HistogramRequest, SearchResult } from '../../domain/search.js'
import type { StoredSpan, TraceSummary } from '../../domain/span.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { SpanStats, TraceSearchResult, TraceStore } from '../../ports/trace-store.js'
import { boundedCount } from '../bounds.js'
import type { CursorCodec, CursorPosition } from '../cursor.js'
import { emptyHints } from '../empty-hints.js'
import { spellingHints } from '../spelling-hints.js'
import { checkHistogramCount, histogramAnswer, histogramRequest } from '../histogram.js'
import { rowBytes } from '../json-bytes.js'
import { ListPage } from '../list-page.js'
import { checkFacetCount, facetAnswer, facetRequest } from '../log-facets.js'
import { clipToRetention, HOUR_MS, readWindow } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { durationBounds } from './duration-buckets.js'
import { SPAN_VOCABULARY } from './span-vocabulary.js'
import { type TraceQuestion, traceQuestion } from './trace-conditions.js'
import type { DurationHistogram, TraceAnswer, TraceQuery } from './trace-query.js'

export interface TraceSearchDeps {
  readonly traces: TraceStore
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

const DEFAULT_DURATION_BUCKETS = 40
const MAX_DURATION_BUCKETS = 200
const PERCENTILES = [0.5, 0.9, 0.99] as const
const SPANS_COUNTED =
  'histogram, durations and facets count all spans that match, also those of traces that are left out by conditions on whole traces'

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

/** What one question asks of the store: each part only when it is wanted. */
interface Parts {
  readonly histograms: readonly HistogramRequest[]
  readonly durations: readonly (readonly bigint[])[]
  readonly facets: readonly FacetRequest[]
}

/** What the store answered. */
interface Found {
  readonly traces: TraceSearchResult | null
  /** The first carries the first histogram and the facets. */
  readonly spans: readonly SearchResult<StoredSpan>[]
  readonly durations: readonly SpanStats[]
}

/** Searches traces: the use case under `GET /api/v1/traces` and the field `traces` of GraphQL. Retention holds at reading. */
export class TraceSearch {
  readonly #deps: TraceSearchDeps

  constructor(deps: TraceSearchDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`. */
  async search(ns: Namespace, query: TraceQuery, signal: AbortSignal): Promise<TraceAnswer> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const { sort = 'start' } = query
    const question = traceQuestion(query.conditions)
    const page = this.#page(ns, question, query)
    const place = { namespace: ns, signal: 'traces', nowNs: clock.nowNs() } as const
    const window = page.resumed ? clipToRetention(page.resumed, place) : readWindow(query, place, HOUR_MS)
    const parts = partsOf(query, question, window.range)
    const found = await this.#ask(ns, { question, parts, page, query, range: window.range }, signal)
    const answered = [found.traces, ...found.spans, ...found.durations].filter(part => part !== null)
    const rows = { rows: found.traces?.traces.map(summary => toRow(summary, sort)), hasMore: found.traces?.hasMore }
    const cut = page.answer(rows, window.asked, bytesOf)
    const isEmpty = page.resumed === null && query.rows !== false && page.limit > 0 && cut.rows.length === 0
    const { filter } = question
    const { traces } = this.#deps
    const unfound = { ns: ns.id, filter, range: window.range, search: traces.searchSpans.bind(traces) }
    const hints = isEmpty
      ? [...(await spellingHints(unfound, signal)), ...emptyHints({ filter, vocabulary: SPAN_VOCABULARY, window: window.asked })]
      : []
    return {
      ...cut,
      rows: cut.rows.map(({ summary }) => summary),
      cursorOf: summary => cut.cursorOf(toRow(summary, sort)),
      window: window.asked,
      complete: window.warnings.length === 0 && answered.every(part => part.complete),
      warnings: [
        ...new Set([...window.warnings, ...answered.flatMap(part => part.warnings), ...countedSpans(question, parts), ...hints])
      ],
      total: found.traces?.total ?? null,
      ...counted(query, question, parts, found),
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  #page(ns: Namespace, { filter, conditions }: TraceQuestion, query: TraceQuery): ListPage {
    const { cursors: codec, settings: all } = this.#deps
    const settings = { ...all, defaultRows: all.defaultTraces, maxRows: all.maxTraces }
    const list = query.sort === 'duration' ? 'traces by duration' : 'traces by start'
    const { minDurationNs, maxDurationNs, hasError } = conditions
    const also = JSON.stringify([minDurationNs, maxDurationNs, hasError].map(String))
    return new ListPage({ codec, settings }, { list, namespace: ns.id, filter, conditions: also }, query)
  }

  async #ask(
    ns: Namespace,
    asked: {
      readonly question: TraceQuestion
      readonly parts: Parts
      readonly page: ListPage
      readonly query: TraceQuery
      readonly range: TimeRange
    },
    signal: AbortSignal
  ): Promise<Found> {
    const { traces } = this.#deps
    const { question, parts, range } = asked
    const { filter } = question
    const [first, ...further] = parts.histograms
    const hasCounts = first !== undefined || parts.facets.length > 0
    const withFirst = { ...(first && { histogram: first }), ...(parts.facets.length > 0 && { facets: parts.facets }) }
    const searches = [...(hasCounts ? [withFirst] : []), ...further.map(histogram => ({ histogram }))]
    const [found, spans, durations] = await Promise.all([
      this.#summaries(ns, asked, signal),
      // A store counts one histogram at a time.
      Promise.all(searches.map(async search => traces.searchSpans(ns.id, { range, filter, ...search }, signal))),
      Promise.all(
        parts.durations.map(async boundsNs =>
          traces.stats(ns.id, { range, filter, groupBy: [], percentiles: PERCENTILES, boundsNs, limit: 1 }, signal)
        )
      )
    ])
    return { traces: found, spans, durations }
  }

  async #summaries(
    ns: Namespace,
    { question, page, query, range }: { question: TraceQuestion; page: ListPage; query: TraceQuery; range: TimeRange },
    signal: AbortSignal
  ): Promise<TraceSearchResult | null> {
    const { rows = true, total = false, sort: by = 'start' } = query
    if (!rows && !total) return null
    const { order, position } = page
    const after = position && { key: position.timestampNs, traceId: position.id }
    const asked = { limit: rows ? page.limit : 0, by, order, ...(after && { after }) }
    return this.#deps.traces.searchTraces(ns.id, { range, ...question, rows: asked, ...(total && { total }) }, signal)
  }
}

function partsOf(query: TraceQuery, { filter }: TraceQuestion, range: TimeRange): Parts {
  const { histograms = [], durations = [], facets = [] } = query
  checkHistogramCount([...histograms, ...durations])
  checkFacetCount(facets)
  const bounds = { least: 3, most: MAX_DURATION_BUCKETS, otherwise: DEFAULT_DURATION_BUCKETS }
  return {
    histograms: histograms.map(histogram => histogramRequest(histogram, range, SPAN_VOCABULARY)),
    durations: durations.map(buckets => durationBounds(boundedCount(buckets, 'buckets', bounds))),
    facets: facets.map(facet => facetRequest(facet, filter, SPAN_VOCABULARY))
  }
}

/** Conditions on whole traces do not reach the counts of spans; who asks for both is told. */
function countedSpans({ conditions }: TraceQuestion, { histograms, durations, facets }: Parts): readonly string[] {
  const hasCounts = histograms.length + durations.length + facets.length > 0
  return hasCounts && Object.keys(conditions).length > 0 ? [SPANS_COUNTED] : []
}

function toDurations(boundsNs: readonly bigint[], stats: SpanStats | undefined): DurationHistogram {
  const row = stats?.rows[0]
  const [p50Ns = null, p90Ns = null, p99Ns = null] = row?.percentilesNs ?? []
  return { boundsNs, counts: row?.buckets ?? [...boundsNs.map(() => 0), 0], p50Ns, p90Ns, p99Ns }
}

function counted(
  query: TraceQuery,
  { filter }: TraceQuestion,
  parts: Parts,
  { spans, durations }: Found
): Pick<TraceAnswer, 'histograms' | 'durations' | 'facets'> {
  const { facets = [] } = query
  return {
    histograms: parts.histograms.map((request, i) => histogramAnswer(request, spans[i]?.histogram ?? [])),
    durations: parts.durations.map((bounds, i) => toDurations(bounds, durations[i])),
    facets: facets.map((facet, i) => facetAnswer(facet.field, filter, spans[0]!.facets![i]!, SPAN_VOCABULARY))
  }
}
