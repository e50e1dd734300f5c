import { upperBound } from '../../../domain/native-histogram/bucket-bounds.js'
import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'

/**
 * Makers of histograms compute the bounds of buckets in their own ways, which differ in the last digits, and choose such
 * bounds for their zero buckets: so near together they are the same.
 */
const SAME_BOUND = 2 ** -48

/** Whether a bound is above a threshold. */
export function isAbove(bound: number, threshold: number): boolean {
  return bound > threshold * (1 + SAME_BOUND)
}

function isBelow(bound: number, threshold: number): boolean {
  return bound < threshold * (1 - SAME_BOUND)
}

/** A zero bucket: what is at most `threshold` from zero. */
interface ZeroBucket {
  readonly threshold: number
  readonly count: number
}

/**
 * The zero bucket of a histogram for a larger threshold: it takes in the buckets below. A bucket across the threshold is
 * taken in whole, which raises the threshold to its end.
 */
export function widerZeroBucket(histogram: NativeHistogram, requested: number): ZeroBucket {
  if (requested === histogram.zeroThreshold) return { threshold: requested, count: histogram.zeroCount }
  let threshold = requested
  for (;;) {
    const above = taken(histogram, histogram.positive, threshold)
    const below = taken(histogram, histogram.negative, above.threshold)
    if (below.threshold === above.threshold) {
      return { threshold: above.threshold, count: histogram.zeroCount + above.count + below.count }
    }
    threshold = below.threshold
  }
}

function taken(histogram: NativeHistogram, { indexes, counts }: NativeHistogram['positive'], requested: number): ZeroBucket {
  let threshold = requested
  let count = 0
  for (let i = 0; i < indexes.length && isBelow(upperBound(histogram, indexes[i]! - 1), threshold); i++) {
    count += counts[i]!
    const upper = upperBound(histogram, indexes[i]!)
    if (isAbove(upper, threshold)) threshold = upper
  }
  return { threshold, count }
}

/** The first bucket that is wholly beyond a threshold. */
export function firstBeyond(
  histogram: Pick<NativeHistogram, 'schema' | 'bounds'>,
  indexes: Int32Array,
  threshold: number
): number {
  return indexes.find(index => !isBelow(upperBound(histogram, index - 1), threshold)) ?? Infinity
}
