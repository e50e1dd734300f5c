import { isCustom } from '../../../domain/native-histogram/native-histogram.js'
import { mixedSamples, mixedSchemas } from '../functions/histogram-notes.js'
import { betweenHistograms } from '../functions/extended-histogram-rate.js'
import { between } from '../functions/between.js'
import type { RangeReport } from '../functions/range-report.js'
import type { Budget } from './budget.js'
import { bucketCountOf, cellAt, type Cell, emptySeries, type GridSeries, putCell, type RawSeries, type Steps } from './values.js'

/** Where a smoothed selector looks: at samples as far before and behind its time as it looks back. */
export interface SmoothedLook {
  readonly steps: Steps
  readonly lookbackMs: number
  readonly timeAt: (step: number) => number
  readonly report: RangeReport
  readonly budget: Budget
}

/** The value of one series at each step: on the line between the neighboring samples, or the last sample where none follows. */
export function smoothedSamples(raw: RawSeries, look: SmoothedLook): GridSeries {
  const { steps, lookbackMs, timeAt, budget } = look
  const series = emptySeries(raw.labels, steps.count)
  const { times } = raw
  const isHistogram = (i: number): number => (raw.histograms?.[i] === undefined ? 0 : 1)
  let [from, to] = [0, 0]
  /** How many of `[from, to)` are histograms. */
  let found = 0
  /** The first sample at or behind the time of the step. */
  let next = 0
  for (let i = 0; i < steps.count; i++) {
    const atMs = timeAt(i)
    while (to < times.length && times[to]! <= atMs + lookbackMs) found += isHistogram(to++)
    while (from < to && times[from]! <= atMs - lookbackMs) found -= isHistogram(from++)
    while (next < times.length && times[next]! < atMs) next++
    const isMixed = found > 0 && found < to - from
    const place = { from, to, next: Math.min(Math.max(next, from), to), atMs, isMixed }
    const cell = from === to ? undefined : valueAt(raw, place, look)
    budget.work(1 + bucketCountOf(cell))
    if (cell !== undefined) putCell(series, i, cell, budget)
  }
  return series
}

interface Place {
  readonly from: number
  readonly to: number
  readonly next: number
  readonly atMs: number
  /** Whether there are both numbers and histograms in `[from, to)`. */
  readonly isMixed: boolean
}

function valueAt(raw: RawSeries, { from, to, next, atMs, isMixed }: Place, { report }: SmoothedLook): Cell | undefined {
  if (isMixed) {
    report.notes.warn(mixedSamples(report.name), report.position)
    return undefined
  }
  const { times } = raw
  if (next < to && times[next] === atMs) return cellAt(raw, next)
  if (next === from) return undefined
  const [before, after] = [cellAt(raw, next - 1), next < to ? cellAt(raw, next) : undefined]
  if (after === undefined) return typeof before === 'number' ? before : { ...before, hint: 'unknown' }
  const line = { fromMs: times[next - 1]!, toMs: times[next]!, atMs }
  if (typeof before === 'number' && typeof after === 'number') return between(before, after, line)
  if (typeof before === 'number' || typeof after === 'number') return undefined
  if (isCustom(before) !== isCustom(after)) {
    report.notes.warn(mixedSchemas(report.name), report.position)
    return undefined
  }
  const isCounter = before.hint !== 'gauge' || after.hint !== 'gauge'
  return betweenHistograms(before, after, line, isCounter, report)
}
