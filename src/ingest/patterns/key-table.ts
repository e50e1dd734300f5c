const FIRST_SIZE = 64
/** Share of the slots that may be taken, in eighths. */
const FULL_EIGHTHS = 5

/**
 * A map from whole numbers of 53 bits to whole numbers from 0 to 2^31 - 2, in two arrays: a third of the memory of a `Map`.
 * Entries are never removed.
 */
export class KeyTable {
  #keys = new Float64Array(FIRST_SIZE)
  /** Value + 1; 0 is a free slot. */
  #values = new Int32Array(FIRST_SIZE)
  #size = 0
  readonly #seed: number

  /** `seed` chooses the slots, so that no sender can choose messages whose keys take one slot. */
  constructor(seed = 0) {
    this.#seed = seed
  }

  get size(): number {
    return this.#size
  }

  /** The value of a key; -1 when it has none. */
  get(key: number): number {
    return this.#values[this.#slot(key)]! - 1
  }

  set(key: number, value: number): void {
    const slot = this.#slot(key)
    if (this.#values[slot] === 0) {
      this.#keys[slot] = key
      this.#size++
    }
    this.#values[slot] = value + 1
    if (this.#size * 8 > this.#keys.length * FULL_EIGHTHS) this.#grow()
  }

  /** The slot of a key, or the free one that it would take. */
  #slot(key: number): number {
    const mask = this.#keys.length - 1
    let hash = Math.imul(Math.floor(key / 0x200000) ^ this.#seed, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15) ^ (key % 0x200000), 0xc2b2ae35)
    let slot = (hash ^ (hash >>> 16)) & mask
    while (this.#values[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const keys = this.#keys
    const values = this.#values
    this.#keys = new Float64Array(keys.length * 2)
    this.#values = new Int32Array(keys.length * 2)
    for (let i = 0; i < keys.length; i++) {
      if (values[i] === 0) continue
      const slot = this.#slot(keys[i]!)
      this.#keys[slot] = keys[i]!
      this.#values[slot] = values[i]!
    }
  }
}
