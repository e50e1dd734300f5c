import type { EncodedHistogram } from './native-histogram/encode.js'

/** How a metric behaves; a counter's fall is a reset. */
export type MetricType = 'gauge' | 'counter'

/** One label of a series. */
export interface Label {
  readonly name: string
  readonly value: string
}

/** Labels with a value, sorted by name. */
export function labelsOfValues(values: Readonly<Record<string, string | null>>): readonly Label[] {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One sample, checked and normalized. APM service metrics are points with the label `service`. */
export interface MetricPoint {
  /** Position in its request. */
  readonly index: number
  readonly name: string
  readonly type: MetricType
  /** Sorted by name (code units), names unique. Together with `name` they are the series' identity. */
  readonly labels: readonly Label[]
  /** `seriesKey` of name and labels, where it is known already. */
  readonly key?: string
  /** Unix nanoseconds. */
  readonly timestampNs: bigint
  /** Any IEEE 754 double, NaN and infinities included. */
  readonly value: number
  /** When a counter began at zero, if its sender states it; not stored. */
  readonly startNs?: bigint
  /** A native histogram: then it is the sample, and `value` is unused. */
  readonly histogram?: EncodedHistogram
}

/** The samples of one series, sorted by time, one value per time. */
export interface SeriesSamples {
  readonly name: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  readonly timestampsNs: BigInt64Array
  /** NaN where the sample is a native histogram. */
  readonly values: Float64Array
  /** Native histograms by the index of their sample, ascending; absent if the series has no histograms. */
  readonly histograms?: ReadonlyMap<number, EncodedHistogram>
  /** The values are what was requested of each window (`WindowFold`), not samples. */
  readonly isAggregated?: boolean
}
