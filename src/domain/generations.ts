/** Entries used since the previous generation was full. */
interface Generation {
  readonly bytes: number
}

/**
 * A memory bounded in two generations: entries that are not used while one fills are dropped with the next. A caller that finds
 * an entry in `older` adds it to `recent` again.
 */
export class GenerationalCache<G extends Generation> {
  readonly #most: number
  readonly #begin: () => G
  recent: G
  older: G

  constructor(maxBytes: number, begin: () => G) {
    this.#most = maxBytes / 2
    this.#begin = begin
    this.recent = begin()
    this.older = begin()
  }

  /** Bytes that are in use. */
  get bytes(): number {
    return this.recent.bytes + this.older.bytes
  }

  /**
   * The generation that has room for `bytes` more; a new one if no existing one has; null if the bytes exceed a whole generation.
   */
  roomFor(bytes: number): G | null {
    if (bytes > this.#most) return null
    if (this.recent.bytes + bytes > this.#most) {
      this.older = this.recent
      this.recent = this.#begin()
    }
    return this.recent
  }
}
