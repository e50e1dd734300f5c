import { downscaleBuckets } from '../../../domain/native-histogram/downscale.js'
import {
  type HistogramBuckets,
  isCustom,
  type NativeHistogram,
  sameBounds
} from '../../../domain/native-histogram/native-histogram.js'
import { bucketsOf } from './buckets.js'
import { firstBeyond, widerZeroBucket } from './zero-bucket.js'

/** Whether any bucket of `before` has more than `after` has there. Both are of one schema. */
function hasFallen(after: HistogramBuckets, before: HistogramBuckets): boolean {
  let at = 0
  for (let i = 0; i < before.indexes.length; i++) {
    const index = before.indexes[i]!
    while (at < after.indexes.length && after.indexes[at]! < index) at++
    const count = after.indexes[at] === index ? after.counts[at]! : 0
    if (count < before.counts[i]!) return true
  }
  return false
}

function beyond(histogram: NativeHistogram, side: HistogramBuckets, threshold: number): HistogramBuckets {
  const first = firstBeyond(histogram, side.indexes, threshold)
  const isKept = (_: number, i: number): boolean => side.indexes[i]! >= first
  return { indexes: side.indexes.filter(isKept), counts: side.counts.filter(isKept) }
}

/** Observations up to each of the bounds that both have, of the buckets since the bound before, and of all that is above. */
function countsUpTo(histogram: NativeHistogram, bounds: readonly number[]): number[] {
  const counts = bounds.map(() => 0)
  for (const { upper, count } of bucketsOf(histogram)) counts[bounds.findIndex(bound => upper <= bound)]! += count
  return counts
}

function hasFallenByCommonBounds(after: NativeHistogram, before: NativeHistogram): boolean {
  const bounds = [...after.bounds.filter(bound => before.bounds.includes(bound)), Infinity]
  const then = countsUpTo(before, bounds)
  return countsUpTo(after, bounds).some((count, i) => count < then[i]!)
}

/**
 * Whether a counter started again between two samples: the later one states it or anything in it has fallen. A finer schema or a
 * narrower zero bucket cannot be compared and counts as a start too.
 */
export function detectReset(after: NativeHistogram, before: NativeHistogram): boolean {
  if (after.hint === 'reset') return true
  if (after.hint === 'not_reset') return false
  if (after.count < before.count) return true
  if (isCustom(after) !== isCustom(before)) return true
  if (isCustom(after)) {
    if (!sameBounds(after, before)) return hasFallenByCommonBounds(after, before)
    return hasFallen(after.positive, before.positive)
  }
  if (after.schema > before.schema || after.zeroThreshold < before.zeroThreshold) return true
  const { threshold, count } = widerZeroBucket(before, after.zeroThreshold)
  if (threshold !== after.zeroThreshold || after.zeroCount < count) return true
  const steps = before.schema - after.schema
  const reduced = (side: HistogramBuckets): HistogramBuckets => downscaleBuckets(beyond(before, side, threshold), steps)
  return hasFallen(after.positive, reduced(before.positive)) || hasFallen(after.negative, reduced(before.negative))
}
