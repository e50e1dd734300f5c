const SLOTS = 12
const SLOT_MS = 5_000
const MS_PER_S = 1_000

/** How much came a second, over the last minute. */
export class RecentRate {
  readonly #counts = new Float64Array(SLOTS)
  #slot = 0

  /** `nowMs`: Unix milliseconds. */
  add(nowMs: number, count: number): void {
    this.#counts[this.#at(nowMs)]! += count
  }

  perSecond(nowMs: number): number {
    this.#at(nowMs)
    return this.#counts.reduce((sum, count) => sum + count, 0) / ((SLOTS * SLOT_MS) / MS_PER_S)
  }

  /** Empties the slots that have passed since and returns the index of the present one. */
  #at(nowMs: number): number {
    const slot = Math.floor(nowMs / SLOT_MS)
    for (let i = Math.max(this.#slot + 1, slot - SLOTS + 1); i <= slot; i++) this.#counts[i % SLOTS] = 0
    // After the clock was set back, counts go to the latest slot.
    this.#slot = Math.max(this.#slot, slot)
    return this.#slot % SLOTS
  }
}
