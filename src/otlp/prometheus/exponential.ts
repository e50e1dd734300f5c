import type { ExponentialBuckets, OtlpExponentialPoint, OtlpHistogramPoint } from '../model.js'

/** The limit of buckets of a histogram that is stored as classic series; a finer one is merged down, which is exact. */
const MAX_BUCKETS = 40
const MIN_SCALE = -11

/** Merges neighbors until the scale fits: bucket i of scale s is in bucket i >> 1 of scale s - 1. */
function downscale({ offset, counts }: ExponentialBuckets, steps: number): ExponentialBuckets {
  if (steps === 0 || counts.length === 0) return { offset: offset >> steps, counts }
  const first = offset >> steps
  const merged = Array.from({ length: ((offset + counts.length - 1) >> steps) - first + 1 }, () => 0)
  for (const [i, count] of counts.entries()) merged[((offset + i) >> steps) - first]! += count
  return { offset: first, counts: merged }
}

function width(buckets: ExponentialBuckets, steps: number): number {
  if (buckets.counts.length === 0) return 0
  return ((buckets.offset + buckets.counts.length - 1) >> steps) - (buckets.offset >> steps) + 1
}

/** Upper bound of bucket `index`: base^(index + 1) with base 2^(2^-scale). */
function upperBound(index: number, scale: number): number {
  return 2 ** ((index + 1) * 2 ** -scale)
}

/**
 * An exponential histogram as one with explicit bounds. The bounds are those of its own buckets, after merging to at
 * most `MAX_BUCKETS`; negative observations are between the mirrored bounds.
 */
export function explicitBuckets(point: OtlpExponentialPoint): OtlpHistogramPoint {
  const { positive, negative, zeroCount, zeroThreshold, metric, attributes, startTimeNs, timeNs, flags } = point
  let steps = 0
  while (width(positive, steps) + width(negative, steps) > MAX_BUCKETS && point.scale - steps > MIN_SCALE) steps++
  const scale = point.scale - steps
  const above = downscale(positive, steps)
  const below = downscale(negative, steps)
  const bounds: number[] = []
  const bucketCounts: number[] = []
  const add = (bound: number, count: number): void => {
    bounds.push(bound)
    bucketCounts.push(count)
  }
  if (below.counts.length > 0) add(-upperBound(below.offset + below.counts.length - 1, scale), 0)
  for (let i = below.counts.length - 1; i >= 0; i--) add(-upperBound(below.offset + i - 1, scale), below.counts[i]!)
  add(above.counts.length > 0 ? Math.max(zeroThreshold, upperBound(above.offset - 1, scale)) : zeroThreshold, zeroCount)
  for (const [i, count] of above.counts.entries()) add(upperBound(above.offset + i, scale), count)
  bucketCounts.push(0)
  const { temporality, count, sum, exemplars } = point
  const common = { metric, attributes, startTimeNs, timeNs, flags, ...(exemplars && { exemplars }) }
  return { kind: 'histogram', temporality, count, sum, bucketCounts, bounds, ...common }
}
