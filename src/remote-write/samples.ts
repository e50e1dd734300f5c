import type { BucketSpan } from '../domain/native-histogram/from-spans.js'
import type { CounterResetHint } from '../domain/native-histogram/native-histogram.js'
import type { Label } from '../domain/metric-point.js'

/** One series of a remote write request. Labels as sent, `__name__` among them. */
export interface WrittenSeries {
  readonly labels: readonly Label[]
  /** What the sender says of the metric; remote write 1.0 does not say it with the series. */
  readonly isCounter: boolean | null
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

/** The samples of a request. */
export interface WriteRequest {
  readonly samples: readonly WrittenSample[]
}
