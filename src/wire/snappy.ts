// Blocks of snappy (github.com/google/snappy, format_description.txt), uncompressed in steps.

/** The bytes are not block of snappy. */
export class BrokenSnappy extends Error {}

/** The block states that it is larger than may be. */
export class SnappyTooLarge extends Error {}

const LITERAL = 0
const COPY_1 = 1
const COPY_2 = 2
/** Literals of more bytes than these have their length behind the tag. */
const SHORT_LITERAL = 60
/** What is shorter is copied byte by byte. */
const LONG_COPY = 24
/** Bytes that are made between two yields to the event loop, each element counting for some more. */
const BYTES_AT_ONCE = 512 * 1024
const ELEMENT_WORK = 8
const MAX_LENGTH_BYTES = 5

/** The bytes of a block, in steps, and the event loop runs in between. Throws `BrokenSnappy`, `SnappyTooLarge`. */
export function* uncompressSnappy(block: Buffer, maxBytes: number): Generator<void, Buffer> {
  const { length, at } = readLength(block)
  if (length > maxBytes) throw new SnappyTooLarge(`the block decompresses to ${length} bytes`)
  const out = new Output(block, length, at)
  for (let due = BYTES_AT_ONCE; !out.isAtEnd; due -= ELEMENT_WORK) {
    due -= out.element()
    if (due > 0) continue
    yield
    due = BYTES_AT_ONCE
  }
  return out.finish()
}

/** How many bytes a block states that it makes. Throws `BrokenSnappy`. */
export function snappyLength(block: Buffer): number {
  return readLength(block).length
}

function readLength(block: Buffer): { readonly length: number; readonly at: number } {
  let length = 0
  for (let at = 0; at < Math.min(block.length, MAX_LENGTH_BYTES); at++) {
    const byte = block[at]!
    length += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return { length, at: at + 1 }
  }
  throw new BrokenSnappy('the block has no length')
}

class Output {
  readonly #block: Buffer
  readonly #bytes: Buffer
  #from: number
  #to = 0

  constructor(block: Buffer, length: number, at: number) {
    this.#block = block
    this.#bytes = Buffer.allocUnsafe(length)
    this.#from = at
  }

  get isAtEnd(): boolean {
    return this.#from >= this.#block.length
  }

  /** Reads one element; returns how many bytes it made. */
  element(): number {
    const tag = this.#block[this.#from++]!
    switch (tag & 3) {
      case LITERAL:
        return this.#literal(tag >>> 2)
      case COPY_1:
        return this.#copy(((tag >>> 2) & 7) + 4, ((tag >>> 5) << 8) | this.#number(1))
      case COPY_2:
        return this.#copy((tag >>> 2) + 1, this.#number(2))
      default:
        return this.#copy((tag >>> 2) + 1, this.#number(4))
    }
  }

  /** All of the bytes, which must be as many as were announced. */
  finish(): Buffer {
    if (this.#to !== this.#bytes.length) throw new BrokenSnappy('the block is truncated')
    return this.#bytes
  }

  #number(bytes: number): number {
    const at = this.#from
    if (at + bytes > this.#block.length) throw new BrokenSnappy('the block ends within an element')
    this.#from += bytes
    return this.#block.readUIntLE(at, bytes)
  }

  #literal(size: number): number {
    const length = (size < SHORT_LITERAL ? size : this.#number(size - SHORT_LITERAL + 1)) + 1
    const [block, from] = [this.#block, this.#from]
    if (from + length > block.length) throw new BrokenSnappy('the block ends within a literal')
    this.#makeRoom(length)
    if (length >= LONG_COPY) block.copy(this.#bytes, this.#to, from, from + length)
    else for (let i = 0; i < length; i++) this.#bytes[this.#to + i] = block[from + i]!
    this.#from += length
    this.#to += length
    return length
  }

  /** What is copied may overlap what it makes: then it repeats itself. */
  #copy(length: number, offset: number): number {
    const [bytes, to] = [this.#bytes, this.#to]
    if (offset === 0 || offset > to) throw new BrokenSnappy('a copy of the block starts before its first byte')
    this.#makeRoom(length)
    if (length >= LONG_COPY && offset >= length) bytes.copyWithin(to, to - offset, to - offset + length)
    else for (let i = 0; i < length; i++) bytes[to + i] = bytes[to + i - offset]!
    this.#to += length
    return length
  }

  #makeRoom(length: number): void {
    if (this.#to + length > this.#bytes.length) throw new BrokenSnappy('the block exceeds its declared size')
  }
}
