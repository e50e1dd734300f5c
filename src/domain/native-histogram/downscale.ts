import type { HistogramBuckets } from './native-histogram.js'

/** The bucket of a schema coarser by `steps` that holds a bucket: two neighbors become one at each step. */
export function coarserIndex(index: number, steps: number): number {
  return ((index - 1) >> steps) + 1
}

/** Merges neighbors `steps` times over, which is exact. */
export function downscaleBuckets(buckets: HistogramBuckets, steps: number): HistogramBuckets {
  if (steps <= 0 || buckets.indexes.length === 0) return buckets
  const indexes = new Int32Array(buckets.indexes.length)
  const counts = new Float64Array(buckets.indexes.length)
  let last = -1
  for (let i = 0; i < buckets.indexes.length; i++) {
    const index = coarserIndex(buckets.indexes[i]!, Math.min(steps, 31))
    if (last < 0 || indexes[last] !== index) indexes[++last] = index
    counts[last]! += buckets.counts[i]!
  }
  return { indexes: indexes.slice(0, last + 1), counts: counts.slice(0, last + 1) }
}
