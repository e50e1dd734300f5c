import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { NULL_LENGTH, type NullableNumbers, type SharedString, type StringColumn, type WireColumn } from '../wire/columns.js'

/** A request's column while its rows are taken over; `at` is where the next text begins. */
export interface ColumnSource {
  readonly column: WireColumn
  at: number
}

/** One column of a chunk under construction. */
export interface ChunkColumn {
  /** Checks that a column has the right form and length for `rows` rows; throws when not. */
  open(column: WireColumn, rows: number): ColumnSource
  /** Takes rows `from` to `from + count` of the source as rows `to` and on of the chunk. */
  copy(source: ColumnSource, from: number, count: number, to: number): void
  /** Writes `rows` rows into column `index` of the chunk. */
  write(chunk: DuckDBDataChunk, index: number, rows: number): void
  clear(): void
}

const WORD_BITS = 64

/** Which rows have a value, as DuckDB keeps it: one bit a row. */
class Validity {
  readonly #bits: Uint8Array
  #hasNulls = false

  constructor(capacity: number) {
    this.#bits = new Uint8Array(Math.ceil(capacity / WORD_BITS) * 8).fill(0xff)
  }

  setNull(row: number): void {
    this.#bits[row >> 3]! &= ~(1 << (row & 7))
    this.#hasNulls = true
  }

  setNulls(from: number, count: number): void {
    for (let row = from; row < from + count; row++) this.setNull(row)
  }

  write(vector: duckdb.Vector, rows: number): void {
    if (!this.#hasNulls) return
    duckdb.vector_ensure_validity_writable(vector)
    const bytes = Math.ceil(rows / WORD_BITS) * 8
    duckdb.copy_data_to_vector_validity(vector, 0, this.#bits.buffer as ArrayBuffer, 0, bytes)
  }

  clear(): void {
    if (this.#hasNulls) this.#bits.fill(0xff)
    this.#hasNulls = false
  }
}

type Numbers = BigInt64Array | Int32Array | Uint8Array | Float64Array

class NumberColumn implements ChunkColumn {
  readonly #values: Numbers
  readonly #validity: Validity

  constructor(values: Numbers) {
    this.#values = values
    this.#validity = new Validity(values.length)
  }

  open(column: WireColumn, rows: number): ColumnSource {
    if (column === null) return { column, at: 0 }
    const numbers = 'orNaN' in column ? column.orNaN : column
    const isNumbers = numbers.constructor === this.#values.constructor || 'orNaN' in column
    if (!isNumbers || (numbers as Numbers).length !== rows) throw new Error('a column of numbers does not fit its rows')
    return { column, at: 0 }
  }

  copy(source: ColumnSource, from: number, count: number, to: number): void {
    const { column } = source
    if (column === null) return this.#validity.setNulls(to, count)
    if ('orNaN' in (column as object)) return this.#copyNullable((column as NullableNumbers).orNaN, from, count, to)
    const part = (column as Float64Array).subarray(from, from + count)
    ;(this.#values as Float64Array).set(part, to)
  }

  #copyNullable(numbers: Float64Array, from: number, count: number, to: number): void {
    for (let i = 0; i < count; i++) {
      const value = numbers[from + i]!
      if (Number.isNaN(value)) this.#validity.setNull(to + i)
      else if (this.#values instanceof BigInt64Array) this.#values[to + i] = BigInt(value)
      else this.#values[to + i] = value
    }
  }

  write(chunk: DuckDBDataChunk, index: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, index)
    const { buffer, BYTES_PER_ELEMENT } = this.#values
    duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, 0, rows * BYTES_PER_ELEMENT)
    this.#validity.write(vector, rows)
  }

  clear(): void {
    this.#validity.clear()
  }
}

// DuckDB's string_t: 4 bytes of length, then 12 bytes of text, or for longer strings its first 4 bytes and a pointer.
const STRING_BYTES = 16
const STRING_WORDS = 4
const MAX_INLINE = 12
const FIRST_HEAP_BYTES = 64 * 1024

/**
 * A column of strings. All long strings of a chunk are handed to DuckDB in one piece, which owns a copy of it for as long as
 * the chunk lives; the column's entries then point into that copy. One call a string would cost several times as much.
 */
class StringsColumn implements ChunkColumn {
  readonly #words: Uint32Array
  readonly #entries: Uint8Array
  readonly #validity: Validity
  #heap = Buffer.allocUnsafeSlow(FIRST_HEAP_BYTES)
  #heapBytes = 0
  #hasLong = false
  #hasText = false

  constructor(capacity: number) {
    this.#words = new Uint32Array(capacity * STRING_WORDS)
    this.#entries = new Uint8Array(this.#words.buffer)
    this.#validity = new Validity(capacity)
  }

  open(column: WireColumn, rows: number): ColumnSource {
    if (column === null || 'shared' in column) return { column, at: 0 }
    if (!('lengths' in column) || column.lengths.length !== rows)
      throw new Error('lengths of a string column do not match its rows')
    let bytes = 0
    for (const length of column.lengths) if (length !== NULL_LENGTH) bytes += length
    if (bytes !== column.bytes.length) throw new Error('lengths of a string column do not match its bytes')
    return { column, at: 0 }
  }

  copy(source: ColumnSource, from: number, count: number, to: number): void {
    const { column } = source
    if (column === null) {
      for (let row = to; row < to + count; row++) this.#setNull(row)
      return
    }
    this.#hasText = true
    if ('shared' in column) return this.#copyShared(column, count, to)
    source.at = this.#copyStrings(column as StringColumn, source.at, { from, count, to })
  }

  #setNull(row: number): void {
    this.#words[row * STRING_WORDS] = 0
    this.#validity.setNull(row)
  }

  #copyShared({ shared }: SharedString, count: number, to: number): void {
    this.#enter(to, this.#keep(shared), shared.length)
    const words = this.#words
    const from = to * STRING_WORDS
    const end = from + count * STRING_WORDS
    for (let word = from + STRING_WORDS; word < end; word++) words[word] = words[word - STRING_WORDS]!
  }

  #copyStrings({ bytes, lengths }: StringColumn, at: number, rows: { from: number; count: number; to: number }): number {
    const { from, count, to } = rows
    let end = at
    for (let i = from; i < from + count; i++) if (lengths[i] !== NULL_LENGTH) end += lengths[i]!
    let start = this.#keep(bytes.subarray(at, end))
    for (let i = 0; i < count; i++) {
      const length = lengths[from + i]!
      if (length === NULL_LENGTH) {
        this.#setNull(to + i)
        continue
      }
      this.#enter(to + i, start, length)
      start += length
    }
    return end
  }

  #keep(bytes: Uint8Array): number {
    const start = this.#heapBytes
    const needed = start + bytes.length
    if (needed > this.#heap.length) {
      const heap = Buffer.allocUnsafeSlow(Math.max(needed, this.#heap.length * 2))
      this.#heap.copy(heap, 0, 0, start)
      this.#heap = heap
    }
    this.#heap.set(bytes, start)
    this.#heapBytes = needed
    return start
  }

  #enter(row: number, start: number, length: number): void {
    const word = row * STRING_WORDS
    const heap = this.#heap
    const words = this.#words
    words[word] = length
    words[word + 1] = 0
    words[word + 2] = 0
    words[word + 3] = 0
    const entry = row * STRING_BYTES + 4
    const inline = length <= MAX_INLINE ? length : 4
    for (let i = 0; i < inline; i++) this.#entries[entry + i] = heap[start + i]!
    if (length <= MAX_INLINE) return
    // The place in the heap; `write` adds where DuckDB keeps it.
    words[word + 2] = start
    this.#hasLong = true
  }

  write(chunk: DuckDBDataChunk, index: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, index)
    if (this.#hasLong) this.#point(vector, rows)
    if (this.#hasText) duckdb.copy_data_to_vector(vector, 0, this.#words.buffer as ArrayBuffer, 0, rows * STRING_BYTES)
    this.#validity.write(vector, rows)
  }

  #point(vector: duckdb.Vector, rows: number): void {
    duckdb.vector_assign_string_element_len(vector, 0, this.#heap.subarray(0, this.#heapBytes))
    const first = duckdb.vector_get_data(vector, STRING_BYTES)
    const view = new DataView(first.buffer, first.byteOffset, STRING_BYTES)
    const low = view.getUint32(8, true)
    const high = view.getUint32(12, true)
    const words = this.#words
    for (let word = 0; word < rows * STRING_WORDS; word += STRING_WORDS) {
      if (words[word]! <= MAX_INLINE) continue
      const place = low + words[word + 2]!
      words[word + 2] = place
      words[word + 3] = place > 0xffffffff ? high + 1 : high
    }
  }

  clear(): void {
    this.#validity.clear()
    this.#heapBytes = 0
    this.#hasLong = false
    this.#hasText = false
    // One giant batch must not keep its memory forever.
    if (this.#heap.length > MAX_KEPT_HEAP_BYTES) this.#heap = Buffer.allocUnsafeSlow(FIRST_HEAP_BYTES)
  }
}

const MAX_KEPT_HEAP_BYTES = 4 * 1024 * 1024

/** The column of a DuckDB type that `TABLES` uses. */
export function createColumn(type: string, capacity: number): ChunkColumn {
  if (type === 'VARCHAR') return new StringsColumn(capacity)
  if (type === 'BIGINT') return new NumberColumn(new BigInt64Array(capacity))
  if (type === 'INTEGER') return new NumberColumn(new Int32Array(capacity))
  if (type === 'UTINYINT') return new NumberColumn(new Uint8Array(capacity))
  return new NumberColumn(new Float64Array(capacity))
}
