import { deserialize, serialize } from 'node:v8'
import { DistinctStrings } from '../../../domain/distinct-strings.js'
import type { Label, SeriesSamples } from '../../../domain/metric-point.js'

/** A series without its samples. */
interface Described {
  /** Each once. */
  readonly strings: readonly string[]
  /** For each series which of the strings is its name, then the names and values of its labels. */
  readonly uses: Uint32Array
  /** For each series how many labels and how many samples it has. */
  readonly counts: Uint32Array
  /** For each series `COUNTER` and `AGGREGATED`. */
  readonly flags: Uint8Array
  /** Native histograms by the position of their series. */
  readonly histograms: ReadonlyMap<number, NonNullable<SeriesSamples['histograms']>>
}

type Numbers = BigInt64Array | Float64Array

const COUNTER = 1
const AGGREGATED = 2
const WORD_BYTES = 4
const SAMPLE_BYTES = 8

/** Series as they cross the pipe: few objects, since each array of its own costs as much as a hundred samples. */
export class PackedSamples {
  readonly described: Described
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array

  constructor(described: Described, timestampsNs: BigInt64Array, values: Float64Array) {
    this.described = described
    this.timestampsNs = timestampsNs
    this.values = values
  }
}

/** A type of arrays of numbers, by which they are made. */
interface ArrayType<N extends Numbers> {
  new (length: number): N
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): N
}

/** Whether the arrays follow each other in the memory of one buffer. */
function areAdjacent(arrays: readonly Numbers[]): boolean {
  let end = arrays[0]!.byteOffset
  for (const { buffer, byteOffset, byteLength } of arrays) {
    if (buffer !== arrays[0]!.buffer || byteOffset !== end) return false
    end += byteLength
  }
  return true
}

/** The numbers of several arrays as one, in the same memory where they follow each other there. */
function joined<N extends Numbers>(arrays: readonly N[], type: ArrayType<N>): N {
  const length = arrays.reduce((sum, array) => sum + array.length, 0)
  const [first] = arrays
  if (first !== undefined && areAdjacent(arrays)) return new type(first.buffer, first.byteOffset, length)
  const all = new type(length)
  let at = 0
  for (const array of arrays) {
    // Between arrays of one type the bits are copied, those of the NaN that ends a series too.
    all.set(array as never, at)
    at += array.length
  }
  return all
}

/** Series as one message. Samples that are contiguous already are not copied. */
export function packSamples(series: readonly SeriesSamples[]): PackedSamples {
  const strings = new DistinctStrings()
  const uses = new Uint32Array(series.reduce((sum, { labels }) => sum + 1 + 2 * labels.length, 0))
  const counts = new Uint32Array(2 * series.length)
  const flags = new Uint8Array(series.length)
  const histograms = new Map<number, NonNullable<SeriesSamples['histograms']>>()
  let use = 0
  for (const [i, one] of series.entries()) {
    uses[use++] = strings.placeOf(one.name)
    for (const { name, value } of one.labels) {
      uses[use++] = strings.placeOf(name)
      uses[use++] = strings.placeOf(value)
    }
    counts[2 * i] = one.labels.length
    counts[2 * i + 1] = one.values.length
    flags[i] = (one.type === 'counter' ? COUNTER : 0) | (one.isAggregated ? AGGREGATED : 0)
    if (one.histograms !== undefined) histograms.set(i, one.histograms)
  }
  const times = series.map(({ timestampsNs }) => timestampsNs)
  const values = series.map(one => one.values)
  const described = { strings: strings.list, uses, counts, flags, histograms }
  return new PackedSamples(described, joined(times, BigInt64Array), joined(values, Float64Array))
}

/** The series of a message; their samples are views of its memory. */
export function unpackSamples({ described, timestampsNs, values }: PackedSamples): SeriesSamples[] {
  const { strings, uses, counts, flags, histograms } = described
  const series: SeriesSamples[] = []
  let use = 0
  let at = 0
  for (const [i, flag] of flags.entries()) {
    const name = strings[uses[use++]!]!
    const labels: Label[] = []
    for (let left = counts[2 * i]!; left > 0; left--) labels.push({ name: strings[uses[use++]!]!, value: strings[uses[use++]!]! })
    const end = at + counts[2 * i + 1]!
    const having = histograms.get(i)
    series.push({
      name,
      type: flag & COUNTER ? 'counter' : 'gauge',
      labels,
      timestampsNs: timestampsNs.subarray(at, end),
      values: values.subarray(at, end),
      ...(having && { histograms: having }),
      ...(flag & AGGREGATED && { isAggregated: true })
    })
    at = end
  }
  return series
}

// `[u32 samples][u32 length of the description][description][padding to 8 bytes][times][values]`, little endian.

function paddedHead(descriptionBytes: number): number {
  return Math.ceil((2 * WORD_BYTES + descriptionBytes) / SAMPLE_BYTES) * SAMPLE_BYTES
}

/** A message as bytes, in parts that follow each other; samples are not copied. */
export function encodeSamples({ described, timestampsNs, values }: PackedSamples): readonly Buffer[] {
  const description = serialize(described)
  const head = Buffer.alloc(paddedHead(description.length))
  head.writeUInt32LE(values.length, 0)
  head.writeUInt32LE(description.length, WORD_BYTES)
  description.copy(head, 2 * WORD_BYTES)
  return [head, bytesOf(timestampsNs), bytesOf(values)]
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The message of bytes, in their memory where that is aligned. */
export function decodeSamples(bytes: Buffer): PackedSamples {
  const samples = bytes.readUInt32LE(0)
  const end = 2 * WORD_BYTES + bytes.readUInt32LE(WORD_BYTES)
  const times = paddedHead(end - 2 * WORD_BYTES)
  if (bytes.length !== times + 2 * SAMPLE_BYTES * samples) throw new RangeError('a message of samples is truncated')
  const described = deserialize(bytes.subarray(2 * WORD_BYTES, end)) as Described
  const { buffer, byteOffset } = bytes.byteOffset % SAMPLE_BYTES === 0 ? bytes : new Uint8Array(bytes)
  const [timesAt, valuesAt] = [byteOffset + times, byteOffset + times + SAMPLE_BYTES * samples]
  return new PackedSamples(described, new BigInt64Array(buffer, timesAt, samples), new Float64Array(buffer, valuesAt, samples))
}
