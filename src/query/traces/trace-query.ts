import type { Order, Total } from '../../domain/search.js'
import type { TraceSummary } from '../../domain/span.js'
import type { AnswerFacts, ConnectionPage, Page, WindowBounds } from '../answer.js'
import type { FacetAnswer, FacetQuery, HistogramAnswer, HistogramQuery } from '../log-query.js'
import type { TraceConditionsAsked } from './trace-conditions.js'

/** One question about traces. Parts that are not asked for are not computed. */
export interface TraceQuery extends WindowBounds {
  readonly conditions: TraceConditionsAsked
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

/** Answer to a `TraceQuery`; histograms, durations and facets stand in the order of the question. */
export interface TraceAnswer extends AnswerFacts {
  readonly rows: readonly TraceSummary[]
  readonly page: Page
  readonly connection: ConnectionPage
  /** The cursor of a row of this answer. */
  cursorOf(row: TraceSummary): string
  readonly total: Total | null
  readonly histograms: readonly HistogramAnswer[]
  readonly durations: readonly DurationHistogram[]
  readonly facets: readonly FacetAnswer[]
}
