/** Bytes of UTF-8 that one unit of a string may take. */
const UNIT_BYTES = 3
/** Units that are encoded at once: a call for each record costs as much as the record. */
const UNITS_AT_ONCE = 8 * 1024

/** JSON that is written piece by piece into one buffer: a string of all of it would be garbage of a megabyte a batch. */
export class JsonBytes {
  #buffer: Buffer
  #length = 0
  #text = ''

  /** @param bytes that are expected; there may be more. */
  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes)
  }

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= UNITS_AT_ONCE) this.#encode()
  }

  /** All that was added. */
  bytes(): Buffer {
    this.#encode()
    return this.#buffer.subarray(0, this.#length)
  }

  #encode(): void {
    const most = this.#length + this.#text.length * UNIT_BYTES
    if (most > this.#buffer.length) this.#grow(most)
    this.#length += this.#buffer.write(this.#text, this.#length)
    this.#text = ''
  }

  #grow(most: number): void {
    const buffer = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, most))
    this.#buffer.copy(buffer, 0, 0, this.#length)
    this.#buffer = buffer
  }
}
