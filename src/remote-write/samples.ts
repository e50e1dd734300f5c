import type { BucketSpan } from '../domain/native-histogram/from-spans.js'
import type { CounterResetHint } from '../domain/native-histogram/native-histogram.js'
import type { MetricFacts } from '../domain/metric-facts.js'
import type { Label, MetricPoint } from '../domain/metric-point.js'

/** One series of a remote write request. Labels as sent, `__name__` among them. */
export interface WrittenSeries {
  readonly labels: readonly Label[]
  /** What the sender says of the metric; null when it does not: remote write 1.0 never says it with the series. */
  readonly isCounter: boolean | null
  /** What was made of it when it was checked; null before that, and as long as it is refused. */
  checked: CheckedSeries | null
}

/** A series by the rules of points. */
export interface CheckedSeries extends Pick<MetricPoint, 'name' | 'labels' | 'type'> {
  /** `seriesKey` of name and labels. */
  readonly key: string
}

/** One sample. A stale marker is a NaN with the bits of Prometheus. */
export interface WrittenSample {
  readonly series: WrittenSeries
  readonly timestampMs: bigint
  /** Of a native histogram its sum, which may be a stale marker. */
  readonly value: number
  readonly histogram?: WrittenHistogram
}

/** Buckets on one side of zero: counts, or the difference of each from the one before. */
export interface WrittenBuckets {
  readonly spans: BucketSpan[]
  readonly deltas: number[]
  readonly counts: number[]
}

/** A native histogram as sent: nothing of it is checked. */
export interface WrittenHistogram {
  readonly timestampMs: bigint
  readonly schema: number
  readonly count: number
  readonly sum: number
  readonly zeroThreshold: number
  readonly zeroCount: number
  readonly positive: WrittenBuckets
  readonly negative: WrittenBuckets
  readonly bounds: number[]
  readonly hint: CounterResetHint
}

/** One exemplar of a series, which may come without a sample. */
export interface WrittenExemplar {
  readonly series: WrittenSeries
  readonly labels: readonly Label[]
  /** 0 when not said. */
  readonly timestampMs: bigint
  readonly value: number
}

/** The samples of a request. */
export interface WriteRequest {
  readonly samples: readonly WrittenSample[]
  readonly exemplars: readonly WrittenExemplar[]
  /** What is said about metric families. */
  readonly facts: readonly MetricFacts[]
}

/** A request that is being read. */
export interface ReadRequest {
  readonly samples: WrittenSample[]
  readonly exemplars: WrittenExemplar[]
  readonly facts: MetricFacts[]
}

export function newRequest(): ReadRequest {
  return { samples: [], exemplars: [], facts: [] }
}
