/** The index of an id that is not in the list. */
export const NOWHERE = 0xffffffff

/** Places of ids in a list, found by their words: a BigInt for each row would cost more than the rest of the reading. */
export class SeriesPlaces {
  readonly #byHigh = new Map<number, Map<number, number>>()
  #low = 0
  #lows: ReadonlyMap<number, number> | undefined
  #high: number | null = null
  #place = NOWHERE

  constructor(ids: readonly bigint[]) {
    const words = new Uint32Array(BigInt64Array.from(ids).buffer)
    for (let i = 0; i < ids.length; i++) {
      const high = words[2 * i + 1]!
      const lows = this.#byHigh.get(high) ?? new Map<number, number>()
      this.#byHigh.set(high, lows.set(words[2 * i]!, i))
    }
  }

  /** The place of an id, or `NOWHERE`; rows of a series often follow each other. */
  of(low: number, high: number): number {
    if (low === this.#low && high === this.#high) return this.#place
    if (high !== this.#high) this.#lows = this.#byHigh.get(high)
    this.#low = low
    this.#high = high
    return (this.#place = this.#lows?.get(low) ?? NOWHERE)
  }
}
