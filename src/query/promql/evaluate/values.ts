import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import type { LabelSet } from '../labels.js'
import type { Budget } from './budget.js'

/** The times of an evaluation, Unix milliseconds: one for an instant query, else a grid. */
export interface Steps {
  readonly startMs: number
  readonly stepMs: number
  readonly count: number
  /** The end that was requested, where the last step is before it: `@ end()`. */
  readonly endMs?: number
}

/** Time of a step. */
export function timeOf(steps: Steps, i: number): number {
  return steps.startMs + i * steps.stepMs
}

/** The end that was requested; without one the time of the last step. */
export function endOf(steps: Steps): number {
  return steps.endMs ?? timeOf(steps, steps.count - 1)
}

/**
 * Native histograms in addition to numbers: where a step has one, it is the value. Undefined throughout for a series without
 * histograms.
 */
export type HistogramCells = (NativeHistogram | undefined)[] | undefined

/** What one series has at one time. */
export type Cell = number | NativeHistogram

/** One series over all steps. `values[i]` counts only where `present[i]` is 1: NaN is a value too. */
export interface GridSeries {
  readonly labels: LabelSet
  readonly values: Float64Array
  readonly present: Uint8Array
  histograms: HistogramCells
}

/** Samples of one series: times rise, Unix milliseconds. */
export interface RawSeries {
  readonly labels: LabelSet
  readonly times: Float64Array
  readonly values: Float64Array
  readonly histograms: HistogramCells
  /** Each value is already that of a window (`WindowFold`): the store has looked at the samples. */
  readonly isAggregated?: boolean
  /** Its sender or its name states that it only grows. */
  readonly isCounter?: boolean
}

/** What an expression gives: a number for each step, series over the steps, or a string. */
export type Value =
  | { readonly type: 'scalar'; readonly values: Float64Array }
  | { readonly type: 'vector'; readonly series: readonly GridSeries[] }
  | { readonly type: 'string'; readonly value: string }

/** A series without any value yet. */
export function emptySeries(labels: LabelSet, count: number): GridSeries {
  return { labels, values: new Float64Array(count), present: new Uint8Array(count), histograms: undefined }
}

/** Puts a value into a series. */
export function setCell(series: GridSeries, step: number, cell: Cell): void {
  series.present[step] = 1
  const isNumber = typeof cell === 'number'
  series.values[step] = isNumber ? cell : Number.NaN
  if (!isNumber) (series.histograms ??= [])[step] = cell
  else if (series.histograms !== undefined) series.histograms[step] = undefined
}

/** The value at a step at which there is one, or the sample at a place. */
export function cellAt({ values, histograms }: Pick<GridSeries, 'values' | 'histograms'>, i: number): Cell {
  return histograms?.[i] ?? values[i]!
}

/** How many numbers a value holds besides itself: those of a histogram's buckets. */
export function bucketCountOf(cell: Cell | undefined): number {
  if (cell === undefined || typeof cell === 'number') return 0
  return cell.positive.counts.length + cell.negative.counts.length
}

/** Puts a value into a series, its buckets counted among the values of the query: how many they are shows only now. */
export function putCell(series: GridSeries, step: number, cell: Cell, budget: Pick<Budget, 'take'>): void {
  if (typeof cell !== 'number') budget.take(bucketCountOf(cell))
  setCell(series, step, cell)
}

/** An instant vector. */
export function vector(series: readonly GridSeries[]): Value {
  return { type: 'vector', series }
}

/** Series that have a value at any step. */
export function withValues(series: readonly GridSeries[]): readonly GridSeries[] {
  return series.filter(({ present }) => present.includes(1))
}

/** Steps at which any of the series has a value. */
export function anyPresent(series: readonly GridSeries[], count: number): Uint8Array {
  const any = new Uint8Array(count)
  for (const { present } of series) for (let i = 0; i < count; i++) any[i]! |= present[i]!
  return any
}
