import { floatsOf, type HistogramWindow, onMixed } from '../evaluate/mixed-windows.js'
import type { Notes } from '../evaluate/notes.js'
import { type Cell, cellAt, type RawSeries } from '../evaluate/values.js'
import type { CellFunction, WindowFunction } from '../evaluate/windows.js'
import { equalHistograms } from '../../../domain/native-histogram/native-histogram.js'
import { detectReset } from '../histograms/detect-reset.js'
import { NAME } from '../labels.js'
import type { QueryPosition } from '../syntax/ast.js'
import { ignoredInMixedRange, mixedSamples } from './histogram-notes.js'
import { histogramIncrease, instantChange } from './histogram-rate.js'
import type { RangeReport } from './range-report.js'
import { RATE_KINDS } from './rate.js'
import { averageHistograms, type SumReport, sumHistograms } from './sum-histograms.js'

type OfHistograms = (window: HistogramWindow, report: RangeReport) => Cell | undefined

function toSum({ name, notes, position }: RangeReport): SumReport {
  return { nameAt: () => name, notes, position }
}

/** What a window of either numbers or histograms gives; of both together nothing. */
const OF_HISTOGRAMS: ReadonlyMap<string, OfHistograms> = new Map<string, OfHistograms>([
  ['avg_over_time', ({ histograms }, report) => averageHistograms(histograms, toSum(report))],
  ['delta', (window, report) => histogramIncrease(window, RATE_KINDS.delta, report)],
  ['increase', (window, report) => histogramIncrease(window, RATE_KINDS.increase, report)],
  ['rate', (window, report) => histogramIncrease(window, RATE_KINDS.rate, report)],
  ['sum_over_time', ({ histograms }, report) => sumHistograms(histograms, toSum(report))]
])

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

function counting(raw: RawSeries, counts: (before: Cell, after: Cell) => boolean): CellFunction {
  return ({ from, to }) => {
    let count = 0
    for (let i = from + 1; i < to; i++) if (counts(cellAt(raw, i - 1), cellAt(raw, i))) count++
    return count
  }
}

/** `irate` and `idelta`; `ofNumbers` is that of two numbers. */
function instant(raw: RawSeries, isRate: boolean, ofNumbers: WindowFunction, report: RangeReport): CellFunction {
  return (window, step) => {
    const { times, from, to } = window
    if (to - from < 2) return undefined
    const [before, after] = [cellAt(raw, to - 2), cellAt(raw, to - 1)]
    if (typeof before === 'number' && typeof after === 'number') return ofNumbers(window, step)
    return instantChange({ before, after, elapsedMs: times[to - 1]! - times[to - 2]! }, isRate, report)
  }
}

/** Functions for which numbers and histograms are samples alike. */
function ofAll(
  name: string,
  raw: RawSeries,
  functionOf: (raw: RawSeries) => WindowFunction,
  report: RangeReport
): CellFunction | undefined {
  switch (name) {
    case 'changes':
      return counting(raw, hasChanged)
    case 'resets':
      return counting(raw, isReset)
    case 'first_over_time':
      return ({ from }) => cellAt(raw, from)
    case 'last_over_time':
      return ({ to }) => cellAt(raw, to - 1)
    case 'irate':
    case 'idelta':
      return instant(raw, name === 'irate', functionOf(raw), report)
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
  { notes, position }: { readonly notes: Notes; readonly position: QueryPosition }
): CellFunction {
  if (raw.histograms === undefined || OF_PRESENCE.has(name)) return functionOf(raw)
  const report = { name: raw.labels.get(NAME), notes, position }
  const all = ofAll(name, raw, functionOf, report)
  if (all !== undefined) return all
  const numbers = floatsOf(raw)
  const ofNumbers = functionOf(numbers)
  const ofHistograms = OF_HISTOGRAMS.get(name)
  return onMixed(raw, numbers, ({ floats, histograms }, step) => {
    const hasNumbers = floats.to > floats.from
    const hasHistograms = histograms.histograms.length > 0
    if (hasNumbers && hasHistograms) {
      if (ofHistograms !== undefined) {
        notes.warn(mixedSamples(report.name), position)
        return undefined
      }
      notes.inform(ignoredInMixedRange(report.name), position)
    }
    if (hasNumbers) return ofNumbers(floats, step)
    return ofHistograms?.(histograms, report)
  })
}
