// The compact protocol of Thrift (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md), as far as Parquet needs it.

const TRUE = 1
const FALSE = 2
const I32 = 5
const I64 = 6
const BINARY = 8
const LIST = 9
const STRUCT = 12
/** Lists with fewer elements have their length in the first byte. */
const SHORT_LIST = 15
const MAX_DELTA = 15

/** Writes one member, whose id the caller has written. */
type WriteElement<T> = (writer: ThriftWriter, element: T) => void

/** Writes one struct; members must come with ascending ids. */
export class ThriftWriter {
  readonly #bytes: number[] = []
  #lastId = 0

  /** A whole number of 32 bits. */
  i32(id: number, value: number): this {
    this.#header(id, I32)
    this.#zigzag(BigInt(value))
    return this
  }

  /** A whole number of 64 bits. */
  i64(id: number, value: number): this {
    this.#header(id, I64)
    this.#zigzag(BigInt(value))
    return this
  }

  boolean(id: number, value: boolean): this {
    this.#header(id, value ? TRUE : FALSE)
    return this
  }

  string(id: number, value: string): this {
    this.#header(id, BINARY)
    this.#binary(value)
    return this
  }

  struct(id: number, write: (writer: ThriftWriter) => void): this {
    this.#header(id, STRUCT)
    this.#struct(write)
    return this
  }

  structs<T>(id: number, elements: readonly T[], write: WriteElement<T>): this {
    return this.#list(id, STRUCT, elements, (writer, element) => writer.#struct(inner => write(inner, element)))
  }

  strings(id: number, elements: readonly string[]): this {
    return this.#list(id, BINARY, elements, (writer, element) => writer.#binary(element))
  }

  i32s(id: number, elements: readonly number[]): this {
    return this.#list(id, I32, elements, (writer, element) => writer.#zigzag(BigInt(element)))
  }

  /** The struct, ended. */
  finish(): Buffer {
    return Buffer.from([...this.#bytes, 0])
  }

  #list<T>(id: number, type: number, elements: readonly T[], write: WriteElement<T>): this {
    this.#header(id, LIST)
    if (elements.length < SHORT_LIST) this.#bytes.push((elements.length << 4) | type)
    else {
      this.#bytes.push(0xf0 | type)
      this.#varint(BigInt(elements.length))
    }
    for (const element of elements) write(this, element)
    return this
  }

  #struct(write: (writer: ThriftWriter) => void): void {
    const outer = this.#lastId
    this.#lastId = 0
    write(this)
    this.#bytes.push(0)
    this.#lastId = outer
  }

  #header(id: number, type: number): void {
    const delta = id - this.#lastId
    if (delta < 1 || delta > MAX_DELTA) throw new RangeError(`member ${id} of Thrift behind ${this.#lastId}`)
    this.#bytes.push((delta << 4) | type)
    this.#lastId = id
  }

  #binary(text: string): void {
    const bytes = Buffer.from(text)
    this.#varint(BigInt(bytes.length))
    for (const byte of bytes) this.#bytes.push(byte)
  }

  #zigzag(value: bigint): void {
    this.#varint(value < 0n ? -2n * value - 1n : 2n * value)
  }

  #varint(value: bigint): void {
    let rest = value
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes.push(Number(rest & 0x7fn) | 0x80)
    this.#bytes.push(Number(rest))
  }
}
