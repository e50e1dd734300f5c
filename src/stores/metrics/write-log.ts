interface Write {
  readonly version: number
  readonly lowNs: bigint
}

const MAX_WRITES = 4_096

/**
 * The times of a namespace that were written, by the time of the write: enough to determine which part of an earlier read is valid.
 */
export class WriteLog {
  /** Both ascend: a write that reaches further back replaces all before it. */
  readonly #writes: Write[] = []
  #version = 0
  #oldestKnown = 0

  /** Rises with every write. */
  get version(): number {
    return this.#version
  }

  /** Something was written at this time and perhaps later ones. */
  wrote(lowNs: bigint): void {
    const version = ++this.#version
    while (this.#writes.length > 0 && this.#writes.at(-1)!.lowNs >= lowNs) this.#writes.pop()
    this.#writes.push({ version, lowNs })
    if (this.#writes.length <= MAX_WRITES) return
    const gone = this.#writes.splice(0, MAX_WRITES / 2)
    this.#oldestKnown = gone.at(-1)!.version
  }

  /** Anything may have changed. */
  forget(): void {
    this.#oldestKnown = ++this.#version
    this.#writes.length = 0
  }

  /** The earliest time written after a version; null when none was, `unknown` when that is forgotten. */
  earliestSince(version: number): bigint | null | 'unknown' {
    if (version < this.#oldestKnown) return 'unknown'
    let low = 0
    let high = this.#writes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#writes[middle]!.version > version) high = middle
      else low = middle + 1
    }
    return this.#writes[low]?.lowNs ?? null
  }
}
