import { isCustom, type NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { KahanSum } from '../../../domain/kahan.js'
import { disjointBuckets, middleOf } from './buckets.js'

/** Variance of the observations, each taken for the middle of its bucket. */
export function histogramVariance(histogram: NativeHistogram): number {
  const mean = histogram.sum / histogram.count
  const squares = new KahanSum()
  for (const bucket of disjointBuckets(histogram)) {
    const isLinear = isCustom(histogram) || (bucket.lower <= 0 && bucket.upper >= 0)
    squares.add(bucket.count * (middleOf(bucket, isLinear) - mean) ** 2)
  }
  return squares.value / histogram.count
}
