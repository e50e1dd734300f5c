import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import type { Budget } from './budget.js'
import type { LabelSet } from '../labels.js'
import type { Extension } from '../syntax/ast.js'
import { bucketCountOf, type Cell, emptySeries, type GridSeries, putCell, type RawSeries, setCell, type Steps } from './values.js'

/**
 * The samples of one series in `(endMs - rangeMs, endMs]`, and those that an extended range sees in addition to them: indices
 * `[from, to)` of its arrays. Reused from step to step.
 */
export interface Window {
  times: Float64Array
  values: Float64Array
  from: number
  to: number
  startMs: number
  endMs: number
}

/** A function of the samples in a window; undefined where it has no value. It is never called for an empty window. */
export type WindowFunction = (window: Window, step: number) => number | undefined

/** As `WindowFunction` where histograms may be in the window or come out of it. */
export type CellFunction = (window: Window, step: number) => Cell | undefined

/** The windows of a range: their ends by step, and their length. */
export interface Ranges {
  readonly rangeMs: number
  readonly endOf: (step: number) => number
  /** Windows are cut to these times. */
  readonly within?: { readonly startMs: number; readonly endMs: number }
  readonly extension?: Extension
  /** How far before its start and behind its end an extended range sees samples. */
  readonly beforeMs?: number
  readonly afterMs?: number
}

/** The windows of all steps. */
export interface Windows {
  readonly steps: Steps
  readonly ranges: Ranges
  readonly budget: Budget
}

/**
 * Runs a function over the windows of one series, one for each step. Ends never fall, so both sides of the window only
 * move forward. Ranges are open on the left (Prometheus 3).
 */
export function overWindows(
  raw: RawSeries,
  labels: LabelSet,
  { steps, ranges: { rangeMs, endOf, within, beforeMs = 0, afterMs = 0 }, budget }: Windows,
  run: CellFunction
): GridSeries {
  const series = emptySeries(labels, steps.count)
  const { times, values } = raw
  const weight = meanWeight(raw)
  const window: Window = { times, values, from: 0, to: 0, startMs: 0, endMs: 0 }
  for (let i = 0; i < steps.count; i++) {
    const lastMs = endOf(i)
    const endMs = within === undefined ? lastMs : Math.min(lastMs, within.endMs)
    const startMs = within === undefined ? lastMs - rangeMs : Math.max(lastMs - rangeMs, within.startMs)
    while (window.to < times.length && times[window.to]! <= endMs + afterMs) window.to++
    while (window.from < window.to && times[window.from]! <= startMs - beforeMs) window.from++
    if (window.from === window.to) continue
    window.startMs = startMs
    window.endMs = endMs
    budget.work((window.to - window.from) * weight)
    const value = run(window, i)
    if (value === undefined) continue
    if (typeof value === 'number') {
      // What `putCell` does, without the call: most of what PromQL computes passes here.
      series.values[i] = value
      series.present[i] = 1
    } else putCell(series, i, value, budget)
  }
  return series
}

/** How much work a sample is: one, and the buckets that it has on average. */
function meanWeight({ histograms, times }: RawSeries): number {
  if (histograms === undefined) return 1
  const buckets = histograms.reduce<number>((sum, histogram) => sum + bucketCountOf(histogram), 0)
  return 1 + Math.ceil(buckets / times.length)
}

/** The newest sample in `(T - lookbackMs, T]` at each step, unless it states that the series ended. */
export function latestSamples(
  raw: RawSeries,
  steps: Steps,
  lookbackMs: number,
  isStale: (i: number) => boolean,
  timeAt: (step: number) => number
): GridSeries {
  const series = emptySeries(raw.labels, steps.count)
  let next = 0
  let before = -1
  for (let i = 0; i < steps.count; i++) {
    const atMs = timeAt(i)
    while (next < raw.times.length && raw.times[next]! <= atMs) next++
    const last = next - 1
    if (last < 0 || raw.times[last]! <= atMs - lookbackMs || isStale(last)) continue
    series.values[i] = raw.values[last]!
    series.present[i] = 1
    const histogram = raw.histograms?.[last]
    if (histogram !== undefined) setCell(series, i, before < 0 || last === before + 1 ? histogram : withoutHint(histogram))
    before = last
  }
  return series
}

/** Removes the reset hint of a histogram whose predecessor was skipped or repeated: the hint refers to the sample before it. */
function withoutHint(histogram: NativeHistogram): NativeHistogram {
  return histogram.hint === 'gauge' || histogram.hint === 'unknown' ? histogram : { ...histogram, hint: 'unknown' }
}
