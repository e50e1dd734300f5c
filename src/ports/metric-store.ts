import type { NamespaceId } from '../domain/ids.js'
import type { Label, MetricPoint, MetricType, SeriesSamples } from '../domain/metric-point.js'
import type { TimeRange } from '../domain/time-range.js'
import type { AppendResult, Batch } from './append.js'
import type { KnownGaps } from './read-gaps.js'

/** A condition on a label; `__name__` is the metric's name, an absent label is the empty text. Regexes are RE2 and match the whole value. */
export interface LabelMatcher {
  readonly name: string
  readonly op: 'eq' | 'neq' | 'regex' | 'not_regex'
  readonly value: string
}

/**
 * Which samples of a window are needed: all, or one of its numbers, the first, last, highest or lowest (of equal ones the
 * first), and every NaN.
 */
type WindowSamples = 'all' | 'first' | 'last' | 'highest' | 'lowest'

/**
 * What replaces the samples of a window: their number, sum or mean (`domain/sums`), at the time of the last one. Stale markers
 * are not samples here.
 */
export type WindowAggregate = 'count' | 'sum' | 'mean'

/**
 * Where a caller looks within a long range: at windows of `lengthMs` that end at `firstEndMs` and every `stepMs` from then
 * on, their ends included and their starts not. Windows do not overlap. Times are whole Unix milliseconds.
 */
export interface SampleWindows {
  readonly firstEndMs: number
  readonly stepMs: number
  readonly lengthMs: number
  readonly keep: WindowSamples | WindowAggregate
  /** The caller looks at values only: a sample that is kept may come with any time of its window. */
  readonly isTimeFree?: boolean
}

/** What to read. Bounds are explicit: more series or samples than these is an error, never a silent cut. */
export interface SelectRequest {
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  readonly maxSeries: number
  readonly maxSamples: number
  /** Length of the windows that functions examine, milliseconds: computed metrics space their samples by it. */
  readonly windowMs?: number
  /** Distance of these windows, milliseconds; absent when there is one. */
  readonly stepMs?: number
  /** Samples that these windows do not need may be left out, except of series with histograms. What is left out does not count for `maxSamples`. */
  readonly windows?: SampleWindows
}

/** Identity and life of a series. Times are Unix nanoseconds of samples. */
export interface SeriesInfo {
  readonly name: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
}

/** One line of the metric catalog. */
export interface MetricInfo {
  readonly name: string
  readonly type: MetricType
  /** Series of the metric, active or not. */
  readonly seriesCount: number
  readonly lastSeenNs: bigint
}

/** Which labels are listed, of the series that match and may have samples in the range. */
export interface LabelsRequest {
  /** The label whose values are listed, `__name__` for the names of metrics; absent: the names of labels, `__name__` among them. */
  readonly label?: string
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  readonly limit: number
  /** Only names or values that contain this string, case-insensitive (`domain/case-folding`). */
  readonly contains?: string
  /** Also when a series with the name or value had its last sample. */
  readonly lastSeen?: boolean
}

/** Names or values, sorted by code units; `hasMore`: there are more than `limit`. */
export interface LabelStrings {
  readonly values: readonly string[]
  readonly hasMore: boolean
  /** Where requested, for each of the values: Unix nanoseconds, at most ten minutes off where other gateways wrote the sample. */
  readonly lastSeenNs?: readonly bigint[]
}

/** How many series there are of something, and how many of them began lately. */
export interface SeriesGrowth {
  readonly series: number
  /** Series whose first sample is in the last hour, and in the last day; both as `CardinalityRequest` defines them. */
  readonly newHour: number
  readonly newDay: number
}

/** What one label does to the number of series. */
export interface LabelCardinality extends SeriesGrowth {
  readonly name: string
  /** Different values of the label. */
  readonly values: number
  /** Values whose first series began in the last hour, and in the last day. */
  readonly newValuesHour: number
  readonly newValuesDay: number
  /** How many series of all that were counted would be left without the label; exact. Null if not requested. */
  readonly seriesWithout: number | null
}

/** Which series to count. */
export interface CardinalityRequest {
  /** Only the series of this metric. */
  readonly metric?: string
  /** Series that began after these times are new, Unix nanoseconds. */
  readonly hourAgoNs: bigint
  readonly dayAgoNs: bigint
  /** What comes first in the lists: the most series (of labels: values), or those that are new. */
  readonly order: 'series' | 'hour' | 'day'
  /** Entries of each list. */
  readonly limit: number
  /** Whether `seriesWithout` is counted for the labels listed. */
  readonly withSavings: boolean
}

/** The series of a namespace, counted by what they are made of. */
export interface Cardinality extends SeriesGrowth {
  /** The series limit of the namespace, and its active series. */
  readonly maxSeries: number
  readonly activeSeries: number
  /** Overflow series among those that were counted. */
  readonly overflowSeries: number
  readonly metrics: readonly (SeriesGrowth & { readonly name: string })[]
  /** By the label `service`, else `job`; series without both are left out. */
  readonly services: readonly (SeriesGrowth & { readonly name: string })[]
  readonly labels: readonly LabelCardinality[]
  /** How many entries each list would have without the limit. */
  readonly found: { readonly metrics: number; readonly services: number; readonly labels: number }
}

/**
 * Metric points of all namespaces (APM metrics are points). Errors and namespaces as for `LogStore`; `query_unsupported`
 * when a select exceeds `maxSeries` or `maxSamples`.
 */
export interface MetricStore {
  /**
   * Resolves once the points survive a crash. A second point of the same series and time replaces the first. Points of new series
   * over the series limit of the namespace are added to overflow series and reported as `overflow`; where that is not possible
   * (several gateways, too many to remember) they fail one by one with a reason that names the limit.
   */
  append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult>
  /** The samples in the range (or what `windows` need of them) of the series that match, series sorted by name and labels. */
  select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]>
  /**
   * The series that match and may have samples in the range, at most `limit`. The signal ends the search and the counting of
   * computed metrics.
   */
  series(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    limit: number,
    signal?: AbortSignal
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }>
  /** Names that contain `contains` (case-insensitive), sorted, after `after`, at most `limit`. The signal as for `series`. */
  metrics(
    ns: NamespaceId,
    request: { readonly contains?: string; readonly after?: string; readonly limit: number },
    signal?: AbortSignal
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }>
  /** Names of labels, or values of one, each once. */
  labels(ns: NamespaceId, request: LabelsRequest, signal: AbortSignal): Promise<LabelStrings>
  /** Counts the series of the namespace, whenever their samples are. */
  cardinality(ns: NamespaceId, request: CardinalityRequest, signal: AbortSignal): Promise<Cardinality>
  /** The only report of gaps in a metric store: its results are lists of series. */
  readonly gaps?: KnownGaps
  /** As `LogStore.settle`. */
  settle(ns: NamespaceId): Promise<void>
  /** As `LogStore.deleteBefore`. */
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  /** As `LogStore.dropNamespace`. */
  dropNamespace(ns: NamespaceId): Promise<void>
}
