import { GatewayError } from '../../../domain/errors.js'
import { tooManySamples } from '../../shared/read-refusals.js'
import { csvCells } from './csv-cells.js'
import { NumberBytes } from './number-bytes.js'
import type { SampleColumns } from './sample-columns.js'
import { TimeBytes } from './time-bytes.js'

/** What the reader needs to know. */
export interface CsvReaderOptions {
  /** `double` for the field of values, `bits` for the field of flags, `text` for that of histograms. */
  readonly valueKind: 'double' | 'bits' | 'text'
  /** More samples than this are refused with `query_unsupported` as soon as they show. */
  readonly maxSamples: number
  /** Whether that is the bound of all samples or of each place where they go. */
  readonly boundOf?: 'response' | 'place'
  /**
   * Where the samples of a table go, from the cells of its first row; null if they are not requested. Not called for a table that
   * only continues the one before it: same columns, same cells after the value.
   */
  readonly openTable: (columns: readonly string[], cells: readonly string[]) => SampleColumns | null
}

/** The columns before the tags, always in this order. */
const FIRST_COLUMNS = ['', 'result', 'table', '_time', '_value']
const COMMA = 0x2c
const RETURN = 0x0d
const LINE_FEED = 0x0a
const ZERO = 0x30
const NINE = 0x39
/** A line is at most as long as the keys that InfluxDB takes. */
const MAX_LINE_BYTES = 1024 * 1024
/** What a number and its time take. */
const SAMPLE_BYTES = 16
const decoder = new TextDecoder()

/**
 * Reads annotated CSV (docs.influxdata.com, "Annotated CSV") with the annotation `#default` into columns, byte by byte:
 * strings are made once per table. Every line that is not what it should be is an error: InfluxDB reports late faults as
 * a table or as JSON in the midst of the result.
 */
export class AnnotatedCsvReader {
  readonly #options: CsvReaderOptions
  readonly #time = new TimeBytes()
  readonly #number = new NumberBytes()
  #rest: Uint8Array | null = null
  /** Every block ends with an empty line, and so does a result without blocks. */
  #isWhole = false
  #columns: readonly string[] | null = null
  #isHeaderNext = false
  #isErrorNext = false
  #samplesLeft: number
  #table = -1
  #sink: SampleColumns | null = null
  /** Bytes of a row behind its value: the same for all rows of a table. */
  #tailBytes = 0
  /** Those that identified the target. */
  #tail: Uint8Array | null = null

  constructor(options: CsvReaderOptions) {
    this.#options = options
    this.#samplesLeft = options.maxSamples
  }

  push(chunk: Uint8Array): void {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    this.#lines(bytes, end)
    this.#rest = end === bytes.length ? null : bytes.subarray(end)
    if (this.#rest !== null && this.#rest.length > MAX_LINE_BYTES) throw broken('an unterminated line')
  }

  /** The result is over. */
  finish(): void {
    if (this.#rest !== null) throw broken(decoder.decode(this.#rest))
    if (!this.#isWhole) throw broken('the final empty line is missing')
  }

  #lines(bytes: Uint8Array, end: number): void {
    let at = 0
    while (at < end) {
      const isRow = bytes[at] === COMMA && this.#columns !== null && !this.#isHeaderNext
      at = isRow ? this.#rows(bytes, at, end) : this.#otherLine(bytes, at)
    }
  }

  /** Annotations, headers, the empty line between blocks. */
  #otherLine(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(LINE_FEED, from)
    const line = decoder.decode(bytes.subarray(from, end)).replace(/\r$/, '')
    if (this.#isErrorNext) throw broken(csvCells(line)[1] ?? line)
    this.#isWhole = line === ''
    if (this.#isHeaderNext) this.#openBlock(line)
    else if (line === '') this.#columns = null
    else if (line.startsWith('#default,')) this.#isHeaderNext = true
    else throw broken(line)
    return end + 1
  }

  #openBlock(line: string): void {
    const columns = csvCells(line)
    this.#isHeaderNext = false
    this.#table = -1
    this.#tail = null
    this.#isErrorNext = columns[1] === 'error'
    this.#columns = this.#isErrorNext ? null : columns
    if (this.#isErrorNext) return
    if (FIRST_COLUMNS.some((name, i) => columns[i] !== name)) throw broken(line)
  }

  /** Rows of one block; returns where they stop. */
  #rows(bytes: Uint8Array, from: number, end: number): number {
    const [time, number] = [this.#time, this.#number]
    const { valueKind } = this.#options
    let at = from
    while (at < end && bytes[at] === COMMA) {
      const row = at
      // The name of the result is in the annotation: its cell is empty.
      at += 2
      let table = 0
      for (; bytes[at]! >= ZERO && bytes[at]! <= NINE; at++) table = table * 10 + (bytes[at]! - ZERO)
      if (table !== this.#table) this.#openTable(bytes, row, table)
      time.read(bytes, at + 1)
      if (bytes[at] !== COMMA || bytes[time.end] !== COMMA) throw broken('a malformed row')
      if (valueKind === 'double') this.#addDouble(bytes)
      else if (valueKind === 'bits') this.#addBits(bytes)
      at = this.#nextRow(bytes, valueKind === 'text' ? this.#addText(bytes) : number.end)
    }
    return at
  }

  #addDouble(bytes: Uint8Array): void {
    const value = this.#number.double(bytes, this.#time.end + 1)
    if (this.#sink === null) return
    if (--this.#samplesLeft < 0) throw tooManySamples(this.#options.maxSamples)
    this.#sink.add(this.#time.seconds, this.#time.nanos, value)
  }

  #addBits(bytes: Uint8Array): void {
    const bits = this.#number.integer(bytes, this.#time.end + 1)
    if (this.#sink === null) return
    if (--this.#samplesLeft < 0) throw tooManySamples(this.#options.maxSamples)
    this.#sink.addBits(this.#time.seconds, this.#time.nanos, bits)
  }

  /** Base64: no quotes, no commas. Returns where it ends. A string counts as so many samples as take its bytes. */
  #addText(bytes: Uint8Array): number {
    const start = this.#time.end + 1
    let end = start
    while (bytes[end] !== COMMA && bytes[end] !== RETURN) end++
    if (this.#sink === null) return end
    this.#samplesLeft -= Math.ceil((end - start) / SAMPLE_BYTES)
    if (this.#samplesLeft < 0) throw tooManySamples(this.#options.maxSamples)
    this.#sink.addText(this.#time.seconds, this.#time.nanos, decoder.decode(bytes.subarray(start, end)))
    return end
  }

  #nextRow(bytes: Uint8Array, valueEnd: number): number {
    const next = valueEnd + this.#tailBytes
    if (this.#tailBytes > 0 && bytes[next - 1] === LINE_FEED && bytes[next - 2] === RETURN) return next
    const end = bytes.indexOf(LINE_FEED, valueEnd)
    this.#tailBytes = end + 1 - valueEnd
    return end + 1
  }

  #openTable(bytes: Uint8Array, row: number, table: number): void {
    const columns = this.#columns!
    const end = bytes.indexOf(LINE_FEED, row) - 1
    const tail = bytes.subarray(behindValue(bytes, row, end), end)
    this.#table = table
    if (this.#tail !== null && Buffer.compare(this.#tail, tail) === 0) return
    const line = decoder.decode(bytes.subarray(row, end))
    const cells = csvCells(line)
    if (cells.length !== columns.length || cells[1] !== '') throw broken(line)
    this.#tail = tail.slice()
    this.#tailBytes = 0
    this.#sink = this.#options.openTable(columns, cells)
    if (this.#options.boundOf === 'place') this.#samplesLeft = this.#options.maxSamples
  }
}

/** Where the cells before the tags end. */
function behindValue(bytes: Uint8Array, row: number, end: number): number {
  let at = row
  for (let commas = 0; at < end; at++) if (bytes[at] === COMMA && ++commas === FIRST_COLUMNS.length) break
  return at
}

function broken(detail: string): GatewayError {
  const diagnosis = `the response of InfluxDB ended early: ${detail.slice(0, 300)}`
  return new GatewayError('store_unavailable', 'the response of InfluxDB ended early', { diagnosis })
}
