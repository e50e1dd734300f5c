/** Bytes of lines that were read and are not stored yet, over all streams. */
export class BufferedLines {
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether streams must wait before they read more. */
  get isFull(): boolean {
    return this.#bytes >= this.#maxBytes
  }

  /** The share of one stream changed. */
  change(fromBytes: number, toBytes: number): void {
    this.#bytes += toBytes - fromBytes
  }
}
