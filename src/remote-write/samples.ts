import type { BucketSpan } from '../domain/native-histogram/from-spans.js'
import type { CounterResetHint } from '../domain/native-histogram/native-histogram.js'
import type { MetricFacts } from '../domain/metric-facts.js'
import type { Label, MetricPoint } from '../domain/metric-point.js'

/** One series of a remote write request. Labels as sent, `__name__` among them. */
export interface WrittenSeries {
  readonly labels: readonly Label[]
  /** What the sender states about the metric; null if it does not: remote write 1.0 never sends it with the series. */
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
  /** 0 when not given. */
  readonly timestampMs: bigint
  readonly value: number
}

/** The samples of a request. */
export interface WriteRequest {
  readonly samples: readonly WrittenSample[]
  readonly exemplars: readonly WrittenExemplar[]
  /** What is stated about metric families. */
  readonly facts: readonly MetricFacts[]
}

/** More records than a request may contain: nothing of it is taken. */
export class TooManySamples extends Error {
  constructor(max: number) {
    super(
      `a request must not exceed ${max} samples; a native histogram counts as four, and as one more for ${VALUES_PER_RECORD} values of its buckets, a span as two`
    )
  }
}

/**
 * So that 11,000 histograms of 160 buckets pass, as many as a sender with `max_samples_per_send: 10000` puts together:
 * Prometheus drops what is refused as too large. They take 35 MB of memory; the worst that passes, nothing but spans, 96 MB.
 */
const HISTOGRAM_WEIGHT = 4
const VALUES_PER_RECORD = 32
const VALUES_PER_SPAN = 2

/** A request that is being read. */
export class WriteRequestBuilder implements WriteRequest {
  readonly samples: WrittenSample[] = []
  readonly exemplars: WrittenExemplar[] = []
  readonly facts: MetricFacts[] = []
  readonly #max: number
  #records = 0

  constructor(maxRecords: number) {
    this.#max = maxRecords
  }

  /** Records so far. */
  get records(): number {
    return this.#records
  }

  /** Counts a record that is about to be read. Throws `TooManySamples`. */
  count(weight = 1): void {
    this.#records += weight
    if (this.#records > this.#max) throw new TooManySamples(this.#max)
  }

  /** Counts the cost of a histogram beyond one record. Throws `TooManySamples`. */
  countHistogram({ positive, negative, bounds }: WrittenHistogram): void {
    const values = [positive, negative].reduce(
      (sum, { spans, deltas, counts }) => sum + VALUES_PER_SPAN * spans.length + deltas.length + counts.length,
      bounds.length
    )
    this.count(HISTOGRAM_WEIGHT - 1 + Math.floor(values / VALUES_PER_RECORD))
  }

  /** Forgets what was read since there were so many of each. */
  back(samples: number, exemplars: number, records: number): void {
    this.samples.length = samples
    this.exemplars.length = exemplars
    this.#records = records
  }
}
