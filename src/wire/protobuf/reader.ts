import type { InternedTexts } from './interned-texts.js'

/** Wire types of protobuf (protobuf.dev, encoding). Groups (3, 4) are only skipped. */
export const VARINT = 0
export const FIXED64 = 1
export const LENGTH = 2
export const GROUP_START = 3
export const GROUP_END = 4
export const FIXED32 = 5

const MAX_GROUP_DEPTH = 64
/** Messages that a body may hold: twice as many as 64 MiB of attributes in use have. An empty one takes two bytes and an object. */
const MAX_MESSAGES = 8_000_000
/** Values of one repeated number field: no histogram has as many buckets. */
const MAX_REPEATED = 65_536
const TWO_TO_32 = 4_294_967_296
/** Upper halves below this make numbers that are exact. */
const EXACT_HIGH = 2 ** 20

/** The bytes are no protobuf message, or end too early. */
export class MalformedProtobuf extends Error {}

/** Start and end of a message within the body. */
export type Slice = readonly [start: number, end: number]

/**
 * Reads the fields of one message and of those inside it, in place. `limit` is where the message at hand ends; every
 * read checks it, so that no length leads beyond the bytes. Throws `MalformedProtobuf`.
 */
export class ProtobufReader {
  readonly bytes: Buffer
  readonly #view: DataView
  readonly #texts: InternedTexts
  #slicesLeft: number
  #messagesLeft = MAX_MESSAGES
  #at = 0
  #limit: number
  /** The halves of the 64-bit varint that was read last. */
  #low = 0
  #high = 0
  /** Field number and wire type of the field that `next` found. */
  field = 0
  wireType = 0

  /** `maxSlices` bounds the messages that are passed over to be read later. */
  constructor(bytes: Buffer, texts: InternedTexts, maxSlices = MAX_MESSAGES) {
    this.bytes = bytes
    this.#slicesLeft = maxSlices
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#texts = texts
    this.#limit = bytes.length
  }

  /** Moves to the next field of the message; false at its end. */
  next(): boolean {
    if (this.#at >= this.#limit) return false
    const tag = this.uint32()
    this.field = tag >>> 3
    this.wireType = tag & 7
    if (this.field === 0) throw new MalformedProtobuf(`field number 0 at byte ${this.#at}`)
    return true
  }

  /** Enters the message that the present field holds; `leave` takes what this answers. */
  enter(): number {
    if (--this.#messagesLeft < 0) throw new MalformedProtobuf('too many messages')
    const end = this.#lengthEnd()
    const outer = this.#limit
    this.#limit = end
    return outer
  }

  /** Goes on behind the message that was entered. */
  leave(outer: number): void {
    this.#at = this.#limit
    this.#limit = outer
  }

  /** Where the message of the present field lies, passed over for now; `within` reads it later. */
  slice(): Slice {
    this.expect(LENGTH)
    if (--this.#slicesLeft < 0) throw new MalformedProtobuf('too many messages')
    const end = this.#lengthEnd()
    const slice: Slice = [this.#at, end]
    this.#at = end
    return slice
  }

  /** Where the reader stands. */
  get at(): number {
    return this.#at
  }

  /** Bytes that are left of the message at hand. */
  get left(): number {
    return this.#limit - this.#at
  }

  /** Goes back to where it stood within the message at hand. */
  back(at: number): void {
    this.#at = at
  }

  /** Passes over the fields in a row that begin with this tag of one byte and have a length; answers where they end. */
  passRun(tag: number): number {
    while (this.#at < this.#limit && this.bytes[this.#at] === tag) {
      this.#at++
      this.#at = this.#lengthEnd()
    }
    return this.#at
  }

  /** Reads a message that was passed over, then goes on where the reader stood. */
  within(slice: Slice, read: () => void): void {
    const at = this.#at
    const outer = this.#limit
    ;[this.#at, this.#limit] = slice
    read()
    this.#at = at
    this.#limit = outer
  }

  /** A varint cut to 32 bits, as for uint32, enum and bool. */
  uint32(): number {
    // Most tags and lengths are of one byte.
    let result = this.#byte()
    if (result < 0x80) return result
    result &= 0x7f
    for (let shift = 7; shift < 70; shift += 7) {
      const byte = this.#byte()
      if (shift < 32) result |= (byte & 0x7f) << shift
      if (byte < 0x80) return result >>> 0
    }
    throw new MalformedProtobuf(`a varint is longer than 10 bytes at byte ${this.#at}`)
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
      const byte = this.#byte()
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
    throw new MalformedProtobuf(`a varint is longer than 10 bytes at byte ${this.#at}`)
  }

  fixed32(): number {
    const at = this.#advance(4)
    return this.#view.getUint32(at, true)
  }

  /** An unsigned 64-bit number; times and ids. */
  fixed64(): bigint {
    const at = this.#advance(8)
    return this.#view.getBigUint64(at, true)
  }

  /** A signed 64-bit number. */
  sfixed64(): bigint {
    const at = this.#advance(8)
    return this.#view.getBigInt64(at, true)
  }

  /** Counts: exact up to 2^53, which no count of a data point reaches. */
  count64(): number {
    const at = this.#advance(8)
    return this.#view.getUint32(at + 4, true) * TWO_TO_32 + this.#view.getUint32(at, true)
  }

  double(): number {
    const at = this.#advance(8)
    return this.#view.getFloat64(at, true)
  }

  text(): string {
    const end = this.#lengthEnd()
    const text = this.#texts.text(this.bytes, this.#at, end)
    this.#at = end
    return text
  }

  /** Bytes as hex in lower case. */
  hex(): string {
    const end = this.#lengthEnd()
    const text = this.bytes.toString('hex', this.#at, end)
    this.#at = end
    return text
  }

  /** A view on the body's own bytes: copy what outlives it. */
  raw(): Buffer {
    const end = this.#lengthEnd()
    const raw = this.bytes.subarray(this.#at, end)
    this.#at = end
    return raw
  }

  /** Every value of a repeated number field, packed or not, read by `read`. */
  repeated<T>(into: T[], scalar: number, read: () => T): void {
    if (into.length >= MAX_REPEATED) throw new MalformedProtobuf(`field ${this.field} has too many values`)
    if (this.wireType === scalar) {
      into.push(read())
      return
    }
    this.expect(LENGTH)
    const outer = this.enter()
    while (this.#at < this.#limit) {
      if (into.length >= MAX_REPEATED) throw new MalformedProtobuf(`field ${this.field} has too many values`)
      into.push(read())
    }
    this.leave(outer)
  }

  /** Refuses a field whose wire type is not the one of its definition. */
  expect(wireType: number): void {
    if (this.wireType !== wireType) {
      throw new MalformedProtobuf(`field ${this.field} has wire type ${this.wireType} at byte ${this.#at}`)
    }
  }

  /** Passes over the present field: unknown fields are ignored (protobuf.dev, unknown fields; OTLP asks the same). */
  skip(): void {
    this.#skip(this.field, this.wireType, 0)
  }

  #skip(field: number, wireType: number, depth: number): void {
    if (wireType === VARINT) this.uint32()
    else if (wireType === FIXED64) this.#advance(8)
    else if (wireType === LENGTH) this.#at = this.#lengthEnd()
    else if (wireType === FIXED32) this.#advance(4)
    else if (wireType === GROUP_START && depth < MAX_GROUP_DEPTH) this.#skipGroup(field, depth + 1)
    else throw new MalformedProtobuf(`wire type ${wireType} at byte ${this.#at}`)
  }

  #skipGroup(field: number, depth: number): void {
    for (;;) {
      const tag = this.uint32()
      if ((tag & 7) === GROUP_END) {
        if (tag >>> 3 === field) return
        throw new MalformedProtobuf(`a group ends that did not begin at byte ${this.#at}`)
      }
      this.#skip(tag >>> 3, tag & 7, depth)
    }
  }

  #byte(): number {
    if (this.#at >= this.#limit) throw new MalformedProtobuf(`the message ends within a number at byte ${this.#at}`)
    return this.bytes[this.#at++]!
  }

  #advance(size: number): number {
    const at = this.#at
    if (at + size > this.#limit) throw new MalformedProtobuf(`the message ends within a number at byte ${at}`)
    this.#at = at + size
    return at
  }

  /** Reads a length; answers where what it measures ends. */
  #lengthEnd(): number {
    const length = this.uint32()
    const end = this.#at + length
    if (end > this.#limit) throw new MalformedProtobuf(`a length leads beyond the message at byte ${this.#at}`)
    return end
  }
}
