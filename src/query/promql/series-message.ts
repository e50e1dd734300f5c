import { DistinctStrings } from '../../domain/distinct-strings.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import { decodeHistogram, type EncodedHistogram } from '../../domain/native-histogram/encode.js'
import { writeMilliseconds } from '../../domain/sample-times.js'
import type { HistogramCells, RawSeries } from './evaluate/values.js'
import { LabelSet } from './labels.js'

/** Series as they go from thread to thread: few objects, and two arrays that can be handed over without a copy. */
export interface SeriesMessage {
  /** Each once. */
  readonly strings: readonly string[]
  /** For each series which of the strings is its name, then the names and values of its labels. */
  readonly uses: Uint32Array
  /** For each series how many strings and how many samples it has. */
  readonly counts: Uint32Array
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  /** Native histograms by the index of their sample; null without histograms. */
  readonly histograms: ReadonlyMap<number, EncodedHistogram> | null
  /** For each series whether its values are aggregated. */
  readonly aggregated: Uint8Array
  /** For each series whether it is known to be a counter. */
  readonly counters: Uint8Array
}

/** Copies series into one message. Series without samples are left out. */
export function packSeries(series: readonly SeriesSamples[]): SeriesMessage {
  const kept = series.filter(({ values }) => values.length > 0)
  const total = kept.reduce((sum, { values }) => sum + values.length, 0)
  const strings = new DistinctStrings()
  const uses: number[] = []
  const counts = new Uint32Array(kept.length * 2)
  const timestampsNs = new BigInt64Array(total)
  const values = new Float64Array(total)
  const histograms = new Map<number, EncodedHistogram>()
  let at = 0
  for (const [i, one] of kept.entries()) {
    uses.push(strings.placeOf(one.name))
    for (const { name, value } of one.labels) uses.push(strings.placeOf(name), strings.placeOf(value))
    counts[2 * i] = one.labels.length * 2 + 1
    counts[2 * i + 1] = one.values.length
    // Between arrays of one type the bits are copied, those of the NaN that ends a series too.
    timestampsNs.set(one.timestampsNs, at)
    values.set(one.values, at)
    for (const [place, histogram] of one.histograms ?? []) histograms.set(at + place, histogram)
    at += one.values.length
  }
  const aggregated = Uint8Array.from(kept, ({ isAggregated }) => (isAggregated ? 1 : 0))
  const counters = Uint8Array.from(kept, ({ type }) => (type === 'counter' ? 1 : 0))
  const samples = { timestampsNs, values, histograms: histograms.size === 0 ? null : histograms }
  return { strings: strings.list, uses: Uint32Array.from(uses), counts, ...samples, aggregated, counters }
}

/** Times as milliseconds, in the same memory. */
function inMilliseconds(timestampsNs: BigInt64Array): Float64Array {
  const times = new Float64Array(timestampsNs.buffer, timestampsNs.byteOffset, timestampsNs.length)
  writeMilliseconds(timestampsNs, times, 0)
  return times
}

function histogramsOf(histograms: SeriesMessage['histograms'], from: number, to: number): HistogramCells {
  if (histograms === null) return undefined
  const cells: NonNullable<HistogramCells> = []
  for (let i = from; i < to; i++) {
    const text = histograms.get(i)
    if (text !== undefined) cells[i - from] = decodeHistogram(text)
  }
  return cells.length === 0 ? undefined : cells
}

/** The series of a message, in its memory: the message cannot be used again, since its times become milliseconds. */
export function unpackSeries(message: SeriesMessage): RawSeries[] {
  const { strings, uses, counts, values, histograms, aggregated, counters } = message
  const times = inMilliseconds(message.timestampsNs)
  const series: RawSeries[] = []
  let use = 0
  let at = 0
  for (let i = 0; i < counts.length; i += 2) {
    const endOfStrings = use + counts[i]!
    const name = strings[uses[use]!]!
    const labels = []
    for (let j = use + 1; j < endOfStrings; j += 2) labels.push({ name: strings[uses[j]!]!, value: strings[uses[j + 1]!]! })
    use = endOfStrings
    const end = at + counts[i + 1]!
    const cells = histogramsOf(histograms, at, end)
    const samples = { times: times.subarray(at, end), values: values.subarray(at, end), histograms: cells }
    const facts = { isAggregated: aggregated[i / 2] === 1, isCounter: counters[i / 2] === 1 }
    series.push({ labels: LabelSet.ofSeries(name, labels), ...samples, ...facts })
    at = end
  }
  return series
}
