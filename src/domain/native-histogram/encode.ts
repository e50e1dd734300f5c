import { type CounterResetHint, type HistogramBuckets, type NativeHistogram, NO_BOUNDS, NO_BUCKETS } from './native-histogram.js'

/** A histogram as a string of `encodeHistogram`; stores keep it unchanged. Equal histograms have equal strings. */
export type EncodedHistogram = string & { readonly __brand: 'EncodedHistogram' }

// Base64 of: [u8 version][i8 schema][u8 hint][f64 count][f64 sum][f64 zero threshold][f64 zero count] [buckets above]
// [buckets below] [bounds]. Buckets: [varint n][u8 whole], n x varint(zigzag(index - index before)), then n counts, as
// varints where all are whole numbers, else as f64. Bounds: [varint n], n x f64. Little endian.
const VERSION = 1
const HINTS: readonly CounterResetHint[] = ['unknown', 'reset', 'not_reset', 'gauge']
const FIXED_BYTES = 3 + 4 * 8
const DOUBLE_BYTES = 8
const MAX_VARINT_BYTES = 8
/** Digits of a varint are taken by division: counts are whole numbers up to 2^53. */
const VARINT_BASE = 128

class Writer {
  readonly #bytes: Buffer
  #at = 0

  constructor(maxBytes: number) {
    this.#bytes = Buffer.allocUnsafe(maxBytes)
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value
  }

  double(value: number): void {
    this.#at = this.#bytes.writeDoubleLE(value, this.#at)
  }

  varint(value: number): void {
    let rest = value
    while (rest >= VARINT_BASE) {
      this.byte((rest % VARINT_BASE) | VARINT_BASE)
      rest = Math.floor(rest / VARINT_BASE)
    }
    this.byte(rest)
  }

  finish(): EncodedHistogram {
    return this.#bytes.toString('base64', 0, this.#at) as EncodedHistogram
  }
}

function writeBuckets(writer: Writer, { indexes, counts }: HistogramBuckets): void {
  const isWhole = counts.every(count => Number.isSafeInteger(count) && count > 0)
  writer.varint(indexes.length)
  writer.byte(isWhole ? 1 : 0)
  let before = 0
  for (const index of indexes) {
    const step = index - before
    writer.varint(step < 0 ? -2 * step - 1 : 2 * step)
    before = index
  }
  for (const count of counts) {
    if (isWhole) writer.varint(count)
    else writer.double(count)
  }
}

/** The text of a histogram. */
export function encodeHistogram(histogram: NativeHistogram): EncodedHistogram {
  const { schema, hint, count, sum, zeroThreshold, zeroCount, positive, negative, bounds } = histogram
  const buckets = positive.indexes.length + negative.indexes.length
  const numbers = 4 + 2 * buckets + bounds.length
  const writer = new Writer(FIXED_BYTES + numbers * (MAX_VARINT_BYTES + 1))
  writer.byte(VERSION)
  writer.byte(schema & 0xff)
  writer.byte(HINTS.indexOf(hint))
  for (const value of [count, sum, zeroThreshold, zeroCount]) writer.double(value)
  writeBuckets(writer, positive)
  writeBuckets(writer, negative)
  writer.varint(bounds.length)
  for (const bound of bounds) writer.double(bound)
  return writer.finish()
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(text: string) {
    this.#bytes = Buffer.from(text, 'base64')
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.#at)
    this.#at += DOUBLE_BYTES
    return value
  }

  varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= VARINT_BASE) {
      const byte = this.byte()
      value += (byte % VARINT_BASE) * scale
      if (byte < VARINT_BASE) return value
    }
  }

  /** A count of items; each takes a byte at least. */
  length(): number {
    const length = this.varint()
    if (length > this.#bytes.length) throw new RangeError('an encoded histogram is truncated')
    return length
  }
}

function readBuckets(reader: Reader): HistogramBuckets {
  const length = reader.length()
  const isWhole = reader.byte() === 1
  if (length === 0) return NO_BUCKETS
  const indexes = new Int32Array(length)
  let before = 0
  for (let i = 0; i < length; i++) {
    const step = reader.varint()
    before += step % 2 === 0 ? step / 2 : -(step + 1) / 2
    indexes[i] = before
  }
  const counts = new Float64Array(length)
  for (let i = 0; i < length; i++) counts[i] = isWhole ? reader.varint() : reader.double()
  return { indexes, counts }
}

function readBounds(reader: Reader): Float64Array {
  const length = reader.length()
  if (length === 0) return NO_BOUNDS
  const bounds = new Float64Array(length)
  for (let i = 0; i < length; i++) bounds[i] = reader.double()
  return bounds
}

/** The histogram of a string. Throws `RangeError` for a string that `encodeHistogram` did not make. */
export function decodeHistogram(text: EncodedHistogram): NativeHistogram {
  const reader = new Reader(text)
  if (reader.byte() !== VERSION) throw new RangeError('not an encoded histogram')
  const schema = (reader.byte() << 24) >> 24
  const hint = HINTS[reader.byte()]
  if (hint === undefined) throw new RangeError('not an encoded histogram')
  const [count, sum, zeroThreshold, zeroCount] = [reader.double(), reader.double(), reader.double(), reader.double()]
  const positive = readBuckets(reader)
  const negative = readBuckets(reader)
  return { schema, hint, count, sum, zeroThreshold, zeroCount, positive, negative, bounds: readBounds(reader) }
}
