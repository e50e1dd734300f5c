import { isCustom, type NativeHistogram, NO_BUCKETS } from '../../../domain/native-histogram/native-histogram.js'
import type { HistogramWindow } from '../evaluate/mixed-windows.js'
import type { Cell } from '../evaluate/values.js'
import { detectReset } from '../histograms/detect-reset.js'
import { HistogramSum } from '../histograms/histogram-sum.js'
import { divide, multiply } from '../histograms/scale.js'
import { mixedSamples, mixedSchemas, notCounter, notGauge, reconciledBounds } from './histogram-notes.js'
import type { RangeReport } from './range-report.js'
import { extrapolationFactor, type RateKind } from './rate.js'

function nothingLike({ schema, bounds }: NativeHistogram): NativeHistogram {
  const zero = { count: 0, sum: 0, zeroThreshold: 0, zeroCount: 0, positive: NO_BUCKETS, negative: NO_BUCKETS }
  return { schema, bounds, hint: 'unknown', ...zero }
}

function warnOfHints(histograms: readonly NativeHistogram[], isCounter: boolean, { name, notes, position }: RangeReport): void {
  const ends = [histograms[0]!, histograms.at(-1)!]
  if (isCounter && histograms.some(({ hint }) => hint === 'gauge')) {
    notes.warn(notCounter(name), position)
  }
  if (!isCounter && ends.some(({ hint }) => hint !== 'gauge')) {
    notes.warn(notGauge(name), position)
  }
}

/** Adds histograms, each times a factor, onto the first; undefined when their buckets are of two kinds. */
function combine(
  first: NativeHistogram,
  others: readonly (readonly [histogram: NativeHistogram, factor: 1 | -1])[],
  { name, notes, position }: RangeReport
): NativeHistogram | undefined {
  const sum = new HistogramSum(first)
  for (const [histogram, factor] of others) {
    const had = sum.hasOtherBounds
    if (!sum.add(histogram, factor)) {
      notes.warn(mixedSchemas(name), position)
      return undefined
    }
    if (!had && sum.hasOtherBounds) notes.inform(reconciledBounds(factor < 0 ? 'subtraction' : 'addition'), position)
  }
  return { ...sum.value, hint: 'gauge' }
}

/** What was observed between the first and the last of some histograms, resets made good. */
function increaseOf(
  histograms: readonly NativeHistogram[],
  isCounter: boolean,
  report: RangeReport
): NativeHistogram | undefined {
  warnOfHints(histograms, isCounter, report)
  const last = histograms.at(-1)!
  if (!isCounter) return combine(last, [[histograms[0]!, -1]], report)
  const second = histograms[1]!
  // If the second sample follows a reset, the first one does not count, nor does its schema.
  const startsWithReset = detectReset(second, histograms[0]!)
  const first = startsWithReset ? nothingLike(second) : histograms[0]!
  const lost: (readonly [NativeHistogram, 1])[] = []
  let before = first
  for (const histogram of histograms.slice(1)) {
    if (detectReset(histogram, before)) lost.push([before, 1])
    before = histogram
  }
  const kinds = new Set(histograms.slice(startsWithReset ? 1 : 0).map(isCustom))
  if (kinds.size > 1) {
    report.notes.warn(mixedSchemas(report.name), report.position)
    return undefined
  }
  return coarsened(histograms, combine(last, [[first, -1], ...lost], report))
}

/** The result has the coarsest schema of all samples, also of those in the midst. */
function coarsened(histograms: readonly NativeHistogram[], increase: NativeHistogram | undefined): NativeHistogram | undefined {
  const schema = Math.min(...histograms.slice(1).map(histogram => histogram.schema))
  if (increase === undefined || schema >= increase.schema) return increase
  const sum = new HistogramSum(increase)
  sum.add(nothingLike({ ...increase, schema }))
  return { ...sum.value, hint: 'gauge' }
}

/** `rate`, `increase` and `delta` of histograms only, extrapolated as for numbers. */
export function histogramIncrease(
  { times, histograms, startMs, endMs }: HistogramWindow,
  { isCounter, isRate }: RateKind,
  report: RangeReport
): NativeHistogram | undefined {
  if (histograms.length < 2) return undefined
  const increase = increaseOf(histograms, isCounter, report)
  if (increase === undefined) return undefined
  const window = { firstMs: times[0]!, lastMs: times.at(-1)!, samples: times.length, startMs, endMs }
  const counter = isCounter ? { first: histograms[0]!.count, increase: increase.count } : null
  const factor = extrapolationFactor(window, counter)
  return multiply(increase, isRate ? factor / ((endMs - startMs) / 1000) : factor)
}

/** Two samples that follow each other. */
interface Step {
  readonly before: Cell
  readonly after: Cell
  readonly elapsedMs: number
}

/** `irate` and `idelta` of two samples, of which one at least is a histogram. */
export function instantChange(
  { before, after, elapsedMs }: Step,
  isRate: boolean,
  report: RangeReport
): NativeHistogram | undefined {
  if (elapsedMs === 0) return undefined
  if (typeof before === 'number' || typeof after === 'number') {
    report.notes.warn(mixedSamples(report.name), report.position)
    return undefined
  }
  warnOfHints([before, after], isRate, report)
  const isNew = isRate && detectReset(after, before)
  const change = isNew ? { ...after, hint: 'gauge' as const } : combine(after, [[before, -1]], report)
  return change && isRate ? divide(change, elapsedMs / 1000) : change
}
