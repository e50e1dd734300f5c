import { randomBytes } from 'node:crypto'
import { GenerationalCache } from '../../domain/generations.js'

const SLAB_BYTES = 64 * 1024
const WORD_BYTES = 4
const NO_BYTES = Buffer.alloc(0)
/** Memory of an entry next to its bytes and its value: the entry and its place in the map. */
const ENTRY_BYTES = 128

interface RememberedEntry<T> {
  readonly slab: Buffer
  readonly from: number
  readonly to: number
  readonly value: T
  readonly valueBytes: number
}

/** What was requested within one filling of the memory. */
class Generation<T> {
  readonly #entries = new Map<number, RememberedEntry<T>>()
  #slab = NO_BYTES
  #used = 0
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  find(hash: number, bytes: Buffer, start: number, end: number): RememberedEntry<T> | undefined {
    const entry = this.#entries.get(hash)
    if (entry === undefined || entry.to - entry.from !== end - start) return undefined
    return entry.slab.compare(bytes, start, end, entry.from, entry.to) === 0 ? entry : undefined
  }

  /** Other bytes of the same hash are forgotten; their memory counts until the generation goes. */
  keep(hash: number, source: Slice, value: T, valueBytes: number): void {
    const { bytes, start, end } = source
    const length = end - start
    if (this.#slab.length - this.#used < length) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, length))
      this.#used = 0
    }
    const from = this.#used
    bytes.copy(this.#slab, from, start, end)
    this.#used += length
    this.#entries.set(hash, { slab: this.#slab, from, to: this.#used, value, valueBytes })
    this.#bytes += sizeOf(length, valueBytes)
  }
}

interface Slice {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/**
 * Values found again by the very bytes that they were made of: bytes are compared, a hash only finds them. Bounded by
 * `GenerationalCache`.
 */
export class RememberedBytes<T> {
  // The engine's map hashes whole numbers in a way that everybody knows: senders could fill one chain of it with all they send.
  readonly #seed: number
  readonly #generations: GenerationalCache<Generation<T>>

  /** `maxBytes` bounds keys, values as `keep` states their size, and entries; `seed` must be unpredictable. */
  constructor(maxBytes: number, seed = randomBytes(4).readInt32LE()) {
    this.#generations = new GenerationalCache(maxBytes, () => new Generation<T>())
    this.#seed = seed
  }

  /** Bytes that are in use. */
  get bytes(): number {
    return this.#generations.bytes
  }

  /** The value that was kept for the bytes of `[start, end)`. */
  find(bytes: Buffer, start: number, end: number): T | undefined {
    const hash = hashOf(bytes, start, end, this.#seed)
    const recent = this.#generations.recent.find(hash, bytes, start, end)
    if (recent !== undefined) return recent.value
    const older = this.#generations.older.find(hash, bytes, start, end)
    if (older === undefined) return undefined
    this.#keep(hash, { bytes, start, end }, older.value, older.valueBytes)
    return older.value
  }

  /** Keeps the value of the bytes, which are copied; `valueBytes` is the memory that the value takes. */
  keep(bytes: Buffer, start: number, end: number, value: T, valueBytes: number): void {
    this.#keep(hashOf(bytes, start, end, this.#seed), { bytes, start, end }, value, valueBytes)
  }

  #keep(hash: number, slice: Slice, value: T, valueBytes: number): void {
    this.#generations.roomFor(sizeOf(slice.end - slice.start, valueBytes))?.keep(hash, slice, value, valueBytes)
  }
}

function sizeOf(length: number, valueBytes: number): number {
  return ENTRY_BYTES + length + valueBytes
}

/** A 32-bit integer; senders may choose bytes of equal hash, which then only forget each other. */
function hashOf(bytes: Buffer, start: number, end: number, seed: number): number {
  let hash = seed ^ (end - start)
  let at = start
  for (; at + WORD_BYTES <= end; at += WORD_BYTES) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    hash = Math.imul(hash ^ word, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash ^ (hash >>> 13)
}
