import type { Order, Total } from '../../domain/search.js'
import type { TraceSummary } from '../../domain/span.js'
import type { ResultFacts, ConnectionPage, Page, WindowBounds } from '../result.js'
import type { FacetCounts, FacetQuery, HistogramCounts, HistogramQuery } from '../log-query.js'
import type { DurationHeatmap } from './duration-heatmap.js'
import type { TraceConditionsInput } from './trace-conditions.js'

/** One query for traces. Parts that are not requested are not computed. */
export interface TraceQuery extends WindowBounds {
  readonly conditions: TraceConditionsInput
  /** False: no rows at all (counts only). Default true. */
  readonly rows?: boolean | undefined
  /** What traces are sorted by; default `start`. */
  readonly sort?: 'start' | 'duration' | undefined
  /** Default: that of the cursor, else `desc`. */
  readonly order?: Order | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly total?: boolean | undefined
  /** Matching spans over time. */
  readonly histograms?: readonly HistogramQuery[] | undefined
  /** Numbers of buckets: matching spans by their duration. */
  readonly durations?: readonly number[] | undefined
  /** Numbers of buckets of time: matching spans by their start and duration. */
  readonly heatmaps?: readonly number[] | undefined
  /** Numbers of points: the latest of the matching traces, whatever page the rows are. */
  readonly points?: readonly number[] | undefined
  /** Matching spans per value of a field. */
  readonly facets?: readonly FacetQuery[] | undefined
}

/** Matching spans by their duration: `counts[i]` last at most `boundsNs[i]` and more than the bound before, the last one longer. */
export interface DurationHistogram {
  readonly boundsNs: readonly bigint[]
  readonly counts: readonly number[]
  /** Nanoseconds; null without spans. Search stores may estimate within 2 %. */
  readonly p50Ns: number | null
  readonly p90Ns: number | null
  readonly p99Ns: number | null
}

/** Matching traces by start and duration, latest first. */
export interface TracePoints {
  readonly traces: readonly TraceSummary[]
  /** Number of matching traces that are not among them; a lower bound where the store counts no further. */
  readonly omitted: number
}

/** Result of a `TraceQuery`; parts that the query lists are in its order. */
export interface TraceSearchPage extends ResultFacts {
  readonly rows: readonly TraceSummary[]
  readonly page: Page
  readonly connection: ConnectionPage
  /** The cursor of a row of this result. */
  cursorOf(row: TraceSummary): string
  readonly total: Total | null
  readonly histograms: readonly HistogramCounts[]
  readonly durations: readonly DurationHistogram[]
  readonly heatmaps: readonly DurationHeatmap[]
  readonly points: readonly TracePoints[]
  readonly facets: readonly FacetCounts[]
}
