import { upperBound } from '../../../domain/native-histogram/bucket-bounds.js'
import { isCustom, type NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'

/** One bucket and whether its ends belong to it. */
export interface Bucket {
  readonly lower: number
  readonly upper: number
  readonly hasLower: boolean
  readonly hasUpper: boolean
  readonly count: number
}

/** The bucket around zero, or null where it is empty. */
function zeroBucket({ zeroThreshold, zeroCount }: NativeHistogram): Bucket | null {
  if (zeroCount === 0) return null
  return { lower: -zeroThreshold, upper: zeroThreshold, hasLower: true, hasUpper: true, count: zeroCount }
}

/** The bucket of this index above zero. */
export function positiveBucket(histogram: NativeHistogram, index: number, count: number): Bucket {
  const [lower, upper] = [upperBound(histogram, index - 1), upperBound(histogram, index)]
  const hasLower = isCustom(histogram) ? index === 0 : lower < 0
  return { lower, upper, hasLower, hasUpper: isCustom(histogram) || upper > 0, count }
}

/** The bucket of this index below zero. */
export function negativeBucket(histogram: NativeHistogram, index: number, count: number): Bucket {
  const [lower, upper] = [-upperBound(histogram, index), -upperBound(histogram, index - 1)]
  return { lower, upper, hasLower: lower < 0, hasUpper: upper > 0, count }
}

/** All buckets that have observations, from the lowest to the highest. */
export function bucketsOf(histogram: NativeHistogram): Bucket[] {
  const { positive, negative } = histogram
  const below = Array.from(negative.indexes, (index, i) => negativeBucket(histogram, index, negative.counts[i]!)).toReversed()
  const zero = isCustom(histogram) ? null : zeroBucket(histogram)
  const above = Array.from(positive.indexes, (index, i) => positiveBucket(histogram, index, positive.counts[i]!))
  return [...below, ...(zero === null ? [] : [zero]), ...above]
}

/**
 * As `bucketsOf`; buckets that the zero bucket reaches into begin where it ends. A negative zero bucket, as that of a
 * histogram taken from another, is not among them (Prometheus's `AllBucketIterator`).
 */
export function disjointBuckets(histogram: NativeHistogram): Bucket[] {
  const { zeroThreshold, zeroCount } = histogram
  return bucketsOf(zeroCount < 0 ? { ...histogram, zeroCount: 0 } : histogram).map(bucket => {
    const { lower, upper } = bucket
    if (lower > 0 && lower < zeroThreshold) return { ...bucket, lower: zeroThreshold }
    return upper < 0 && upper > -zeroThreshold ? { ...bucket, upper: -zeroThreshold } : bucket
  })
}

/** The middle of a bucket with both ends, where observations are spread evenly, or evenly over powers. */
export function middleOf({ lower, upper }: Pick<Bucket, 'lower' | 'upper'>, isLinear: boolean): number {
  if (isLinear) return (lower + upper) / 2
  return Math.sign(upper) * Math.sqrt(lower * upper)
}
