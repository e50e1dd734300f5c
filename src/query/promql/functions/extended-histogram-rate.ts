import { isCustom, type NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import type { HistogramWindow } from '../evaluate/mixed-windows.js'
import { detectReset } from '../histograms/detect-reset.js'
import { HistogramSum } from '../histograms/histogram-sum.js'
import { divide, multiply } from '../histograms/scale.js'
import type { Line } from './between.js'
import { type ExtendedEdges, extendedEdges } from './extended-edges.js'
import { mixedSchemas, notCounter, notGauge, reconciledBounds } from './histogram-notes.js'
import type { RangeReport } from './range-report.js'
import type { RateKind } from './rate.js'

/** What is computed of an extended window. */
interface ExtendedKind extends RateKind {
  readonly isSmoothed: boolean
}

/** One histogram added to another, or taken from it; undefined, with a warning, when their buckets are of two kinds. */
function added(
  to: NativeHistogram,
  histogram: NativeHistogram,
  factor: 1 | -1,
  { name, notes, position }: RangeReport
): NativeHistogram | undefined {
  const sum = new HistogramSum(to)
  if (!sum.add(histogram, factor)) {
    notes.warn(mixedSchemas(name), position)
    return undefined
  }
  if (sum.hasOtherBounds) notes.inform(reconciledBounds(factor < 0 ? 'subtraction' : 'addition'), position)
  return sum.value
}

/** The histogram on the line between two samples; a counter rises from nothing after a reset. */
export function betweenHistograms(
  before: NativeHistogram,
  after: NativeHistogram,
  { fromMs, toMs, atMs }: Line,
  isCounter: boolean,
  report: RangeReport
): NativeHistogram | undefined {
  if (atMs === fromMs) return before
  if (atMs === toMs) return after
  const share = (atMs - fromMs) / (toMs - fromMs)
  if (isCounter && detectReset(after, before)) return multiply(after, share)
  const rise = added(after, before, -1, report)
  return rise && added(multiply(rise, share), before, 1, report)
}

/** Whether the samples can be combined; differences are noted. */
function areAlike(histograms: readonly NativeHistogram[], isCounter: boolean, { name, notes, position }: RangeReport): boolean {
  const kind = isCustom(histograms[0]!)
  for (const histogram of histograms) {
    if (isCustom(histogram) !== kind) {
      notes.warn(mixedSchemas(name), position)
      return false
    }
    if (isCounter && histogram.hint === 'gauge') {
      notes.warn(notCounter(name), position)
    }
  }
  return true
}

/** `rate`, `increase` and `delta` of an extended window that holds histograms only. */
export function extendedHistogramRate(
  { times, histograms, startMs, endMs }: HistogramWindow,
  { isCounter, isRate, isSmoothed }: ExtendedKind,
  report: RangeReport
): NativeHistogram | undefined {
  const edges = extendedEdges({ times, from: 0, to: histograms.length, startMs, endMs }, isSmoothed)
  if (edges === null) return undefined
  const { first, last, startsBetween, endsBetween } = edges
  if (!areAlike(histograms.slice(first, last + 1), isCounter, report)) return undefined
  const at = (i: number, atMs: number): NativeHistogram | undefined => {
    return betweenHistograms(
      histograms[i]!,
      histograms[i + 1]!,
      { fromMs: times[i]!, toMs: times[i + 1]!, atMs },
      isCounter,
      report
    )
  }
  const left = startsBetween ? at(first, startMs) : histograms[first]!
  const right = endsBetween ? at(last - 1, endMs) : histograms[last]!
  if (left === undefined || right === undefined) return undefined
  if (!isCounter && (left.hint !== 'gauge' || right.hint !== 'gauge')) {
    report.notes.warn(notGauge(report.name), report.position)
  }
  const rise = added(right, left, -1, report)
  const lost = isCounter ? lostWithin(histograms, { first, last, left, right, startsBetween }, report) : null
  if (rise === undefined || lost === undefined) return undefined
  const total = lost === null ? rise : added(rise, lost, 1, report)
  return total && { ...(isRate ? divide(total, (endMs - startMs) / 1_000) : total), hint: 'gauge' }
}

interface Ends extends Pick<ExtendedEdges, 'first' | 'last' | 'startsBetween'> {
  readonly left: NativeHistogram
  readonly right: NativeHistogram
}

/** What was lost to resets between the histograms at the edges: null for nothing, undefined where `added` gives that. */
function lostWithin(
  histograms: readonly NativeHistogram[],
  { first, last, left, right, startsBetween }: Ends,
  report: RangeReport
): NativeHistogram | null | undefined {
  // A reset between the two samples around the start is already in the value at the start.
  const isSpanned = startsBetween && detectReset(histograms[first + 1]!, histograms[first]!)
  const from = first + (isSpanned ? 2 : 1)
  if (from > last) return null
  let lost: NativeHistogram | null | undefined = null
  let before = isSpanned ? histograms[first + 1]! : left
  for (const histogram of [...histograms.slice(from, last), right]) {
    if (detectReset(histogram, before)) lost = lost === null ? before : added(lost, before, 1, report)
    if (lost === undefined) return undefined
    before = histogram
  }
  return lost
}
