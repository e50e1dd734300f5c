import type { EncodedHistogram } from '../../../domain/native-histogram/encode.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import { Pace } from '../../../threads/pace.js'
import type { Series } from '../series/series.js'

/** What was read of one series. */
export type FoundSamples = Pick<SeriesSamples, 'timestampsNs' | 'values' | 'isAggregated' | 'histograms'>

/** Samples of the series that were requested, in their order, as they go from thread to thread: arrays that are handed over. */
export interface PackedSamples {
  /** For each series how many samples it has. */
  readonly counts: Uint32Array
  /** For each series whether its values are aggregated. */
  readonly aggregated: Uint8Array
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  /** Native histograms, by the index of their sample among all, ascending; null without histograms. */
  readonly histograms: PackedStrings | null
}

interface PackedStrings {
  readonly positions: Uint32Array
  /** Where each text ends in `bytes`. */
  readonly ends: Uint32Array
  /** ASCII. */
  readonly bytes: Uint8Array
}

/** Samples, and strings, that are copied before the thread yields to other work: about a millisecond. */
const SAMPLES_AT_ONCE = 100_000
/** The work of a series, or of a histogram, next to its samples, counted in samples. */
const SERIES_SAMPLES = 50

/** Copies what was found of each series, undefined for nothing, in slices. */
export async function packSamples(found: readonly (FoundSamples | undefined)[], signal: AbortSignal): Promise<PackedSamples> {
  const pace = new Pace(SAMPLES_AT_ONCE, signal)
  const total = found.reduce((sum, one) => sum + (one?.values.length ?? 0), 0)
  const counts = new Uint32Array(found.length)
  const aggregated = new Uint8Array(found.length)
  const timestampsNs = new BigInt64Array(total)
  const values = new Float64Array(total)
  const strings: { readonly position: number; readonly text: string }[] = []
  let at = 0
  for (const [i, one] of found.entries()) {
    if (one === undefined) continue
    counts[i] = one.values.length
    aggregated[i] = one.isAggregated ? 1 : 0
    timestampsNs.set(one.timestampsNs, at)
    // Between arrays of one type the bits are copied, those of the NaN that ends a series too.
    values.set(one.values, at)
    for (const [position, text] of one.histograms ?? []) strings.push({ position: at + position, text })
    at += one.values.length
    if (pace.isDue(SERIES_SAMPLES + one.values.length)) await pace.rest()
  }
  return { counts, aggregated, timestampsNs, values, histograms: strings.length === 0 ? null : await packStrings(strings, pace) }
}

async function packStrings(
  strings: readonly { readonly position: number; readonly text: string }[],
  pace: Pace
): Promise<PackedStrings> {
  const positions = Uint32Array.from(strings, ({ position }) => position)
  const ends = new Uint32Array(strings.length)
  const bytes = new Uint8Array(strings.reduce((sum, { text }) => sum + text.length, 0))
  const target = Buffer.from(bytes.buffer)
  let at = 0
  for (const [i, { text }] of strings.entries()) {
    at += target.write(text, at, 'latin1')
    ends[i] = at
    if (pace.isDue(SERIES_SAMPLES)) await pace.rest()
  }
  return { positions, ends, bytes }
}

/** The arrays' memory, to be handed over. */
export function buffersOf({ counts, aggregated, timestampsNs, values, histograms }: PackedSamples): readonly ArrayBuffer[] {
  const arrays = [counts, aggregated, timestampsNs, values]
  if (histograms !== null) arrays.push(histograms.positions, histograms.ends, histograms.bytes)
  return arrays.map(({ buffer }) => buffer as ArrayBuffer)
}

/** The series that have samples, in their order and in slices; the samples stay where they are. */
export async function unpackSamples(
  series: readonly Pick<Series, 'name' | 'type' | 'labels'>[],
  packed: PackedSamples,
  signal: AbortSignal
): Promise<readonly SeriesSamples[]> {
  const pace = new Pace(SAMPLES_AT_ONCE, signal)
  const { counts, aggregated, timestampsNs, values } = packed
  const histograms = packed.histograms === null ? null : new HistogramReader(packed.histograms)
  const found: SeriesSamples[] = []
  let at = 0
  for (const [i, { name, type, labels }] of series.entries()) {
    const end = at + counts[i]!
    if (end === at) continue
    const samples = {
      ...{ name, type, labels, timestampsNs: timestampsNs.subarray(at, end), values: values.subarray(at, end) },
      ...(aggregated[i] === 1 && { isAggregated: true })
    }
    const ofSeries = histograms === null ? null : await histograms.within(at, end, pace)
    found.push(ofSeries === null ? samples : { ...samples, histograms: ofSeries })
    at = end
    if (pace.isDue(SERIES_SAMPLES)) await pace.rest()
  }
  return found
}

/** Reads histograms series by series. */
class HistogramReader {
  readonly #packed: PackedStrings
  readonly #bytes: Buffer
  #next = 0
  #at = 0

  constructor(packed: PackedStrings) {
    this.#packed = packed
    this.#bytes = Buffer.from(packed.bytes.buffer)
  }

  /** Those of the samples `[from, end)` by their index among these; null without histograms. */
  async within(from: number, end: number, pace: Pace): Promise<ReadonlyMap<number, EncodedHistogram> | null> {
    const { positions, ends } = this.#packed
    const found = new Map<number, EncodedHistogram>()
    for (; this.#next < positions.length && positions[this.#next]! < end; this.#next++) {
      const textEnd = ends[this.#next]!
      found.set(positions[this.#next]! - from, this.#bytes.toString('latin1', this.#at, textEnd) as EncodedHistogram)
      this.#at = textEnd
      if (pace.isDue(SERIES_SAMPLES)) await pace.rest()
    }
    return found.size === 0 ? null : found
  }
}
