import { MalformedProtobuf } from './malformed-protobuf.js'

const TWO_TO_32 = 4_294_967_296
/** Upper halves below this make numbers that are exact. */
const EXACT_HIGH = 2 ** 20

/**
 * Reads the numbers of a message in place (protobuf.dev, encoding). `limit` is the end of the message; every read checks
 * it. Throws `MalformedProtobuf`.
 */
export class NumberReader {
  readonly bytes: Buffer
  protected position = 0
  protected limit: number
  readonly #view: DataView
  /** The halves of the latest 64-bit varint. */
  #low = 0
  #high = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.limit = bytes.length
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Position in `bytes`. */
  get at(): number {
    return this.position
  }

  /** A varint cut to 32 bits, as for uint32, enum and bool. */
  uint32(): number {
    // Most tags and lengths are of one byte.
    let result = this.byte()
    if (result < 0x80) return result
    result &= 0x7f
    for (let shift = 7; shift < 70; shift += 7) {
      const byte = this.byte()
      if (shift < 32) result |= (byte & 0x7f) << shift
      if (byte < 0x80) return result >>> 0
    }
    throw new MalformedProtobuf(`a varint is longer than 10 bytes at byte ${this.position}`)
  }

  /** A varint as int64. */
  int64(): bigint {
    this.#varint64()
    return this.#bigint()
  }

  /** A sint64: its zigzag undone, rounded beyond 2^53. */
  sint64(): number {
    this.#varint64()
    const [low, high] = [this.#low >>> 0, this.#high >>> 0]
    const isNegative = (low & 1) === 1
    if (high >= EXACT_HIGH) return Number((this.#unsigned() >> 1n) ^ (isNegative ? -1n : 0n))
    const half = high * (TWO_TO_32 / 2) + (low >>> 1)
    return isNegative ? -half - 1 : half
  }

  /** A varint as int64: a number where one is exact. */
  integer(): number | bigint {
    this.#varint64()
    const number = (this.#high | 0) * TWO_TO_32 + (this.#low >>> 0)
    return Number.isSafeInteger(number) ? number : this.#bigint()
  }

  #bigint(): bigint {
    return BigInt.asIntN(64, this.#unsigned())
  }

  #unsigned(): bigint {
    return (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0)
  }

  /** Reads a varint into `#low` and `#high`. */
  #varint64(): void {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high |= bits >>> 4
      } else if (shift < 64) high |= bits << (shift - 32)
      if (byte >= 0x80) continue
      this.#low = low
      this.#high = high
      return
    }
    throw new MalformedProtobuf(`a varint is longer than 10 bytes at byte ${this.position}`)
  }

  fixed32(): number {
    const at = this.advance(4)
    return this.#view.getUint32(at, true)
  }

  /** An unsigned 64-bit number; times and ids. */
  fixed64(): bigint {
    const at = this.advance(8)
    return this.#view.getBigUint64(at, true)
  }

  /** A signed 64-bit number. */
  sfixed64(): bigint {
    const at = this.advance(8)
    return this.#view.getBigInt64(at, true)
  }

  /** Counts: exact up to 2^53, which no count of a data point reaches. */
  count64(): number {
    const at = this.advance(8)
    return this.#view.getUint32(at + 4, true) * TWO_TO_32 + this.#view.getUint32(at, true)
  }

  double(): number {
    const at = this.advance(8)
    return this.#view.getFloat64(at, true)
  }

  protected byte(): number {
    if (this.position >= this.limit) throw new MalformedProtobuf(`the message ends within a number at byte ${this.position}`)
    return this.bytes[this.position++]!
  }

  protected advance(size: number): number {
    const at = this.position
    if (at + size > this.limit) throw new MalformedProtobuf(`the message ends within a number at byte ${at}`)
    this.position = at + size
    return at
  }
}
