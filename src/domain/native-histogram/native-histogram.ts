/** Schemas of exponential buckets: each power of two is cut into 2^schema buckets. */
export const MIN_SCHEMA = -4
/** Finest schema of native histograms: 256 buckets per power of two. */
export const MAX_SCHEMA = 8
/** The schema of buckets with bounds of their own (`NativeHistogram.bounds`). */
export const CUSTOM_SCHEMA = -53

/** What the producer of a histogram states about a reset since the sample before it. */
export type CounterResetHint = 'unknown' | 'reset' | 'not_reset' | 'gauge'

/** Counts of the buckets that have any, by index, rising. */
export interface HistogramBuckets {
  readonly indexes: Int32Array
  readonly counts: Float64Array
}

/**
 * One sample of a native histogram in its canonical form: a bucket that is not named is empty, so equal histograms have
 * equal fields. Counts are doubles, as those of differences and rates are. Bucket i of an exponential schema reaches from
 * base^(i-1), excluded, to base^i, with base 2^(2^-schema); negative buckets mirror it; what is at most
 * `zeroThreshold` from zero is in the zero bucket. With custom bounds bucket i reaches from bound i-1 to bound i, the
 * first from -Inf, the last to +Inf. (Prometheus's native histograms, prometheus.io/docs/specs/native_histograms.)
 */
export interface NativeHistogram {
  /** `MIN_SCHEMA` to `MAX_SCHEMA`, or `CUSTOM_SCHEMA`. */
  readonly schema: number
  /** Observations, those that are NaN and in no bucket among them. */
  readonly count: number
  readonly sum: number
  readonly zeroThreshold: number
  readonly zeroCount: number
  readonly positive: HistogramBuckets
  readonly negative: HistogramBuckets
  /** Upper bounds of custom buckets, rising, without +Inf; else empty. */
  readonly bounds: Float64Array
  readonly hint: CounterResetHint
}

/** No bucket has any observation. */
export const NO_BUCKETS: HistogramBuckets = { indexes: new Int32Array(0), counts: new Float64Array(0) }
/** Custom bounds of a histogram that has none. */
export const NO_BOUNDS = new Float64Array(0)

/** Whether the buckets have bounds of their own. */
export function isCustom({ schema }: Pick<NativeHistogram, 'schema'>): boolean {
  return schema === CUSTOM_SCHEMA
}

/** The buckets that have any observations, as the canonical form wants it. */
export function compactBuckets(buckets: HistogramBuckets): HistogramBuckets {
  const { indexes, counts } = buckets
  if (indexes.length === 0) return NO_BUCKETS
  if (!counts.includes(0)) return buckets
  return { indexes: indexes.filter((_, i) => counts[i] !== 0), counts: counts.filter(count => count !== 0) }
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
  return true
}

/** Whether the bounds of custom buckets are the same. */
export function sameBounds(a: NativeHistogram, b: NativeHistogram): boolean {
  return sameNumbers(a.bounds, b.bounds)
}

function sameBuckets(a: HistogramBuckets, b: HistogramBuckets): boolean {
  return sameNumbers(a.indexes, b.indexes) && sameNumbers(a.counts, b.counts)
}

/** Whether two histograms have the same observations; their hints are ignored. */
export function equalHistograms(a: NativeHistogram, b: NativeHistogram): boolean {
  const scalars = (h: NativeHistogram): readonly number[] => [h.schema, h.count, h.sum, h.zeroThreshold, h.zeroCount]
  return (
    sameNumbers(scalars(a), scalars(b)) &&
    sameBounds(a, b) &&
    sameBuckets(a.positive, b.positive) &&
    sameBuckets(a.negative, b.negative)
  )
}
