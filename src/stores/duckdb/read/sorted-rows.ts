import type { DuckDBDataChunk } from '@duckdb/node-api'
import { isHistogramMark } from '../wire/histogram-mark.js'
import { picked, risingOrder } from './rising-order.js'
import { NOWHERE, SeriesPlaces } from './series-places.js'

/** Times and values of one series. */
export interface Samples {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  /** Whether any value is the mark of a histogram. */
  readonly hasHistograms: boolean
  readonly isAggregated?: boolean
}

/** Rows of samples, as the engine holds them: any part of them can be looked at more than once. */
export interface SampleRows {
  readonly rowCount: number
  readonly chunkCount: number
  getChunk(index: number): DuckDBDataChunk
}

/** Chunks of so many rows are held while they are sorted: 24 MB. */
const MAX_HELD_ROWS = 1_000_000
/** The columns of the rows, as SQL. */
export const SAMPLE_COLUMNS = 'series, ts, value'
/** With the number that decides which of several samples of one time counts. */
export const NUMBERED_COLUMNS = `${SAMPLE_COLUMNS}, seq`
const SERIES = 0
const TIME = 1
const VALUE = 2
const SEQ = 3

/** Chunks of rows. Of few rows they stay in memory: fetching one a second time takes as long as sorting it. */
class Chunks {
  readonly #rows: SampleRows
  readonly #held: DuckDBDataChunk[] | null

  constructor(rows: SampleRows) {
    this.#rows = rows
    this.#held = rows.rowCount > MAX_HELD_ROWS ? null : []
  }

  get count(): number {
    return this.#rows.chunkCount
  }

  at(i: number): DuckDBDataChunk {
    const known = this.#held?.[i]
    if (known !== undefined) return known
    const chunk = this.#rows.getChunk(i)
    if (this.#held !== null) this.#held[i] = chunk
    return chunk
  }
}

/**
 * Rows of all series, one series after the other; those of a series in the order in which they came. Columns are held as
 * words, low and high of each 64 bits.
 */
export class SortedRows {
  readonly #chunks: Chunks
  readonly #places: SeriesPlaces
  /** How many rows each series has, in the order of the ids. */
  readonly counts: Uint32Array
  /** For each row, in the order of reading: after the first pass the place of its series, after the second its own position. */
  readonly #positions: Uint32Array
  #times = new Uint32Array(0)
  #values = new Uint32Array(0)
  #seqs: Uint32Array | null | undefined

  constructor(rows: SampleRows, ids: readonly bigint[]) {
    this.#chunks = new Chunks(rows)
    this.#places = new SeriesPlaces(ids)
    this.counts = new Uint32Array(ids.length)
    this.#positions = new Uint32Array(rows.rowCount)
  }

  /** Sorts in steps, each of which returns how many rows it took. Series can be read after the last one. */
  *steps(): Generator<number> {
    let row = 0
    for (let i = 0; i < this.#chunks.count; i++) {
      const rows = this.#count(this.#chunks.at(i), row)
      row += rows
      yield rows
    }
    let end = 0
    const next = this.counts.map(count => (end += count) - count)
    this.#times = new Uint32Array(2 * end)
    this.#values = new Uint32Array(2 * end)
    row = 0
    for (let i = 0; i < this.#chunks.count; i++) {
      const rows = this.#place(this.#chunks.at(i), row, next)
      row += rows
      yield rows
    }
  }

  #count(chunk: DuckDBDataChunk, row: number): number {
    const series = words(chunk, SERIES)
    const rows = series.length / 2
    for (let i = 0; i < rows; i++) {
      const place = this.#places.of(series[2 * i]!, series[2 * i + 1]!)
      this.#positions[row + i] = place
      if (place !== NOWHERE) this.counts[place]!++
    }
    return rows
  }

  /** Places of series become positions of rows. */
  #place(chunk: DuckDBDataChunk, row: number, next: Uint32Array): number {
    const times = words(chunk, TIME)
    const rows = times.length / 2
    const positions = this.#positions.subarray(row, row + rows)
    for (let i = 0; i < rows; i++) if (positions[i] !== NOWHERE) positions[i] = next[positions[i]!]!++
    scatter(positions, times, this.#times)
    scatter(positions, words(chunk, VALUE), this.#values)
    return rows
  }

  /**
   * The samples whose rows are in `[from, to)`; null if the rows do not determine which of several samples of one time counts.
   */
  series(from: number, to: number): Samples | null {
    const times = this.#times.subarray(2 * from, 2 * to)
    const values = this.#values.subarray(2 * from, 2 * to)
    const hasHistograms = hasMark(values)
    const order = risingOrder(times, () => (this.#seqs ??= this.#allSeqs())?.subarray(2 * from, 2 * to) ?? null)
    if (order === null) return null
    if (order === 'as it is') return { timestampsNs: toBigints(times), values: toDoubles(values), hasHistograms }
    return { timestampsNs: toBigints(picked(times, order)), values: toDoubles(picked(values, order)), hasHistograms }
  }

  #allSeqs(): Uint32Array | null {
    if (this.#chunks.count === 0 || this.#chunks.at(0).columnCount <= SEQ) return null
    const all = new Uint32Array(this.#times.length)
    let row = 0
    for (let i = 0; i < this.#chunks.count; i++) {
      const seqs = words(this.#chunks.at(i), SEQ)
      scatter(this.#positions.subarray(row, (row += seqs.length / 2)), seqs, all)
    }
    return all
  }
}

function scatter(positions: Uint32Array, from: Uint32Array, into: Uint32Array): void {
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!
    if (position === NOWHERE) continue
    into[2 * position] = from[2 * i]!
    into[2 * position + 1] = from[2 * i + 1]!
  }
}

function hasMark(values: Uint32Array): boolean {
  for (let i = 0; i < values.length; i += 2) if (isHistogramMark(values[i]!, values[i + 1]!)) return true
  return false
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
