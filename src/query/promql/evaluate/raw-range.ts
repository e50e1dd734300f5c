import { between } from '../functions/between.js'
import { extendedEdges } from '../functions/extended-edges.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Extension } from '../syntax/ast.js'
import type { RangeInput } from './evaluation-context.js'
import type { RawSeries } from './values.js'

/** The samples of a range selector within the window of the only step; of an extended one also those at its edges. */
export function rawRange({ series, ranges }: RangeInput): { readonly type: 'matrix'; readonly series: readonly RawSeries[] } {
  const { rangeMs, extension, beforeMs = 0, afterMs = 0 } = ranges
  const endMs = ranges.endOf(0)
  const within = series.map(raw => part(raw, endMs - rangeMs - beforeMs, endMs + afterMs))
  const shown = extension === undefined ? within : within.map(raw => extended(raw, endMs - rangeMs, endMs, extension))
  return { type: 'matrix', series: shown.filter(({ times }) => times.length > 0) }
}

function part({ labels, times, values, histograms }: RawSeries, afterMs: number, toMs: number): RawSeries {
  const found = times.findIndex(ms => ms > afterMs)
  const from = found < 0 ? times.length : found
  const to = Math.max(from, times.findLastIndex(ms => ms <= toMs) + 1)
  return { labels, times: times.slice(from, to), values: values.slice(from, to), histograms: histograms?.slice(from, to) }
}

/** The samples between two times, and what there was at both, as numbers. */
function extended(raw: RawSeries, startMs: number, endMs: number, extension: Extension): RawSeries {
  const { labels, times, values, histograms } = raw
  if (histograms?.some(histogram => histogram !== undefined)) {
    throw new PromqlExecutionError(`${extension} modifier is not supported with histograms`)
  }
  const window = { times, from: 0, to: times.length, startMs, endMs }
  const edges = times.length === 0 ? null : extendedEdges(window, extension === 'smoothed')
  if (edges === null) return { labels, times: new Float64Array(), values: new Float64Array(), histograms: undefined }
  const { first, last, startsBetween, endsBetween } = edges
  const at = (i: number, atMs: number): number => {
    return between(values[i]!, values[i + 1]!, { fromMs: times[i]!, toMs: times[i + 1]!, atMs })
  }
  const left = startsBetween ? at(first, startMs) : values[first]!
  const right = endsBetween ? at(last - 1, endMs) : values[last]!
  const from = times[first]! <= startMs ? first + 1 : first
  const to = Math.max(from, times[last]! >= endMs ? last : last + 1)
  return {
    labels,
    times: enclosed(startMs, times.subarray(from, to), endMs),
    values: enclosed(left, values.subarray(from, to), right),
    histograms: undefined
  }
}

/** Not spread into arguments: there may be more numbers than a call can take. */
function enclosed(first: number, numbers: Float64Array, last: number): Float64Array {
  const all = new Float64Array(numbers.length + 2)
  all[0] = first
  all.set(numbers, 1)
  all[numbers.length + 1] = last
  return all
}
