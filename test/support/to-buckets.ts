import { compactBuckets, type HistogramBuckets } from '../../src/domain/native-histogram/native-histogram.js'

/** Buckets of counts by index, rising; those without observations are left out. */
export function toBuckets(entries: readonly (readonly [index: number, count: number])[]): HistogramBuckets {
  return compactBuckets({
    indexes: Int32Array.from(entries, ([index]) => index),
    counts: Float64Array.from(entries, ([, count]) => count)
  })
}
