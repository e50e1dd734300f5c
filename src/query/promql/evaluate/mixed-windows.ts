import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import type { RawSeries } from './values.js'
import type { CellFunction, Window } from './windows.js'

/** The native histograms of a window. */
export interface HistogramWindow {
  readonly times: Float64Array
  readonly histograms: readonly NativeHistogram[]
  readonly startMs: number
  readonly endMs: number
}

/** What is in a window that may contain histograms. */
export interface MixedWindow {
  readonly floats: Window
  readonly histograms: HistogramWindow
}

/** The samples of a series that are numbers. */
export function floatsOf({ labels, times, values, histograms }: RawSeries): RawSeries {
  const isNumber = (_: number, i: number): boolean => histograms?.[i] === undefined
  return { labels, times: times.filter(isNumber), values: values.filter(isNumber), histograms: undefined }
}

/** A function of windows from one that gets the kinds of samples in the window; `floats` are those of the series. */
export function onMixed(
  raw: RawSeries,
  floats: RawSeries,
  run: (window: MixedWindow, step: number) => ReturnType<CellFunction>
): CellFunction {
  const before = new Uint32Array(raw.times.length + 1)
  for (let i = 0; i < raw.times.length; i++) before[i + 1] = before[i]! + (raw.histograms?.[i] === undefined ? 1 : 0)
  return ({ from, to, startMs, endMs }, step) => {
    const numbers = { times: floats.times, values: floats.values, from: before[from]!, to: before[to]!, startMs, endMs }
    const cells = raw.histograms!.slice(from, to)
    const times = raw.times.subarray(from, to).filter((_, i) => cells[i] !== undefined)
    const histograms = cells.filter(cell => cell !== undefined)
    return run({ floats: numbers, histograms: { times, histograms, startMs, endMs } }, step)
  }
}
