import { resultTooLarge } from './promql-error.js'

const FIRST_CAPACITY = 64 * 1024
/** UTF-8 takes at most this many bytes for a unit of UTF-16. */
const MAX_UTF8_PER_UNIT = 3

/** A growing text of bytes with a bound. */
export class JsonBytes {
  readonly #maxBytes: number
  #bytes = Buffer.from(new ArrayBuffer(FIRST_CAPACITY))
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds text that is known to be ASCII. Throws `PromqlExecutionError` beyond the bound. */
  ascii(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  /** Adds any text; fails like `ascii`. */
  text(text: string): void {
    this.#reserve(text.length * MAX_UTF8_PER_UNIT)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
  }

  /** All that was added, in memory of its own. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer, 0, this.#length)
  }

  #reserve(more: number): void {
    const requested = this.#length + more
    if (requested > this.#maxBytes) throw resultTooLarge(this.#maxBytes)
    if (requested <= this.#bytes.length) return
    const larger = Buffer.from(new ArrayBuffer(Math.max(requested, this.#bytes.length * 2)))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
