import type { ApmError, StoredApmError } from '../domain/records/error.js'
import type { Field, Filter } from '../domain/filter.js'
import type { NamespaceId, RecordId } from '../domain/ids.js'
import type { RumEvent, StoredRumEvent, VitalName } from '../domain/records/rum.js'
import type { HistogramRequest, SearchRequest, SearchResult } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { AppendResult, Batch } from './append.js'
import type { Warning } from '../domain/warning.js'

/** Which of the two kinds of events a deletion means. */
export type EventKind = 'rum' | 'errors'

/** Timings of page views, by group. */
export interface VitalsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  /** One row per value of this field, most events first; absent: one row over everything. */
  readonly groupBy?: Field
  readonly vitals: readonly VitalName[]
  /** Each in (0, 1), e.g. 0.75. */
  readonly percentiles: readonly number[]
  readonly limit: number
}

/** `good`, `needsImprovement` and `poor` count samples by the vital's thresholds; all 0 for vitals without. */
export interface VitalStats {
  readonly vital: VitalName
  /** Page views that have the vital. */
  readonly samples: number
  /** Linear interpolation between closest ranks, one per requested percentile; null without samples. */
  readonly percentiles: readonly (number | null)[]
  readonly good: number
  readonly needsImprovement: number
  readonly poor: number
}

/** Timings of one group. */
export interface VitalsRow {
  /** Null without `groupBy`, and for events that lack the field. */
  readonly key: string | null
  /** Page views of the group. */
  readonly events: number
  /** Exact number of different session ids. */
  readonly sessions: number
  readonly vitals: readonly VitalStats[]
}

/** Page views in the range and on the grid that satisfy `filter`. */
export interface PageViewsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  /** One row per combination of values that page views have (known strings such as `page_group`, `device_type`, `country`); empty: one row over all. */
  readonly groupBy: readonly Field[]
  /** Buckets of time. */
  readonly grid: Omit<HistogramRequest, 'by'>
  /** A vital to be measured, too; bounds in its own unit, ascending. */
  readonly vital?: { readonly name: VitalName; readonly bounds: readonly number[] }
  readonly limit: number
}

/** Each list has one entry per bucket of time. */
export interface PageViewsRow {
  /** In the order of `groupBy`; null for page views that lack the field. */
  readonly key: readonly (string | null)[]
  /** Page views. */
  readonly views: readonly number[]
  /** Sums of the vital in its own unit, as near as doubles come. */
  readonly sums?: readonly number[]
  /** `buckets[i]` counts samples of the vital that are at most `bounds[i]`, beyond the bound before; one more at the end. */
  readonly buckets?: readonly (readonly number[])[]
}

/** Most page views first, ties by key. `complete` is false when a store compared only some of the groups, or lacks some. */
export interface PageViews {
  readonly rows: readonly PageViewsRow[]
  readonly hasMore: boolean
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** Errors of one fingerprint within a range. */
export interface ErrorGroup {
  /** What the errors have in common (`ApmError.fingerprint`). */
  readonly fingerprint: string
  readonly service: string
  readonly type: string
  /** Message of the newest error of the group. */
  readonly message: string
  /** Errors of the group in the range. */
  readonly count: number
  /** Time of the earliest error in the range, Unix nanoseconds. */
  readonly firstSeenNs: bigint
  /** Time of the latest error, Unix nanoseconds. */
  readonly lastSeenNs: bigint
  /** Id of the latest error. */
  readonly sampleId: RecordId
}

/** RUM events and APM errors of all namespaces. Errors and namespaces as for `LogStore`. */
export interface EventStore {
  /** As `LogStore.append`. */
  appendRum(ns: NamespaceId, batch: Batch<RumEvent>): Promise<AppendResult>
  /** As `LogStore.append`. */
  appendErrors(ns: NamespaceId, batch: Batch<ApmError>): Promise<AppendResult>
  /** Page views with count, histogram and facets as requested, all from one consistent view. */
  searchRum(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredRumEvent>>
  /** As `searchRum`, of errors. */
  searchErrors(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredApmError>>
  /** Percentiles and ratings of vitals, overall or per group. `hasMore`: groups beyond `limit` exist. */
  vitals(
    ns: NamespaceId,
    request: VitalsRequest,
    signal: AbortSignal
  ): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }>
  /** Page views over time by several of their fields. */
  pageViews(ns: NamespaceId, request: PageViewsRequest, signal: AbortSignal): Promise<PageViews>
  /** Groups of errors, most recently seen first (ties by fingerprint). */
  errorGroups(
    ns: NamespaceId,
    request: { readonly range: TimeRange; readonly filter: Filter; readonly limit: number },
    signal: AbortSignal
  ): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }>
  /** As `KnownGaps`, of one kind. Searches report gaps in `complete`; vitals and groups report them here alone. */
  gaps?(ns: NamespaceId, kind: EventKind, range: TimeRange): readonly Warning[]
  /** One page view; null without one of this id in this namespace. */
  getRum(ns: NamespaceId, id: RecordId): Promise<StoredRumEvent | null>
  /** One error; null without one of this id in this namespace. */
  getError(ns: NamespaceId, id: RecordId): Promise<StoredApmError | null>
  /** As `LogStore.settle`, of both kinds. */
  settle(ns: NamespaceId): Promise<void>
  /** As `LogStore.deleteBefore`, of one kind. */
  deleteBefore(ns: NamespaceId, kind: EventKind, timeNs: bigint): Promise<void>
  /** As `LogStore.dropNamespace`, of both kinds. */
  dropNamespace(ns: NamespaceId): Promise<void>
}
