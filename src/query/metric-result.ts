import type { Label, MetricType } from '../domain/metric-point.js'
import type { ResultFacts, Grid, WindowBounds } from './result.js'
import type { MatcherCondition, MetricLine } from './metric-line.js'

/** Several lines on one grid. */
export interface MetricRangeQuery extends WindowBounds {
  /** Seconds as a number, or a duration text; absent: chosen so that about `maxPoints` points come out. */
  readonly step?: unknown
  readonly maxPoints?: number | undefined
  readonly lines: readonly MetricLine[]
}

/** Values of one series on the grid. */
export interface MetricSeriesResult {
  readonly ref: string | null
  readonly metric: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  /** One entry per bucket of the grid; null without a sample. NaN and infinities are values. */
  readonly values: readonly (number | null)[]
}

/** Series of a range query. */
export interface MetricRangeResult extends ResultFacts {
  readonly grid: Grid
  readonly series: readonly MetricSeriesResult[]
  /** Series left out by `limit`. */
  readonly omitted: number
}

/** A metric with its type and latest sample. */
export interface MetricSummary {
  readonly name: string
  readonly type: MetricType
  readonly seriesCount: number
  readonly lastSeenNs: bigint
}

/** Metrics of a window. */
export interface CatalogResult {
  readonly metrics: readonly MetricSummary[]
  readonly hasMore: boolean
}

/** Labels of which series are requested. */
export interface LabelsQuery extends WindowBounds {
  readonly metric?: string | undefined
  readonly match?: readonly MatcherCondition[] | undefined
}

/** A label with its number of values. */
export interface LabelSummary {
  readonly name: string
  /** Sorted. */
  readonly values: readonly string[]
}

/** Labels of the series of a window. */
export interface LabelsResult extends ResultFacts {
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

/** Series of a window. */
export interface SeriesResult extends ResultFacts {
  readonly series: readonly SeriesSummary[]
  readonly hasMore: boolean
  readonly limit: number
}
