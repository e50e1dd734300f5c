import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { histogramVariance } from '../histograms/variance.js'

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
