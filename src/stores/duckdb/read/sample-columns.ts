import type { DuckDBDataChunk } from '@duckdb/node-api'
import { isHistogramMark } from '../wire/histogram-mark.js'

/** Times and values of one series. */
export interface Samples {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  /** Whether any value is the mark of a histogram. */
  readonly hasHistograms: boolean
  readonly isFolded?: boolean
}

const FIRST_CAPACITY = 1_024

/** Gathers samples into typed arrays that grow by doubling: one number per sample, no objects. */
class SampleBuffer {
  #timestampsNs = new BigInt64Array(FIRST_CAPACITY)
  #values = new Float64Array(FIRST_CAPACITY)
  #words = new Uint32Array(this.#values.buffer)
  #length = 0
  #hasHistograms = false

  /**
   * Adds a sample, or replaces the last one when it has the same time. Its value comes as two words: as a number, once
   * the engine has optimized this, a NaN would lose the bits that mark the end of a series.
   */
  add(timestampNs: bigint, low: number, high: number): void {
    if (this.#length > 0 && this.#timestampsNs[this.#length - 1] === timestampNs) this.#length--
    if (this.#length === this.#values.length) this.#grow()
    this.#timestampsNs[this.#length] = timestampNs
    this.#words[2 * this.#length] = low
    this.#words[2 * this.#length++ + 1] = high
    if (isHistogramMark(low, high)) this.#hasHistograms = true
  }

  get samples(): Samples {
    return {
      timestampsNs: this.#timestampsNs.slice(0, this.#length),
      values: this.#values.slice(0, this.#length),
      hasHistograms: this.#hasHistograms
    }
  }

  #grow(): void {
    const timestampsNs = new BigInt64Array(this.#values.length * 2)
    const values = new Float64Array(this.#values.length * 2)
    timestampsNs.set(this.#timestampsNs)
    values.set(this.#values)
    this.#timestampsNs = timestampsNs
    this.#values = values
    this.#words = new Uint32Array(values.buffer)
  }
}

/** The numbers of a fixed-width column, without a JavaScript value per row. */
function rawItems(chunk: DuckDBDataChunk, column: number): unknown {
  return (chunk.getColumnVector(column) as unknown as { readonly items: unknown }).items
}

function bigints(chunk: DuckDBDataChunk, column: number): BigInt64Array {
  const items = rawItems(chunk, column)
  if (items instanceof BigInt64Array) return items
  throw new TypeError('a column of samples is not BIGINT')
}

function doubles(chunk: DuckDBDataChunk, column: number): Float64Array {
  const items = rawItems(chunk, column)
  if (items instanceof Float64Array) return items
  throw new TypeError('the value of samples is not DOUBLE')
}

/** Splits chunks of (series, ts, value), sorted by series and time with the value that counts last, into series, each of which is `finished` when it is whole. */
export class SeriesSplitter {
  readonly #series = new Map<bigint, Samples>()
  readonly #finished: (samples: Samples) => Samples
  #current: bigint | null = null
  #buffer = new SampleBuffer()

  constructor(finished: (samples: Samples) => Samples = samples => samples) {
    this.#finished = finished
  }

  add(chunk: DuckDBDataChunk): void {
    const series = bigints(chunk, 0)
    const timestampsNs = bigints(chunk, 1)
    const values = doubles(chunk, 2)
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
    for (let i = 0; i < series.length; i++) {
      if (series[i] !== this.#current) this.#turnTo(series[i]!)
      this.#buffer.add(timestampsNs[i]!, words[2 * i]!, words[2 * i + 1]!)
    }
  }

  /** Samples by series id. */
  finish(): ReadonlyMap<bigint, Samples> {
    this.#turnTo(null)
    return this.#series
  }

  #turnTo(series: bigint | null): void {
    if (this.#current !== null) this.#series.set(this.#current, this.#finished(this.#buffer.samples))
    this.#current = series
    this.#buffer = new SampleBuffer()
  }
}
