import type { InternedStrings } from './interned-strings.js'
import { MalformedProtobuf } from './malformed-protobuf.js'
import { NumberReader } from './number-reader.js'

/** Wire types of protobuf (protobuf.dev, encoding). Groups (3, 4) are only skipped. */
export const VARINT = 0
export const FIXED64 = 1
export const LENGTH = 2
export const GROUP_START = 3
export const GROUP_END = 4
export const FIXED32 = 5

const MAX_GROUP_DEPTH = 64
/** Messages that a body may contain: twice as many as 64 MiB of attributes in use have. An empty one takes two bytes and an object. */
const MAX_MESSAGES = 8_000_000
/** Fields that are read between two pauses; they take some milliseconds. */
const FIELDS_PER_SLICE = 20_000
/** Values of one repeated number field: no histogram has as many buckets. */
const MAX_REPEATED = 65_536

/** Start and end of a message in the body. */
export type MessageSlice = readonly [start: number, end: number]

/**
 * Reads the fields of a message and of the messages in it, in place. `limit` is the end of the current message; every
 * read checks it, so that no length exceeds the bytes. Throws `MalformedProtobuf`.
 */
export class ProtobufReader extends NumberReader {
  readonly #strings: InternedStrings
  #slicesLeft: number
  #messagesLeft = MAX_MESSAGES
  /** Fields read so far, at the next pause, and at the limit of the current part. */
  #fields = 0
  #sliceEnd = FIELDS_PER_SLICE
  #partEnd = Infinity
  #maxFieldsOfPart = Infinity
  /** Field number and wire type of the field that `next` found. */
  field = 0
  wireType = 0

  /** `maxSlices` limits the messages that `slice` skips. */
  constructor(bytes: Buffer, strings: InternedStrings, maxSlices = MAX_MESSAGES) {
    super(bytes)
    this.#slicesLeft = maxSlices
    this.#strings = strings
  }

  /** Moves to the next field of the message; false at its end. */
  next(): boolean {
    if (this.position >= this.limit) return false
    this.#count()
    const tag = this.uint32()
    this.field = tag >>> 3
    this.wireType = tag & 7
    if (this.field === 0) throw new MalformedProtobuf(`field number 0 at byte ${this.position}`)
    return true
  }

  /** Enters the message of the current field. Returns what `leave` needs. */
  enter(): number {
    if (--this.#messagesLeft < 0) throw new MalformedProtobuf('too many messages')
    const end = this.#lengthEnd()
    const outer = this.limit
    this.limit = end
    return outer
  }

  /** Continues after the entered message. */
  leave(outer: number): void {
    this.position = this.limit
    this.limit = outer
  }

  /** Skips the message of the current field and returns its place; `within` reads it later. */
  slice(): MessageSlice {
    this.expect(LENGTH)
    if (--this.#slicesLeft < 0) throw new MalformedProtobuf('too many messages')
    const end = this.#lengthEnd()
    const slice: MessageSlice = [this.position, end]
    this.position = end
    return slice
  }

  /** Bytes left of the current message. */
  get left(): number {
    return this.limit - this.position
  }

  /** Returns to an earlier position in the current message. */
  back(at: number): void {
    this.position = at
  }

  /** Skips consecutive fields with this one-byte tag and a length. Returns their end. */
  passRun(tag: number): number {
    while (this.position < this.limit && this.bytes[this.position] === tag) {
      this.position++
      this.position = this.#lengthEnd()
    }
    return this.position
  }

  /** Whether the reader should yield to the event loop; `paused` restarts the count. */
  get isPauseDue(): boolean {
    return this.#fields >= this.#sliceEnd
  }

  /** Begins a part that is read without a pause. Throws after `maxFields` fields. */
  beginPart(maxFields: number): void {
    this.#maxFieldsOfPart = maxFields
    this.#partEnd = this.#fields + maxFields
  }

  /** Starts the next slice, after a pause. */
  paused(): void {
    this.#sliceEnd = this.#fields + FIELDS_PER_SLICE
  }

  /** Moves to a skipped message. Returns the previous place, for `goTo`. */
  goTo([start, end]: MessageSlice): MessageSlice {
    const here: MessageSlice = [this.position, this.limit]
    this.position = start
    this.limit = end
    return here
  }

  /** Reads a skipped message, then continues at the current position. */
  within(slice: MessageSlice, read: () => void): void {
    const here = this.goTo(slice)
    read()
    this.goTo(here)
  }

  /** A string, interned. */
  text(): string {
    const end = this.#lengthEnd()
    const text = this.#strings.text(this.bytes, this.position, end)
    this.position = end
    return text
  }

  /** Bytes as hex in lower case. */
  hex(): string {
    const end = this.#lengthEnd()
    const text = this.bytes.toString('hex', this.position, end)
    this.position = end
    return text
  }

  /** A view of the body's bytes; copy what outlives the body. */
  raw(): Buffer {
    const end = this.#lengthEnd()
    const raw = this.bytes.subarray(this.position, end)
    this.position = end
    return raw
  }

  /** Appends all values of a repeated number field, packed or not, to `into`. */
  repeated<T>(into: T[], scalar: number, read: () => T): void {
    if (into.length >= MAX_REPEATED) throw new MalformedProtobuf(`field ${this.field} has too many values`)
    if (this.wireType === scalar) {
      into.push(read())
      return
    }
    this.expect(LENGTH)
    const outer = this.enter()
    while (this.position < this.limit) {
      if (into.length >= MAX_REPEATED) throw new MalformedProtobuf(`field ${this.field} has too many values`)
      into.push(read())
    }
    this.leave(outer)
  }

  /** Throws when the current field has another wire type. */
  expect(wireType: number): void {
    if (this.wireType !== wireType) {
      throw new MalformedProtobuf(`field ${this.field} has wire type ${this.wireType} at byte ${this.position}`)
    }
  }

  /** Skips the current field. Unknown fields are ignored (protobuf.dev, unknown fields; OTLP). */
  skip(): void {
    this.#skip(this.field, this.wireType, 0)
  }

  #skip(field: number, wireType: number, depth: number): void {
    if (wireType === VARINT) this.uint32()
    else if (wireType === FIXED64) this.advance(8)
    else if (wireType === LENGTH) this.position = this.#lengthEnd()
    else if (wireType === FIXED32) this.advance(4)
    else if (wireType === GROUP_START && depth < MAX_GROUP_DEPTH) this.#skipGroup(field, depth + 1)
    else throw new MalformedProtobuf(`wire type ${wireType} at byte ${this.position}`)
  }

  #skipGroup(field: number, depth: number): void {
    for (;;) {
      this.#count()
      const tag = this.uint32()
      if ((tag & 7) === GROUP_END) {
        if (tag >>> 3 === field) return
        throw new MalformedProtobuf(`unexpected end of a group at byte ${this.position}`)
      }
      this.#skip(tag >>> 3, tag & 7, depth)
    }
  }

  #count(): void {
    if (++this.#fields > this.#partEnd) {
      throw new MalformedProtobuf(`a message has more than ${this.#maxFieldsOfPart} fields at byte ${this.position}`)
    }
  }

  /** Reads a length; returns the end of its bytes. */
  #lengthEnd(): number {
    const length = this.uint32()
    const end = this.position + length
    if (end > this.limit) throw new MalformedProtobuf(`a length exceeds the message at byte ${this.position}`)
    return end
  }
}
