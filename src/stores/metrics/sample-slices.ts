import type { SeriesSamples } from '../../domain/metric-point.js'
import type { EncodedHistogram } from '../../domain/native-histogram/encode.js'
import type { TimeRange } from '../../domain/time-range.js'
import { compareSeries } from './label-matching.js'

const SERIES_BYTES = 512
const SAMPLE_BYTES = 16
/** Of a map, besides the string. */
const ENTRY_BYTES = 64
/** Samples may keep memory alive of up to so many times their own bytes. */
const MAX_WASTE = 2

/** Bytes that stay in memory as long as the samples do: all of an array's buffer, however little of it they use. */
function heldBytes(series: readonly SeriesSamples[]): number {
  const buffers = new Set<ArrayBufferLike>()
  for (const { timestampsNs, values } of series) buffers.add(timestampsNs.buffer).add(values.buffer)
  let bytes = 0
  for (const { byteLength } of buffers) bytes += byteLength
  return bytes
}

/** What series take in memory at least. */
export function leastBytes(series: readonly SeriesSamples[]): number {
  return series.reduce((sum, { values }) => sum + SERIES_BYTES + SAMPLE_BYTES * values.length, 0)
}

/** About what series take in memory. */
export function samplesBytes(series: readonly SeriesSamples[]): number {
  let bytes = heldBytes(series)
  for (const { histograms } of series) {
    bytes += SERIES_BYTES
    for (const text of histograms?.values() ?? []) bytes += ENTRY_BYTES + text.length
  }
  return bytes
}

/** The series; copied into memory of their own where they would keep much more than that alive. */
export function ownSamples(series: readonly SeriesSamples[]): readonly SeriesSamples[] {
  const total = series.reduce((sum, { values }) => sum + values.length, 0)
  if (heldBytes(series) <= MAX_WASTE * SAMPLE_BYTES * total) return series
  const [allTimes, allValues] = [new BigInt64Array(total), new Float64Array(total)]
  let at = 0
  return series.map(one => {
    const end = at + one.values.length
    const [timestampsNs, values] = [allTimes.subarray(at, end), allValues.subarray(at, end)]
    timestampsNs.set(one.timestampsNs)
    values.set(one.values)
    at = end
    return { ...one, timestampsNs, values }
  })
}

/** Position of the first sample at or after a time. */
function firstAt(times: BigInt64Array, timeNs: bigint): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < timeNs) low = middle + 1
    else high = middle
  }
  return low
}

/** The samples within a range, without a copy; series that have none are left out. */
export function sliceSamples(series: readonly SeriesSamples[], { startNs, endNs }: TimeRange): readonly SeriesSamples[] {
  const found: SeriesSamples[] = []
  for (const one of series) {
    const { timestampsNs, values } = one
    const from = firstAt(timestampsNs, startNs)
    const to = firstAt(timestampsNs, endNs)
    if (from === to) continue
    if (from === 0 && to === values.length) found.push(one)
    else {
      const part = { timestampsNs: timestampsNs.subarray(from, to), values: values.subarray(from, to) }
      found.push(withHistograms({ ...one, ...part }, shifted(one.histograms, from, to)))
    }
  }
  return found
}

type Histograms = NonNullable<SeriesSamples['histograms']>

/** Histograms of the samples `[from, to)`, by their positions among those. */
function shifted(histograms: SeriesSamples['histograms'], from: number, to: number): Histograms {
  const found = new Map<number, EncodedHistogram>()
  for (const [i, histogram] of histograms ?? []) if (i >= from && i < to) found.set(i - from, histogram)
  return found
}

function withHistograms(samples: SeriesSamples, histograms: Histograms): SeriesSamples {
  const { name, type, labels, timestampsNs, values, isAggregated } = samples
  if (histograms.size > 0) return { ...samples, histograms }
  return { name, type, labels, timestampsNs, values, ...(isAggregated && { isAggregated }) }
}

function joined(a: SeriesSamples, b: SeriesSamples): SeriesSamples {
  const timestampsNs = new BigInt64Array(a.values.length + b.values.length)
  const values = new Float64Array(timestampsNs.length)
  timestampsNs.set(a.timestampsNs)
  timestampsNs.set(b.timestampsNs, a.values.length)
  values.set(a.values)
  values.set(b.values, a.values.length)
  const histograms = new Map(a.histograms)
  for (const [i, histogram] of b.histograms ?? []) histograms.set(a.values.length + i, histogram)
  return withHistograms({ ...b, timestampsNs, values }, histograms)
}

/** Earlier and later samples of series that are sorted by name and labels, as one such list. */
export function joinSamples(earlier: readonly SeriesSamples[], later: readonly SeriesSamples[]): readonly SeriesSamples[] {
  const all: SeriesSamples[] = []
  let i = 0
  let j = 0
  while (i < earlier.length || j < later.length) {
    const [a, b] = [earlier[i], later[j]]
    const order = a === undefined ? 1 : b === undefined ? -1 : compareSeries(a, b)
    if (order < 0) all.push(earlier[i++]!)
    else if (order > 0) all.push(later[j++]!)
    else all.push(joined(earlier[i++]!, later[j++]!))
  }
  return all
}
