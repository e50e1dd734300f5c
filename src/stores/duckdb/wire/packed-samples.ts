import type { Label, SeriesSamples } from '../../../domain/metric-point.js'

/** Series as they cross the pipe: few objects, since each array of its own costs as much as a hundred samples. */
export interface PackedSamples {
  /** For each series its name, then names and values of its labels. */
  readonly texts: readonly string[]
  /** For each series how many labels and how many samples it has. */
  readonly counts: Uint32Array
  /** For each series `COUNTER` and `FOLDED`. */
  readonly flags: Uint8Array
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  /** Native histograms by the position of their series. */
  readonly histograms: ReadonlyMap<number, NonNullable<SeriesSamples['histograms']>>
}

const COUNTER = 1
const FOLDED = 2

/** Copies series into one message. */
export function packSamples(series: readonly SeriesSamples[]): PackedSamples {
  const total = series.reduce((sum, { values }) => sum + values.length, 0)
  const texts: string[] = []
  const counts = new Uint32Array(2 * series.length)
  const flags = new Uint8Array(series.length)
  const timestampsNs = new BigInt64Array(total)
  const values = new Float64Array(total)
  const histograms = new Map<number, NonNullable<SeriesSamples['histograms']>>()
  let at = 0
  for (const [i, one] of series.entries()) {
    texts.push(one.name)
    for (const { name, value } of one.labels) texts.push(name, value)
    counts[2 * i] = one.labels.length
    counts[2 * i + 1] = one.values.length
    flags[i] = (one.type === 'counter' ? COUNTER : 0) | (one.isFolded ? FOLDED : 0)
    // Between arrays of one type the bits are copied, those of the NaN that ends a series too.
    timestampsNs.set(one.timestampsNs, at)
    values.set(one.values, at)
    if (one.histograms !== undefined) histograms.set(i, one.histograms)
    at += one.values.length
  }
  return { texts, counts, flags, timestampsNs, values, histograms }
}

/** The series of a message; their samples lie in its memory. */
export function unpackSamples({ texts, counts, flags, timestampsNs, values, histograms }: PackedSamples): SeriesSamples[] {
  const series: SeriesSamples[] = []
  let text = 0
  let at = 0
  for (const [i, flag] of flags.entries()) {
    const name = texts[text++]!
    const labels: Label[] = []
    for (let left = counts[2 * i]!; left > 0; left--) labels.push({ name: texts[text++]!, value: texts[text++]! })
    const end = at + counts[2 * i + 1]!
    const having = histograms.get(i)
    series.push({
      name,
      type: flag & COUNTER ? 'counter' : 'gauge',
      labels,
      timestampsNs: timestampsNs.subarray(at, end),
      values: values.subarray(at, end),
      ...(having && { histograms: having }),
      ...(flag & FOLDED && { isFolded: true })
    })
    at = end
  }
  return series
}
