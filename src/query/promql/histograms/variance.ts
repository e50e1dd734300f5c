import { isCustom, type NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { KahanSum } from '../functions/kahan.js'
import { disjointBuckets } from './buckets.js'

function middle(lower: number, upper: number, isLinear: boolean): number {
  if (isLinear) return (upper + lower) / 2
  if (lower <= 0 && upper >= 0) return 0
  return Math.sign(upper) * Math.sqrt(upper * lower)
}

/** Variance of the observations, each taken for the middle of its bucket. */
export function histogramVariance(histogram: NativeHistogram): number {
  const mean = histogram.sum / histogram.count
  const squares = new KahanSum()
  for (const { lower, upper, count } of disjointBuckets(histogram)) {
    squares.add(count * (middle(lower, upper, isCustom(histogram)) - mean) ** 2)
  }
  return squares.value / histogram.count
}
