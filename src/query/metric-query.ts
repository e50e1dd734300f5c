import { GatewayError } from '../domain/errors.js'
import type { Label, MetricType } from '../domain/metric-point.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { AnswerFacts, Grid, WindowBounds } from './answer.js'
import type { QuerySettings } from './settings.js'

/**
 * How samples of a bucket become one number. All but `rate` and `increase` look at all samples of all series of the
 * group; those two are computed per series as Prometheus does and then summed over the group.
 */
export const AGGREGATIONS = ['avg', 'sum', 'min', 'max', 'count', 'last', 'rate', 'increase', 'p50', 'p90', 'p95', 'p99'] as const
export type Aggregation = (typeof AGGREGATIONS)[number]

/** A condition on a label; an absent label is the empty text, a regex matches the whole value. */
export interface MatcherCondition {
  readonly name: string
  readonly op: 'eq' | 'neq' | 'regex' | 'not_regex'
  readonly value: string
}

/** One line of a chart. */
export interface MetricLine {
  readonly ref?: string | null | undefined
  readonly metric: string
  readonly match?: readonly MatcherCondition[] | undefined
  readonly aggregation: Aggregation
  /** Absent: every series by itself; empty: one series over all. */
  readonly by?: readonly string[] | undefined
  /** Series kept, in the order of their labels. */
  readonly limit?: number | undefined
}

/** Several lines on one grid. */
export interface MetricRangeQuery extends WindowBounds {
  /** Seconds as a number, or a duration text; absent: chosen so that about `maxPoints` points come out. */
  readonly step?: unknown
  readonly maxPoints?: number | undefined
  readonly lines: readonly MetricLine[]
}

export interface MetricSeriesAnswer {
  readonly ref: string | null
  readonly metric: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  /** One entry per bucket of the grid; null where there is no sample. NaN and infinities are values. */
  readonly values: readonly (number | null)[]
}

export interface MetricRangeAnswer extends AnswerFacts {
  readonly grid: Grid
  readonly series: readonly MetricSeriesAnswer[]
  /** Series left out by `limit`. */
  readonly omitted: number
}

export interface MetricSummary {
  readonly name: string
  readonly type: MetricType
  readonly seriesCount: number
  readonly lastSeenNs: bigint
}

export interface CatalogueAnswer {
  readonly metrics: readonly MetricSummary[]
  readonly hasMore: boolean
}

export interface LabelsQuery extends WindowBounds {
  readonly metric?: string | undefined
  readonly match?: readonly MatcherCondition[] | undefined
}

export interface LabelSummary {
  readonly name: string
  /** Sorted. */
  readonly values: readonly string[]
}

export interface LabelsAnswer extends AnswerFacts {
  readonly labels: readonly LabelSummary[]
}

/** One stored series and the span of its samples. */
export interface SeriesSummary {
  readonly name: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
}

export interface SeriesAnswer extends AnswerFacts {
  readonly series: readonly SeriesSummary[]
  readonly hasMore: boolean
  readonly limit: number
}

export interface MetricQueryDeps {
  readonly metrics: MetricStore
  readonly clock: Clock
  readonly settings: QuerySettings
}

/** Reads metrics: endpoint 12, `GET /api/v1/apm/metrics`, and `metrics`, `metricRange`, `metricLabels` of GraphQL. */
export class MetricQuery {
  readonly #deps: MetricQueryDeps

  constructor(deps: MetricQueryDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_time_range`, `query_unsupported` (too many series or samples, regex). */
  async range(_ns: Namespace, _query: MetricRangeQuery, _signal: AbortSignal): Promise<MetricRangeAnswer> {
    void this.#deps
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** Names that contain a text, sorted, after a name. */
  async catalogue(
    _ns: Namespace,
    _query: { readonly contains?: string | undefined; readonly after?: string | undefined; readonly limit?: number | undefined }
  ): Promise<CatalogueAnswer> {
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** One line of the catalogue, or null. */
  async metric(_ns: Namespace, _name: string): Promise<MetricSummary | null> {
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** Names and values of labels of the series that match. */
  async labels(_ns: Namespace, _query: LabelsQuery): Promise<LabelsAnswer> {
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** The series that match and have samples in the window. */
  async series(_ns: Namespace, _query: LabelsQuery & { readonly limit?: number | undefined }): Promise<SeriesAnswer> {
    throw new GatewayError('not_implemented', 'not yet')
  }
}
