/** What a sender states that a metric is: the types of OpenMetrics 1.0. */
export const METRIC_KINDS = ['unknown', 'counter', 'gauge', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset'] as const
/** One of `METRIC_KINDS`. */
export type MetricKind = (typeof METRIC_KINDS)[number]

/** What a sender states about a metric family as a whole. */
export interface MetricFacts {
  /** Name of the family: that of the metric without `_bucket`, `_count` and `_sum`. */
  readonly name: string
  readonly kind: MetricKind
  /** Empty if not stated. */
  readonly help: string
  /** Empty if not stated. */
  readonly unit: string
}

/** Endings of the series that a family of several has; the longest first. */
const PARTS = ['_gcount', '_created', '_bucket', '_count', '_total', '_gsum', '_info', '_sum'] as const

/** The families that a series of this name may belong to: its own name first. */
export function familiesOf(name: string): readonly string[] {
  const part = PARTS.find(ending => name.endsWith(ending) && name.length > ending.length)
  return part === undefined ? [name] : [name, name.slice(0, -part.length)]
}
