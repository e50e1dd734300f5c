/**
 * How samples of a bucket become one number. All but `rate` and `increase` look at all samples of all series of the
 * group; those two are computed per series as Prometheus does and then summed over the group.
 */
export const LINE_AGGREGATIONS = [
  'avg',
  'sum',
  'min',
  'max',
  'count',
  'last',
  'rate',
  'increase',
  'p50',
  'p90',
  'p95',
  'p99'
] as const
/** One of `LINE_AGGREGATIONS`. */
export type LineAggregation = (typeof LINE_AGGREGATIONS)[number]

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
  readonly aggregation: LineAggregation
  /** Absent: every series by itself; empty: one series over all. */
  readonly by?: readonly string[] | undefined
  /** Series kept, in the order of their labels; default 50. */
  readonly limit?: number | undefined
}
