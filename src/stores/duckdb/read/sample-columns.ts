import type { DuckDBDataChunk } from '@duckdb/node-api'
import { Pace } from '../../pace.js'
import { isHistogramMark } from '../wire/histogram-mark.js'

/** Times and values of one series. */
export interface Samples {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  /** Whether any value is the mark of a histogram. */
  readonly hasHistograms: boolean
  readonly isFolded?: boolean
}

/** Some milliseconds of work. */
const SAMPLES_AT_ONCE = 200_000
/** A chunk has memory for 2,048 rows, however few it holds: those of fewer rows than these are copied. */
const FEW_ROWS = 512

/** The columns that `SampleGatherer` takes, in this order. */
export const SAMPLE_COLUMNS = 'series, ts, value, seq'

/** Places of ids in a list, found by their words: a BigInt for each row would cost more than the rest of the reading. */
class Places {
  readonly #byHigh = new Map<number, Map<number, number>>()
  #low = 0
  #lows: ReadonlyMap<number, number> | undefined
  #high: number | null = null
  #place = 0

  constructor(ids: readonly bigint[]) {
    const words = new Uint32Array(BigInt64Array.from(ids).buffer)
    for (let i = 0; i < ids.length; i++) {
      const high = words[2 * i + 1]!
      const lows = this.#byHigh.get(high) ?? new Map<number, number>()
      this.#byHigh.set(high, lows.set(words[2 * i]!, i))
    }
  }

  /** The place of an id of the list; rows of a series often follow each other. */
  of(low: number, high: number): number {
    if (low === this.#low && high === this.#high) return this.#place
    if (high !== this.#high) this.#lows = this.#byHigh.get(high)
    const place = this.#lows?.get(low)
    if (place === undefined) throw new RangeError('a sample of a series that was not asked for')
    this.#low = low
    this.#high = high
    return (this.#place = place)
  }
}

/** Rows of one chunk: the place of each row's series, and words (low, high) of the other columns. */
interface Rows {
  /** Held where the words are its memory. */
  readonly chunk: DuckDBDataChunk | null
  readonly places: Uint32Array
  readonly times: Uint32Array
  readonly values: Uint32Array
  readonly seqs: Uint32Array
}

/**
 * Sorts rows of samples, which come in any order, into series: by counting, since an engine that sorts them takes longer
 * than all of the rest. Of several samples of one time the one with the highest `seq` counts.
 */
export class SampleGatherer {
  readonly #ids: readonly bigint[]
  readonly #places: Places
  readonly #counts: Uint32Array
  readonly #chunks: Rows[] = []
  #rows = 0

  /** `ids` are those of all series that will come. */
  constructor(ids: readonly bigint[]) {
    this.#ids = ids
    this.#places = new Places(ids)
    this.#counts = new Uint32Array(ids.length)
  }

  /** Rows so far. */
  get rows(): number {
    return this.#rows
  }

  /** Takes a chunk of `SAMPLE_COLUMNS`. */
  add(chunk: DuckDBDataChunk): void {
    const series = words(chunk, 0)
    const places = new Uint32Array(series.length / 2)
    for (let i = 0; i < places.length; i++) {
      const place = this.#places.of(series[2 * i]!, series[2 * i + 1]!)
      places[i] = place
      this.#counts[place]!++
    }
    this.#rows += places.length
    const isCopied = places.length < FEW_ROWS
    const [times, values, seqs] = [1, 2, 3].map(column => (isCopied ? words(chunk, column).slice() : words(chunk, column)))
    this.#chunks.push({ chunk: isCopied ? null : chunk, places, times: times!, values: values!, seqs: seqs! })
  }

  /**
   * Samples by series id, in the order of the ids; series without any are left out. They share their memory, unless `keep`
   * tells what is to be kept of each: then each has its own, so that little that is kept does not hold all of it. Of many
   * samples it lets other work of this thread have its turn, and heeds the signal.
   */
  async finish(signal: AbortSignal, keep?: (samples: Samples) => Samples): Promise<ReadonlyMap<bigint, Samples>> {
    const pace = new Pace(SAMPLES_AT_ONCE, signal)
    const sorted = new SortedRows(this.#chunks, this.#counts, this.#rows)
    for (const rows of this.#chunks) {
      sorted.place(rows)
      if (pace.isDue(rows.places.length)) await pace.rest()
    }
    const series = new Map<bigint, Samples>()
    let from = 0
    for (const [place, count] of this.#counts.entries()) {
      if (count > 0) {
        const samples = sorted.series(from, from + count)
        series.set(this.#ids[place]!, keep === undefined ? samples : ownOf(keep(samples), samples))
      }
      from += count
      if (pace.isDue(count)) await pace.rest()
    }
    return series
  }
}

/** What is kept, with memory of its own. */
function ownOf(kept: Samples, { values }: Samples): Samples {
  if (kept.values !== values) return kept
  return { ...kept, timestampsNs: kept.timestampsNs.slice(), values: kept.values.slice() }
}

/** Rows of all series, one series after the other, in the order in which they came. */
class SortedRows {
  readonly #chunks: readonly Rows[]
  /** Where the next row of each series goes. */
  readonly #next: Uint32Array
  readonly #times: Uint32Array
  readonly #values: Uint32Array
  #seqs: Uint32Array | undefined

  /** Each of `chunks` is to be placed, in their order, before series are read. */
  constructor(chunks: readonly Rows[], counts: Uint32Array, rows: number) {
    let end = 0
    this.#chunks = chunks
    this.#next = counts.map(count => (end += count) - count)
    this.#times = new Uint32Array(2 * rows)
    this.#values = new Uint32Array(2 * rows)
  }

  /** Places of series become positions of rows. */
  place({ places, times, values }: Rows): void {
    for (let i = 0; i < places.length; i++) places[i] = this.#next[places[i]!]!++
    scatter(places, times, this.#times)
    scatter(places, values, this.#values)
  }

  series(from: number, to: number): Samples {
    const times = this.#times.subarray(2 * from, 2 * to)
    const values = this.#values.subarray(2 * from, 2 * to)
    const hasHistograms = hasMark(values)
    if (isRising(times)) return { timestampsNs: toBigints(times), values: toDoubles(values), hasHistograms }
    const seqs = (this.#seqs ??= this.#allSeqs())
    const order = orderOf(toBigints(times), toBigints(seqs.subarray(2 * from, 2 * to)))
    return { timestampsNs: toBigints(picked(times, order)), values: toDoubles(picked(values, order)), hasHistograms }
  }

  #allSeqs(): Uint32Array {
    const all = new Uint32Array(this.#times.length)
    for (const { places: positions, seqs } of this.#chunks) scatter(positions, seqs, all)
    return all
  }
}

function scatter(positions: Uint32Array, from: Uint32Array, into: Uint32Array): void {
  for (let i = 0; i < positions.length; i++) {
    const to = 2 * positions[i]!
    into[to] = from[2 * i]!
    into[to + 1] = from[2 * i + 1]!
  }
}

function hasMark(values: Uint32Array): boolean {
  for (let i = 0; i < values.length; i += 2) if (isHistogramMark(values[i]!, values[i + 1]!)) return true
  return false
}

/** Whether each time is later than the one before. */
function isRising(times: Uint32Array): boolean {
  for (let i = 2; i < times.length; i += 2) {
    // The high word has the sign.
    const rise = (times[i + 1]! | 0) - (times[i - 1]! | 0)
    if (rise < 0 || (rise === 0 && times[i]! <= times[i - 2]!)) return false
  }
  return true
}

/** Positions by rising time, one for each time: of several the one with the highest `seq`. */
function orderOf(times: BigInt64Array, seqs: BigInt64Array): readonly number[] {
  const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
  // What comes in few sorted parts, as it does out of segments, is merged in few steps.
  const order = Array.from(times, (_, i) => i).sort((a, b) => compare(times[a]!, times[b]!) || compare(seqs[a]!, seqs[b]!))
  return order.filter((at, i) => i + 1 === order.length || times[at] !== times[order[i + 1]!])
}

function picked(words: Uint32Array, order: readonly number[]): Uint32Array {
  const found = new Uint32Array(2 * order.length)
  for (const [i, at] of order.entries()) {
    found[2 * i] = words[2 * at]!
    found[2 * i + 1] = words[2 * at + 1]!
  }
  return found
}

function toBigints({ buffer, byteOffset, length }: Uint32Array): BigInt64Array {
  return new BigInt64Array(buffer, byteOffset, length / 2)
}

function toDoubles({ buffer, byteOffset, length }: Uint32Array): Float64Array {
  return new Float64Array(buffer, byteOffset, length / 2)
}

/**
 * The words of a column of 64 bits, low and high of each row. As a number a NaN would lose the bits that mark the end of
 * a series, once the engine has optimized this, and a BigInt for each row would be slow.
 */
function words(chunk: DuckDBDataChunk, column: number): Uint32Array {
  const { items } = chunk.getColumnVector(column) as unknown as { readonly items: unknown }
  if (!(items instanceof BigInt64Array) && !(items instanceof Float64Array)) {
    throw new TypeError('a column of samples has no 64 bits')
  }
  return new Uint32Array(items.buffer, items.byteOffset, items.length * 2)
}
