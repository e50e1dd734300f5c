import { floatsOf, type MixedWindow, onMixed } from '../evaluate/mixed-windows.js'
import type { Notes } from '../evaluate/notes.js'
import type { Cell, RawSeries } from '../evaluate/values.js'
import type { CellFunction, Window, WindowFunction } from '../evaluate/windows.js'
import { equalHistograms } from '../../../domain/native-histogram/native-histogram.js'
import { detectReset } from '../histograms/detect-reset.js'
import { NAME } from '../labels.js'
import type { Position } from '../syntax/ast.js'
import { mixedSamples } from './histogram-notes.js'
import { histogramIncrease, instantChange } from './histogram-rate.js'
import type { RangeReport } from './range-report.js'
import { averageHistograms, type SumReport, sumHistograms } from './sum-histograms.js'

type OfMixed = (window: MixedWindow, report: RangeReport) => Cell | undefined

function toSum({ name, notes, position }: RangeReport): SumReport {
  return { nameAt: () => name, notes, position }
}

/** What a window of either numbers or histograms gives; of both together nothing. */
const OF_HISTOGRAMS: ReadonlyMap<string, OfMixed> = new Map<string, OfMixed>([
  ['avg_over_time', ({ histograms }, report) => averageHistograms(histograms.histograms, toSum(report))],
  ['delta', ({ histograms }, report) => histogramIncrease(histograms, 'delta', report)],
  ['increase', ({ histograms }, report) => histogramIncrease(histograms, 'increase', report)],
  ['rate', ({ histograms }, report) => histogramIncrease(histograms, 'rate', report)],
  ['sum_over_time', ({ histograms }, report) => sumHistograms(histograms.histograms, toSum(report))]
])

function cellOf({ values, histograms }: Window & { readonly histograms: RawSeries['histograms'] }, i: number): Cell {
  return histograms?.[i] ?? values[i]!
}

function hasChanged(before: Cell, after: Cell): boolean {
  if (typeof before === 'number' || typeof after === 'number') {
    if (typeof before !== typeof after) return true
    return before !== after && !(Number.isNaN(before) && Number.isNaN(after))
  }
  return !equalHistograms(before, after)
}

function isReset(before: Cell, after: Cell): boolean {
  if (typeof before === 'number' && typeof after === 'number') return after < before
  if (typeof before === 'number' || typeof after === 'number') return true
  return detectReset(after, before)
}

function counting(histograms: RawSeries['histograms'], counts: (before: Cell, after: Cell) => boolean): OfMixed {
  return ({ all }) => {
    let count = 0
    const window = { ...all, histograms }
    for (let i = all.from + 1; i < all.to; i++) if (counts(cellOf(window, i - 1), cellOf(window, i))) count++
    return count
  }
}

/** Functions for which numbers and histograms are samples alike. */
function ofAll(name: string, histograms: RawSeries['histograms']): OfMixed | undefined {
  switch (name) {
    case 'changes':
      return counting(histograms, hasChanged)
    case 'resets':
      return counting(histograms, isReset)
    case 'first_over_time':
      return ({ all }) => cellOf({ ...all, histograms }, all.from)
    case 'last_over_time':
      return ({ all }) => cellOf({ ...all, histograms }, all.to - 1)
    case 'irate':
    case 'idelta':
      return ({ all }, report) => {
        const { times, from, to } = all
        if (to - from < 2) return undefined
        const [before, after] = [cellOf({ ...all, histograms }, to - 2), cellOf({ ...all, histograms }, to - 1)]
        return instantChange({ before, after, elapsedMs: times[to - 1]! - times[to - 2]! }, name === 'irate', report)
      }
    default:
      return undefined
  }
}

/** Functions that only look at which samples there are and when. */
const OF_PRESENCE: ReadonlySet<string> = new Set([
  'absent_over_time',
  'count_over_time',
  'present_over_time',
  'ts_of_first_over_time',
  'ts_of_last_over_time'
])

/** The function of a range over one series, of which some samples may be histograms. */
export function mixedRangeFunction(
  name: string,
  raw: RawSeries,
  functionOf: (raw: RawSeries) => WindowFunction,
  { notes, position }: { readonly notes: Notes; readonly position: Position }
): CellFunction {
  if (raw.histograms === undefined || OF_PRESENCE.has(name)) return functionOf(raw)
  const report = { name: raw.labels.get(NAME), notes, position }
  const all = ofAll(name, raw.histograms)
  if (all !== undefined) return onMixed(raw, window => all(window, report))
  const ofNumbers = functionOf(floatsOf(raw))
  const ofHistograms = OF_HISTOGRAMS.get(name)
  return onMixed(raw, (window, step) => {
    const hasNumbers = window.floats.to > window.floats.from
    const hasHistograms = window.histograms.histograms.length > 0
    if (hasNumbers && hasHistograms) {
      if (ofHistograms !== undefined) {
        notes.warn(mixedSamples(report.name), position)
        return undefined
      }
      const where = `a range containing both floats and histograms for metric name ${JSON.stringify(report.name)}`
      notes.inform(`ignored histograms in ${where}`, position)
    }
    if (hasNumbers) return ofNumbers(window.floats, step)
    return ofHistograms?.(window, report)
  })
}
