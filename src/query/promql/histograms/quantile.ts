import { isCustom, type NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { type Bucket, disjointBuckets } from './buckets.js'

/** An estimate from a histogram, and the effect of NaN among its observations: "result" is NaN for it, "skewed" too high. */
export interface NativeEstimate {
  readonly value: number
  readonly nan?: 'result' | 'skewed'
}

/** A zero bucket of a histogram that has observations on one side only reaches to zero only. */
export function withoutEmptySide<Ends extends Pick<Bucket, 'lower' | 'upper'>>(
  bucket: Ends,
  { positive, negative }: NativeHistogram
): Ends {
  const [hasPositive, hasNegative] = [positive.indexes.length > 0, negative.indexes.length > 0]
  if (hasPositive && !hasNegative) return { ...bucket, lower: 0 }
  return hasNegative && !hasPositive ? { ...bucket, upper: 0 } : bucket
}

/** The number below which a share of a bucket's observations is, when they are spread evenly, or evenly over powers. */
function within({ lower, upper }: Bucket, share: number, isLinear: boolean): number {
  if (isLinear) return lower + (upper - lower) * share
  const [logLower, logUpper] = [Math.log2(Math.abs(lower)), Math.log2(Math.abs(upper))]
  if (lower > 0) return 2 ** (logLower + (logUpper - logLower) * share)
  return -(2 ** (logUpper + (logLower - logUpper) * (1 - share)))
}

/** Quantile of a native histogram as Prometheus estimates it. */
export function histogramQuantile(q: number, histogram: NativeHistogram): NativeEstimate {
  if (q < 0) return { value: -Infinity }
  if (q > 1) return { value: Infinity }
  if (histogram.count === 0 || Number.isNaN(q)) return { value: Number.NaN }
  const hasNan = Number.isNaN(histogram.sum)
  // From the nearer end, which rounding harms less; with NaN among the observations only the lower end is certain.
  const isForward = hasNan || q < 0.5
  const ascending = disjointBuckets(histogram)
  const buckets = isForward ? ascending : ascending.toReversed()
  const rank = (isForward ? q : 1 - q) * histogram.count
  let seen = 0
  let at = -1
  while (at + 1 < buckets.length) {
    seen += buckets[++at]!.count
    if (seen >= rank) break
  }
  const all = hasNan ? buckets.slice(at + 1).reduce((sum, { count }) => sum + count, seen) : seen
  return inBucket(histogram, buckets[at] ?? null, { rank, seen, all, isForward })
}

interface Place {
  readonly rank: number
  /** Observations in the bucket and those before it. */
  readonly seen: number
  readonly all: number
  readonly isForward: boolean
}

function inBucket(histogram: NativeHistogram, found: Bucket | null, place: Place): NativeEstimate {
  const { rank, all, isForward } = place
  const hasNan = Number.isNaN(histogram.sum)
  let bucket = found ?? { lower: 0, upper: 0, hasLower: true, hasUpper: true, count: 0 }
  if (isCustom(histogram)) {
    if (bucket.lower === -Infinity) {
      if (bucket.upper <= 0) return { value: bucket.upper }
      bucket = { ...bucket, lower: 0 }
    } else if (bucket.upper === Infinity) return { value: bucket.lower }
  } else if (bucket.lower < 0 && bucket.upper > 0) bucket = withoutEmptySide(bucket, histogram)
  const seen = Math.min(place.seen, histogram.count)
  if (seen < rank) return hasNan ? { value: Number.NaN, nan: 'result' } : { value: bucket.upper }
  const into = isForward ? rank - (seen - bucket.count) : seen - rank
  const isLinear = isCustom(histogram) || (bucket.lower <= 0 && bucket.upper >= 0)
  const value = within(bucket, into / bucket.count, isLinear)
  return hasNan && all < histogram.count ? { value, nan: 'skewed' } : { value }
}

/** The share of a bucket's observations below a number within it. */
export function shareBelow({ lower, upper }: Pick<Bucket, 'lower' | 'upper'>, value: number, isLinear: boolean): number {
  if (isLinear) return (value - lower) / (upper - lower)
  const [logLower, logUpper, log] = [lower, upper, value].map(each => Math.log2(Math.abs(each))) as [number, number, number]
  return value > 0 ? (log - logLower) / (logUpper - logLower) : 1 - (log - logUpper) / (logLower - logUpper)
}

/** How many observations are below a number; null where it is above all buckets. */
function rankOf(value: number, histogram: NativeHistogram, buckets: readonly Bucket[]): number | null {
  let rank = 0
  for (const each of buckets) {
    const isZero = each.lower <= 0 && each.upper >= 0
    const bucket = isZero ? withoutEmptySide(each, histogram) : each
    if (bucket.lower >= value) return rank
    if (bucket.upper > value) {
      const isLinear = isCustom(histogram) || isZero
      // Nothing is known of how observations are spread down to -Inf.
      if (isLinear && bucket.lower === -Infinity) return bucket.count
      return rank + bucket.count * shareBelow(bucket, value, isLinear)
    }
    rank += bucket.count
  }
  return null
}

/** The share of observations between two numbers as Prometheus estimates it; NaN ones are in no share. */
export function histogramFraction(lower: number, upper: number, histogram: NativeHistogram): NativeEstimate {
  if (histogram.count === 0 || Number.isNaN(lower) || Number.isNaN(upper)) return { value: Number.NaN }
  if (lower >= upper) return { value: 0 }
  const buckets = disjointBuckets(histogram)
  const hasNan = Number.isNaN(histogram.sum)
  const count = hasNan ? buckets.reduce((sum, bucket) => sum + bucket.count, 0) : histogram.count
  const [from, to] = [lower, upper].map(value => Math.min(rankOf(value, histogram, buckets) ?? count, count)) as [number, number]
  const value = (to - from) / histogram.count
  return hasNan && count < histogram.count ? { value, nan: 'skewed' } : { value }
}
