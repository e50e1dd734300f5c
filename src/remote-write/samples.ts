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
  readonly value: number
}

/** The samples of a request, and what was sent but cannot be kept. */
export interface WriteRequest {
  readonly samples: readonly WrittenSample[]
  /** Native histograms, which are not there yet. */
  readonly histograms: number
}
