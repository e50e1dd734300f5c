import type { NamespaceId } from '../domain/ids.js'
import type { Label, MetricPoint, MetricType, SeriesSamples } from '../domain/metric-point.js'
import type { TimeRange } from '../domain/time-range.js'
import type { AppendResult, Batch } from './append.js'

/** A condition on a label; `__name__` is the metric's name, an absent label is the empty text. Regexes are RE2 and match the whole value. */
export interface LabelMatcher {
  readonly name: string
  readonly op: 'eq' | 'neq' | 'regex' | 'not_regex'
  readonly value: string
}

/** What to read. Bounds are explicit: more series or samples than these is an error, never a silent cut. */
export interface SelectRequest {
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  readonly maxSeries: number
  readonly maxSamples: number
}

/** Identity and life of a series. Times are Unix nanoseconds of samples. */
export interface SeriesInfo {
  readonly name: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
}

/** One line of the metric catalogue. */
export interface MetricInfo {
  readonly name: string
  readonly type: MetricType
  readonly seriesCount: number
  readonly lastSeenNs: bigint
}

/**
 * Metric points of all namespaces (APM metrics are points). Errors and namespaces as for `LogStore`; `query_unsupported`
 * when a select exceeds `maxSeries` or `maxSamples`.
 */
export interface MetricStore {
  /**
   * Resolves once the points survive a crash. A second point of the same series and time replaces the first. Points of
   * series beyond `maxSeries` active ones fail one by one with a reason that names the limit.
   */
  append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult>
  /** All samples in the range of the series that match, series sorted by name and labels. */
  select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]>
  /** The series that match and may have samples in the range, at most `limit`. */
  series(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    limit: number
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }>
  /** Names that contain `contains` (letter case ignored), sorted, after `after`, at most `limit`. */
  metrics(
    ns: NamespaceId,
    request: { readonly contains?: string; readonly after?: string; readonly limit: number }
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }>
  settle(ns: NamespaceId): Promise<void>
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  dropNamespace(ns: NamespaceId): Promise<void>
}
