import type { LostLines } from '../domain/log-stream.js'
import type { StoredLog } from '../domain/records/log.js'
import type { HistogramSeries, Order, SpreadResult, Total } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { ResultFacts, ConnectionPage, Grid, Page, WindowBounds } from './result.js'
import type { LogConditions } from './conditions.js'

/** Counts over time; `by` makes one series per value of a field. */
export interface HistogramQuery {
  readonly buckets?: number | undefined
  readonly by?: string | undefined
}

/** Counts per value of a field; its own conditions are taken out of the filter unless `excludeSelf` is false. */
export interface FacetQuery {
  readonly field: string
  readonly limit?: number | undefined
  readonly prefix?: string | undefined
  /** Only values that contain this text, case-insensitive, of the records that have one. */
  readonly contains?: string | undefined
  readonly excludeSelf?: boolean | undefined
  /** Also when each value was last seen. */
  readonly lastSeen?: boolean | undefined
}

/** The spread of the numbers of a field; its own conditions are taken out of the filter. */
export interface SpreadQuery {
  readonly field: string
  /** See `SpreadRequest`. */
  readonly cuts: readonly number[]
}

/** One query for logs. Parts that are not requested are not computed. */
export interface LogQuery extends WindowBounds {
  readonly conditions: LogConditions
  /** Without bounds, all that the retention keeps is looked at, instead of the last hour. */
  readonly wholeRetention?: boolean | undefined
  /** Without bounds, this window is looked at. */
  readonly otherwise?: TimeRange | undefined
  /** False: no rows at all (counts only). Default true. */
  readonly rows?: boolean | undefined
  /** Default: that of the cursor, else `desc`. */
  readonly order?: Order | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** `backward`: the page that ends before the cursor (or at the end of the list), rows still in `order`. Default: that of the cursor. */
  readonly direction?: 'forward' | 'backward' | undefined
  /** Id of a record: the page is around it, `limit` rows with the record itself. Not with a cursor. */
  readonly around?: string | undefined
  readonly total?: boolean | undefined
  readonly histograms?: readonly HistogramQuery[] | undefined
  readonly facets?: readonly FacetQuery[] | undefined
  readonly spreads?: readonly SpreadQuery[] | undefined
}

/** Counts over time, by series. */
export interface HistogramCounts {
  readonly grid: Grid
  readonly series: readonly HistogramSeries[]
}

/** The numbers of a field: its extremes and percentiles, null without any. */
export interface FieldSpread extends Omit<SpreadResult, 'field'> {
  /** As requested. */
  readonly field: string
}

/** A facet with the number of other and missing values. */
export interface FacetCounts {
  /** As requested. */
  readonly field: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly distinct: Total
  readonly values: readonly {
    readonly value: string
    readonly count: number
    readonly lastSeenNs?: bigint
    /** The request's own filter already selects the value. */
    readonly selected: boolean
  }[]
  /** Rows in values that are not listed; exact. */
  readonly other: number
  /** Rows without the field; exact. */
  readonly missing: number
}

/** Result of a `LogQuery`; `histograms` and `facets` are in the order of the query. */
export interface LogSearchResult extends ResultFacts {
  readonly rows: readonly StoredLog[]
  readonly page: Page
  readonly connection: ConnectionPage
  /** The cursor of a row of this result. */
  cursorOf(row: StoredLog): string
  readonly total: Total | null
  readonly histograms: readonly HistogramCounts[]
  readonly facets: readonly FacetCounts[]
  readonly spreads: readonly FieldSpread[]
  /** Lines of log streams that did not arrive, of a search over a host, a service or a path. */
  readonly gaps: readonly LostLines[]
}

/** Everything that matches, page after page; `facts` holds before the first page. */
export interface LogStream {
  /** Read after the last page: reading may find gaps. */
  readonly facts: () => Omit<ResultFacts, 'tookMs'>
  readonly pages: AsyncIterable<readonly StoredLog[]>
}
