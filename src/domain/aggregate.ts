import type { Field, Filter } from './filter.js'
import type { HistogramRequest, Total } from './search.js'
import type { TimeRange } from './time-range.js'
import type { Warning } from './warning.js'

/**
 * What is computed over the rows of a group.
 * - `count`: rows; with a field those that have it. - `distinct`: different values of the field, as facets list them.
 * - `numbers`: how many numbers of the field there are, those up to `atMost` when it is given.
 * - `sum`, `avg`, `min`, `max`, `percentile`: over the numbers of the field, which are those that a `range` compares with. A row
 *   with several different numbers contributes each of them once. `at` is in (0, 1); percentiles are interpolated linearly
 *   between the closest ranks.
 */
export type Measure =
  | { readonly kind: 'count'; readonly field?: Field }
  | { readonly kind: 'distinct'; readonly field: Field }
  | { readonly kind: 'numbers'; readonly field: Field; readonly atMost?: number }
  | { readonly kind: 'sum' | 'avg' | 'min' | 'max'; readonly field: Field }
  | { readonly kind: 'percentile'; readonly field: Field; readonly at: number }

/** Whether a measure counts: it is 0 where there is nothing to count, and others are null. */
export function isCount({ kind }: Measure): boolean {
  return kind === 'count' || kind === 'distinct' || kind === 'numbers'
}

/** Measures over the rows of a search, by groups and over time. */
export interface AggregateRequest {
  readonly range: TimeRange
  readonly filter: Filter
  /** At most three fields. A row with several values counts in the group of each; empty: one group of all rows. */
  readonly groupBy: readonly Field[]
  /** At least one. */
  readonly measures: readonly Measure[]
  /** Buckets of time in which each measure is computed, too. */
  readonly grid?: Omit<HistogramRequest, 'by'>
  /** Groups are ranked by one of the measures (its index), without a value last, ties by key. */
  readonly rankBy: { readonly measure: number; readonly order: 'asc' | 'desc' }
  /** Groups of the result. */
  readonly limit: number
  /** Also compute the measures over the rows that are in none of the listed groups. */
  readonly other: boolean
  /** Refuse what the store can only estimate. */
  readonly exact: boolean
}

/** Values in the order of the measures: counts are 0 and others null where there is nothing to compute them of. */
export interface AggregateValues {
  readonly values: readonly (number | null)[]
  /** With a grid: for each measure one value per bucket. */
  readonly series?: readonly (readonly (number | null)[])[]
}

/** Measures of one group. */
export interface AggregateRow extends AggregateValues {
  /** In the order of `groupBy`; null for rows without the field, which those are where it is empty. */
  readonly key: readonly (string | null)[]
}

/** Result of an `AggregateRequest`. */
export interface AggregateResult {
  /** Without `groupBy` always one. */
  readonly rows: readonly AggregateRow[]
  /** Null if it was not requested, and when all groups are listed. */
  readonly other: AggregateValues | null
  /** Groups in all. */
  readonly groups: Total
  /** Upper bound of the relative error of estimated values; 0 when all are exact. */
  readonly relativeError: number
  /** False when a cap or an unreadable part cut the result; `warnings` states which. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}
