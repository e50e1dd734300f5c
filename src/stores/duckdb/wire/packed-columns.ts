import type { NamedColumns, WireColumn } from './columns.js'

// A column is `[u8 length of name][name][u8 type][u32 length of data][data]`, little endian. The data of strings is
// `[u32 count][u32 x count byte lengths][bytes]`, that of a shared string its bytes, that of numbers their memory. Structured
// cloning costs three times as much.
const STRINGS = 1
const BIGINTS = 2
const INTEGERS = 3
const BYTES = 4
const DOUBLES = 5
const NULLABLE_DOUBLES = 6
const SHARED_TEXT = 7
const WORD_BYTES = 4

type Present = Exclude<WireColumn, null>
type Numbers = BigInt64Array | Int32Array | Uint8Array | Float64Array

function dataBytes(column: Present): number {
  if ('lengths' in column) return WORD_BYTES + column.lengths.byteLength + column.bytes.byteLength
  if ('shared' in column) return column.shared.byteLength
  return 'orNaN' in column ? column.orNaN.byteLength : column.byteLength
}

function typeOf(column: Numbers): number {
  if (column instanceof BigInt64Array) return BIGINTS
  if (column instanceof Int32Array) return INTEGERS
  return column instanceof Uint8Array ? BYTES : DOUBLES
}

/** Bytes that `packColumns` writes. */
export function packedBytes(columns: NamedColumns): number {
  let bytes = 0
  for (const name in columns) {
    const column = columns[name]!
    if (column !== null) bytes += 2 + name.length + WORD_BYTES + dataBytes(column)
  }
  return bytes
}

/** Writes the columns that have a value, one after the other, from `at` on; returns where they end. */
export function packColumns(out: Buffer, at: number, columns: NamedColumns): number {
  let to = at
  for (const name in columns) {
    const column = columns[name]!
    if (column === null) continue
    out[to++] = name.length
    to += out.write(name, to, 'latin1')
    to = packColumn(out, to, column)
  }
  return to
}

function packColumn(out: Buffer, at: number, column: Present): number {
  const data = at + 1 + WORD_BYTES
  out.writeUInt32LE(dataBytes(column), at + 1)
  if ('lengths' in column) {
    out[at] = STRINGS
    out.writeUInt32LE(column.lengths.length, data)
    const bytes = packNumbers(out, data + WORD_BYTES, column.lengths)
    out.set(column.bytes, bytes)
    return bytes + column.bytes.length
  }
  if ('shared' in column) {
    out[at] = SHARED_TEXT
    out.set(column.shared, data)
    return data + column.shared.length
  }
  const numbers = 'orNaN' in column ? column.orNaN : column
  out[at] = 'orNaN' in column ? NULLABLE_DOUBLES : typeOf(column)
  return packNumbers(out, data, numbers)
}

function packNumbers(out: Buffer, at: number, numbers: Numbers | Uint32Array): number {
  out.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at)
  return at + numbers.byteLength
}

/** The columns from `at` to the end. Throws when they do not fit. Strings share the memory of `bytes`. */
export function unpackColumns(bytes: Buffer, at: number): NamedColumns {
  const columns: Record<string, WireColumn> = {}
  for (let from = at; from < bytes.length;) {
    const type = from + 1 + bytes[from]!
    const data = type + 1 + WORD_BYTES
    const end = data + bytes.readUInt32LE(type + 1)
    if (end > bytes.length) throw new RangeError('a packed column is truncated')
    columns[bytes.toString('latin1', from + 1, type)] = unpackColumn(bytes[type], bytes.subarray(data, end))
    from = end
  }
  return columns
}

function unpackColumn(type: number | undefined, data: Buffer): WireColumn {
  switch (type) {
    case STRINGS:
      return unpackStrings(data)
    case SHARED_TEXT:
      return { shared: data }
    case BIGINTS:
      return unpackNumbers(data, BigInt64Array)
    case INTEGERS:
      return unpackNumbers(data, Int32Array)
    case BYTES:
      return unpackNumbers(data, Uint8Array)
    case DOUBLES:
      return unpackNumbers(data, Float64Array)
    case NULLABLE_DOUBLES:
      return { orNaN: unpackNumbers(data, Float64Array) }
    default:
      throw new RangeError(`a packed column is of type ${type}`)
  }
}

function unpackStrings(data: Buffer): WireColumn {
  const bytes = WORD_BYTES * (1 + data.readUInt32LE(0))
  if (bytes > data.length) throw new RangeError('a packed column is truncated')
  return { lengths: unpackNumbers(data.subarray(WORD_BYTES, bytes), Uint32Array), bytes: data.subarray(bytes) }
}

/** A copy: the memory of numbers must be aligned. */
function unpackNumbers<N extends Numbers | Uint32Array>(
  data: Buffer,
  type: { new (length: number): N; readonly BYTES_PER_ELEMENT: number }
): N {
  if (data.length % type.BYTES_PER_ELEMENT !== 0) throw new RangeError('a packed column is truncated')
  const numbers = new type(data.length / type.BYTES_PER_ELEMENT)
  new Uint8Array(numbers.buffer).set(data)
  return numbers
}
