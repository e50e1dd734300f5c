import type { StoredRumEvent, VitalName } from '../domain/records/rum.js'
import type { Total } from '../domain/search.js'
import type { ResultFacts, ConnectionPage, Grid, Page, WindowBounds } from './result.js'
import type { RumConditions } from './conditions.js'

/** What events can be grouped by. */
export const RUM_DIMENSIONS = {
  page: 'page_group',
  page_url: 'page_url',
  browser: 'browser',
  device: 'device_type',
  country: 'country',
  os: 'os',
  connection: 'connection_type',
  release: 'release'
} as const
/** Name of a dimension by which page views are grouped. */
export type RumDimension = keyof typeof RUM_DIMENSIONS

/** How good the 75th percentile of a timing is. */
export type VitalRating = 'good' | 'needs_improvement' | 'poor'

/** `good`, `needsImprovement`, `poor` count samples. `rating` judges the 75th percentile, null without samples or thresholds. */
export interface VitalSummary {
  readonly vital: VitalName
  readonly samples: number
  /** One per requested percentile. */
  readonly percentiles: readonly (number | null)[]
  readonly rating: VitalRating | null
  readonly good: number
  readonly needsImprovement: number
  readonly poor: number
}

/** Which timings of page views are requested. */
export interface VitalsQuery extends WindowBounds {
  readonly conditions: RumConditions
  readonly groupBy?: RumDimension | undefined
  /** Default: all. */
  readonly vitals?: readonly VitalName[] | undefined
  /** In (0, 100); default 50, 75, 95. */
  readonly percentiles?: readonly number[] | undefined
  readonly limit?: number | undefined
}

/** Timings of one group of page views. */
export interface VitalsGroup {
  /** Null without `groupBy`, and for events that lack the field. */
  readonly key: string | null
  readonly events: number
  readonly sessions: number
  readonly vitals: readonly VitalSummary[]
}

/** Timings by group. */
export interface VitalsResult extends ResultFacts {
  /** Most events first; without `groupBy` exactly one. */
  readonly groups: readonly VitalsGroup[]
  readonly hasMore: boolean
  readonly limit: number
}

/** A timing over time. */
export interface VitalSeriesQuery extends WindowBounds {
  readonly conditions: RumConditions
  readonly vital: VitalName
  readonly percentile?: number | undefined
  readonly by?: RumDimension | undefined
  readonly buckets?: number | undefined
  /** Groups kept, those with most events. */
  readonly limit?: number | undefined
}

/** Values of a timing on the grid. */
export interface VitalSeriesResult extends ResultFacts {
  readonly grid: Grid
  readonly series: readonly { readonly key: string | null; readonly values: readonly (number | null)[] }[]
  readonly omitted: number
}

/** Which page views are requested. */
export interface RumListQuery extends WindowBounds {
  readonly conditions: RumConditions
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly total?: boolean | undefined
}

/** A page of page views. */
export interface RumListResult extends ResultFacts {
  readonly rows: readonly StoredRumEvent[]
  readonly page: Page
  readonly connection: ConnectionPage
  cursorOf(row: StoredRumEvent): string
  readonly total: Total | null
}

/** Samples of one vital by its value. */
export interface VitalDistributionQuery extends WindowBounds {
  readonly conditions: RumConditions
  readonly vital: VitalName
  /** 3 to 200; 40 when absent. */
  readonly buckets?: number | undefined
}

/** `counts[i]` samples are at most `bounds[i]`, beyond the bound before; the last count has those above all bounds. */
export interface VitalDistribution {
  readonly vital: VitalName
  /** In the unit of the vital. */
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
}
