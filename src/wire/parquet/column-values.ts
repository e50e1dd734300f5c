import type { ParquetType } from './parquet-schema.js'

const FIRST_BYTES = 16 * 1024
const LENGTH_BYTES = 4

/** Bytes that grow. */
class Bytes {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Room for so many bytes more; the caller fills them from `at` on. */
  reserve(more: number): { readonly bytes: Buffer; readonly at: number } {
    const needed = this.#length + more
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    const at = this.#length
    this.#length = needed
    return { bytes: this.#bytes, at }
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** What a cell may be; `int64` and times take numbers, too. */
export type ParquetValue = string | number | bigint | boolean | null

function packBits(bits: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  bits.forEach((bit, i) => {
    if (bit) bytes[i >> 3]! |= 1 << (i & 7)
  })
  return bytes
}

function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  bytes.push(rest)
  return bytes
}

/** The values of one column of a row group, in the encoding PLAIN. */
export class ColumnValues {
  readonly #type: ParquetType
  readonly #values = new Bytes()
  readonly #booleans: boolean[] = []
  readonly #present: boolean[] = []

  constructor(type: ParquetType) {
    this.#type = type
  }

  /** Rows so far. */
  get rows(): number {
    return this.#present.length
  }

  /** Bytes so far, without those of nulls. */
  get bytes(): number {
    return this.#values.length
  }

  add(value: ParquetValue): void {
    this.#present.push(value !== null)
    if (value !== null) this.#write(value)
  }

  /** The content of a data page: which values are there, then those. */
  page(): Buffer {
    const flags = packBits(this.#present)
    const header = Buffer.from(varint((flags.length << 1) | 1))
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32LE(header.length + flags.length)
    const values = this.#type === 'boolean' ? packBits(this.#booleans) : this.#values.view()
    return Buffer.concat([length, header, flags, values])
  }

  #write(value: NonNullable<ParquetValue>): void {
    switch (this.#type) {
      case 'text':
      case 'json':
        return this.#text(value as string)
      case 'boolean':
        this.#booleans.push(value as boolean)
        return
      case 'int32': {
        const { bytes, at } = this.#values.reserve(4)
        bytes.writeInt32LE(value as number, at)
        return
      }
      case 'double': {
        const { bytes, at } = this.#values.reserve(8)
        bytes.writeDoubleLE(value as number, at)
        return
      }
      default: {
        const { bytes, at } = this.#values.reserve(8)
        bytes.writeBigInt64LE(BigInt(value), at)
      }
    }
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text)
    const { bytes, at } = this.#values.reserve(LENGTH_BYTES + length)
    bytes.writeUInt32LE(length, at)
    bytes.write(text, at + LENGTH_BYTES)
  }
}
