import type { AggregateResult } from '../../domain/aggregate.js'
import type { FieldCondition } from '../conditions.js'
import type { Grid, ResultFacts, WindowBounds } from '../result.js'

/** Functions of measures, and the share of percentiles. */
export const PERCENTILES = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 } as const
export const MEASURE_FUNCTIONS = [
  'count',
  'count_distinct',
  'sum',
  'avg',
  'min',
  'max',
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'rate'
] as const
/** One of `MEASURE_FUNCTIONS`. */
export type MeasureFunction = (typeof MEASURE_FUNCTIONS)[number]

/** A measure as it was requested. */
export interface MeasureQuery {
  readonly fn: MeasureFunction
  /** All but `count` and `rate` need one. */
  readonly field?: string | undefined
  /** Its name in the result and in `orderBy`; default: `count`, `p95(duration)`. */
  readonly ref?: string | undefined
}

/** Which measures of which rows. */
export interface AggregateQuery extends WindowBounds {
  /** Search language of the signal. */
  readonly query?: string | undefined
  readonly filters?: readonly FieldCondition[] | undefined
  /** Default: the number of rows. */
  readonly measures?: readonly MeasureQuery[] | undefined
  readonly groupBy?: readonly string[] | undefined
  /** Length of a bucket of time (`1m`), or about how many buckets; absent both: no values over time. */
  readonly step?: string | undefined
  readonly buckets?: number | undefined
  readonly limit?: number | undefined
  /** `ref` of the measure that groups are ranked by; default: the first. */
  readonly orderBy?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly includeOther?: boolean | undefined
  /** Default true: no estimates. */
  readonly exact?: boolean | undefined
}

/** Measures by groups and over time. */
export interface AggregateReport extends ResultFacts, Pick<AggregateResult, 'rows' | 'other' | 'groups' | 'relativeError'> {
  /** Names of the measures, in the order of values. */
  readonly refs: readonly string[]
  readonly grid: Grid | null
  readonly limit: number
  readonly hasMore: boolean
}
