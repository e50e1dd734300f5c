import type { Field, Filter } from './filter.js'
import type { RecordId } from './ids.js'
import type { TimeRange } from './time-range.js'
import type { Warning } from './warning.js'

/** `desc` is newest first. Equal times are ordered by record id in the same direction. */
export type Order = 'asc' | 'desc'

/** Where a page ended: the last row that was given out. */
export interface Position {
  readonly timestampNs: bigint
  readonly id: RecordId
}

/** A request for rows, sorted by (time, id) before the cut. */
export interface RowsRequest {
  /** 0 is allowed: no rows, `hasMore` still reports whether there are any. */
  readonly limit: number
  readonly order: Order
  /** Only rows strictly beyond this one in `order`. */
  readonly after?: Position
  /** A store may end the page early, with `hasMore`, once its rows (at least one) are about so many bytes of JSON. */
  readonly maxBytes?: number
}

/** A grid of `count` buckets of `stepNs`, the first at `startNs`; rows outside are not counted. */
export interface HistogramRequest {
  readonly startNs: bigint
  readonly stepNs: bigint
  readonly count: number
  /** One series per value of this field; absent: one series with key null. */
  readonly by?: Field
}

/** Counts per value of one field, under a filter of its own (the use case has taken the field's own condition out). */
export interface FacetRequest {
  readonly field: Field
  readonly filter: Filter
  readonly limit: number
  /** Only values that begin with this text (case counts). */
  readonly prefix?: string
  /** Only values that contain this text (case-insensitive, as the filter `contains`). */
  readonly contains?: string
  /** Also return when each value was last seen, which costs a search store a second query. */
  readonly lastSeen?: boolean
}

/**
 * Counts of rows by the numbers that they have in one field. `bounds` rise strictly; the first interval is all that is below
 * the first bound, the others begin with a bound and end before the next one. Numbers are those that a `range` compares
 * with: numbers, and strings that read as numbers.
 */
export interface DistributionRequest {
  readonly field: Field
  readonly bounds: readonly number[]
}

/**
 * The spread of the numbers of one field, under a filter of its own. Numbers are those of a `DistributionRequest`. A store that
 * does not compute with them counts them between `cuts`, which rise strictly: the closer these are, the better. A cut that is
 * followed by the next larger double is counted alone.
 */
export interface SpreadRequest {
  readonly field: Field
  readonly filter: Filter
  readonly cuts: readonly number[]
}

/** One request to a store: only the requested parts are computed, all from one consistent view. */
export interface SearchRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly rows?: RowsRequest
  readonly total?: boolean
  readonly histogram?: HistogramRequest
  readonly facets?: readonly FacetRequest[]
  readonly distributions?: readonly DistributionRequest[]
  readonly spreads?: readonly SpreadRequest[]
}

/** A count; `gte` when counting stopped early. */
export interface Total {
  readonly value: number
  readonly relation: 'eq' | 'gte'
}

/** A value of a facet with its count. */
export interface FacetValue {
  readonly value: string
  readonly count: number
  /** Absent unless it was requested. */
  readonly lastSeenNs?: bigint
}

/** `other` counts rows whose values are not listed, `missing` rows without the field; both exact. */
export interface FacetResult {
  readonly field: Field
  readonly values: readonly FacetValue[]
  readonly distinct: Total
  readonly other: number
  readonly missing: number
}

/** Rows of each interval, one more than bounds; exact. A row with several numbers counts once in each of their intervals. */
export interface DistributionResult {
  readonly field: Field
  readonly counts: readonly number[]
}

/** Shares of rank whose numbers a `SpreadResult` has. */
export const SPREAD_PERCENTILES = [0.25, 0.5, 0.75, 0.95, 0.99] as const

/** A number for each of `SPREAD_PERCENTILES`. */
export type SpreadPercentiles = readonly [number | null, number | null, number | null, number | null, number | null]

/** The numbers of a field; without any all but `numbers` is null. */
export interface SpreadResult {
  readonly field: Field
  /** A row has each of its different numbers once; where they are counted between cuts, those between two of these once. */
  readonly numbers: number
  /** No number is below or above. */
  readonly min: number | null
  readonly max: number | null
  /** Whether `min` and `max` are numbers of the field. */
  readonly areExtremesExact: boolean
  /** In the order of `SPREAD_PERCENTILES`, interpolated between the closest ranks. */
  readonly percentiles: SpreadPercentiles
  /**
   * Upper bound of |value - truth| / |truth| of the percentiles, of rows with one number each; 0 when they are exact. Null for
   * estimates without such a bound: where the truth may be 0, or where too many numbers match.
   */
  readonly relativeError: number | null
}

/** One series of a histogram; `key` is null without `by`, and for rows without the field, which those are where it is empty. */
export interface HistogramSeries {
  readonly key: string | null
  readonly counts: readonly number[]
}

/** Result of a `SearchRequest`; parts that were not requested are absent. */
export interface SearchResult<Row> {
  readonly rows?: readonly Row[]
  /** Whether rows beyond the limit exist. */
  readonly hasMore?: boolean
  readonly total?: Total
  readonly histogram?: readonly HistogramSeries[]
  readonly facets?: readonly FacetResult[]
  readonly distributions?: readonly DistributionResult[]
  readonly spreads?: readonly SpreadResult[]
  /** False when a cap or an unreadable part cut the result; `warnings` states which. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** The numbers of a field in the rows of a search. */
export interface NumberSummary {
  /** 17, from the least to the greatest, at equal distances of rank. */
  readonly quantiles: readonly number[]
  /** Whether they count up with time: whole numbers, hardly one twice, and each nearly always above the one before it. */
  readonly countsUp: boolean
  /** Whether some row has several of them. */
  readonly areSeveral: boolean
}

/** A field seen in the rows of a search. */
export interface FieldSummary {
  readonly field: Field
  readonly type: 'string' | 'number' | 'boolean'
  /** Rows that carry it, among those looked at. */
  readonly count: number
  /** Different values among those looked at (approximate). */
  readonly cardinality: number
  /** Some of them, latest first, shortened to 128 characters. */
  readonly examples: readonly string[]
  /** Characters of the longest of them. */
  readonly longest: number
  /** Of type `number`. */
  readonly numbers?: NumberSummary
}
