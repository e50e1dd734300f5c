import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import type { Notes } from '../evaluate/notes.js'
import { HistogramSum } from '../histograms/histogram-sum.js'
import { divide, isOverflown } from '../histograms/scale.js'
import type { QueryPosition } from '../syntax/ast.js'
import { hintCollision, mixedSchemas, reconciledBounds } from './histogram-notes.js'

/** Where to report irregular histograms, and the metrics that they belong to. */
export interface SumReport {
  readonly nameAt: (i: number) => string
  readonly notes: Notes
  readonly position: QueryPosition
}

/** The sum of histograms, of which there is one at least; undefined when their buckets are of two kinds. */
export function sumHistograms(histograms: readonly NativeHistogram[], report: SumReport): NativeHistogram | undefined {
  const { nameAt, notes, position } = report
  const sum = new HistogramSum(histograms[0]!)
  for (let i = 1; i < histograms.length; i++) {
    if (sum.add(histograms[i]!)) continue
    notes.warn(mixedSchemas(nameAt(i)), position)
    return undefined
  }
  if (sum.hasHintCollision) notes.warn(hintCollision('aggregation'), position)
  if (sum.hasOtherBounds) notes.inform(reconciledBounds('aggregation'), position)
  return sum.value
}

/** The mean of histograms, of which there is one at least; also where their sum is beyond what a double can contain. */
export function averageHistograms(histograms: readonly NativeHistogram[], report: SumReport): NativeHistogram | undefined {
  const sum = sumHistograms(histograms, report)
  if (sum === undefined) return undefined
  if (!isOverflown(sum) || histograms.some(isOverflown)) return divide(sum, histograms.length)
  const parts = histograms.map(histogram => divide(histogram, histograms.length))
  return sumHistograms(parts, report)
}
