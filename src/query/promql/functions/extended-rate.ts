import { floatsOf, onMixed } from '../evaluate/mixed-windows.js'
import type { RawSeries } from '../evaluate/values.js'
import type { CellFunction, Window, WindowFunction } from '../evaluate/windows.js'
import type { Extension } from '../syntax/ast.js'
import { between, type Line } from './between.js'
import { extendedEdges } from './extended-edges.js'
import { extendedHistogramRate } from './extended-histogram-rate.js'
import { mixedSamples } from './histogram-notes.js'
import type { RangeReport } from './range-report.js'
import { type RateKind, Resets } from './rate.js'

// `rate`, `increase` and `delta` of ranges that are anchored or smoothed: instead of extrapolating to the edges of the window,
// they use the samples next to it (Prometheus: promql/functions.go, extendedRate).

/** As `between` for a counter: after a reset it rises from zero. */
function betweenCounts(before: number, after: number, line: Line): number {
  return between(after < before ? 0 : before, after, line)
}

/** Functions of ranges by how they may be extended, sorted by name. */
const ALLOWED: Readonly<Record<Extension, readonly string[]>> = {
  anchored: ['changes', 'delta', 'increase', 'rate', 'resets'],
  smoothed: ['delta', 'increase', 'rate']
}

/** Why a function may not be called with an extended range, in the terms of Prometheus; null where it may. */
export function extensionRefusal(extension: Extension, name: string): string | null {
  const allowed = ALLOWED[extension]
  return allowed.includes(name) ? null : `${extension} modifier can only be used with: ${allowed.join(', ')} - not with ${name}`
}

/** `rate`, `increase` or `delta` of one series within extended windows. */
export function extendedRate(kind: RateKind, raw: RawSeries, extension: Extension, report: RangeReport): CellFunction {
  const isSmoothed = extension === 'smoothed'
  if (raw.histograms === undefined) return rateOfNumbers(raw, kind, isSmoothed)
  const floats = floatsOf(raw)
  const ofNumbers = rateOfNumbers(floats, kind, isSmoothed)
  return onMixed(raw, floats, (window, step) => {
    const hasHistograms = window.histograms.histograms.length > 0
    if (window.floats.to === window.floats.from) {
      return hasHistograms ? extendedHistogramRate(window.histograms, { ...kind, isSmoothed }, report) : undefined
    }
    if (!hasHistograms) return ofNumbers(window.floats, step)
    report.notes.warn(mixedSamples(report.name), report.position)
    return undefined
  })
}

/** `changes` and `resets` of anchored windows begin with the last sample at or before the start. */
export function fromAnchor(run: CellFunction): CellFunction {
  return (window, step) => {
    const { times, from, to, startMs } = window
    if (times[to - 1]! <= startMs) return undefined
    let first = from
    while (times[first + 1]! <= startMs) first++
    return run({ ...window, from: first }, step)
  }
}

function rateOfNumbers(raw: RawSeries, { isCounter, isRate }: RateKind, isSmoothed: boolean): WindowFunction {
  const resets = isCounter ? new Resets(raw.values) : null
  const valueBetween = isCounter ? betweenCounts : between
  return window => {
    const edges = extendedEdges(window, isSmoothed)
    if (edges === null) return undefined
    const { times, values, startMs, endMs } = window
    const { first, last, startsBetween, endsBetween } = edges
    const at = (i: number, atMs: number): number => {
      return valueBetween(values[i]!, values[i + 1]!, { fromMs: times[i]!, toMs: times[i + 1]!, atMs })
    }
    const left = startsBetween ? at(first, startMs) : values[first]!
    const right = endsBetween ? at(last - 1, endMs) : values[last]!
    const rise = right - left + (resets === null ? 0 : lostWithin(resets, window, { first, last, left, right }))
    return isRate ? rise / ((endMs - startMs) / 1_000) : rise
  }
}

interface Ends {
  readonly first: number
  readonly last: number
  readonly left: number
  readonly right: number
}

/** Sum of the resets of a counter between its values at the edges, which include resets next to the edges. */
function lostWithin(resets: Resets, { times, values, startMs, endMs }: Window, { first, last, left, right }: Ends): number {
  const inner = times[first]! <= startMs ? first + 1 : first
  const end = times[last]! >= endMs ? last - 1 : last
  if (inner > end) return right < left ? left : 0
  const lost = resets.addLost(values[inner]! < left ? left : 0, inner, end)
  return right < values[end]! ? lost + values[end]! : lost
}
