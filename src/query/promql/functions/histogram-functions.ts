import { type NativeHistogram, isCustom } from '../../../domain/native-histogram/native-histogram.js'
import { KahanSum } from '../../../domain/kahan.js'
import { disjointBuckets, middleOf } from '../histograms/buckets.js'

/** Variance of the observations, each taken for the middle of its bucket. */
function histogramVariance(histogram: NativeHistogram): number {
  const mean = histogram.sum / histogram.count
  const squares = new KahanSum()
  for (const bucket of disjointBuckets(histogram)) {
    const isLinear = isCustom(histogram) || (bucket.lower <= 0 && bucket.upper >= 0)
    squares.add(bucket.count * (middleOf(bucket, isLinear) - mean) ** 2)
  }
  return squares.value / histogram.count
}

/** Functions of one native histogram; they leave numbers out. */
export const OF_HISTOGRAMS: ReadonlyMap<string, (histogram: NativeHistogram) => number> = new Map<
  string,
  (histogram: NativeHistogram) => number
>([
  ['histogram_avg', ({ sum, count }) => sum / count],
  ['histogram_count', ({ count }) => count],
  ['histogram_stddev', histogram => Math.sqrt(histogramVariance(histogram))],
  ['histogram_stdvar', histogramVariance],
  ['histogram_sum', ({ sum }) => sum]
])
