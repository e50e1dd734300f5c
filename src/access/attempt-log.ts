import type { Clock } from '../ports/clock.js'

/** Bounds of an `AttemptLog`. */
export interface AttemptBounds {
  /** How long an attempt counts. */
  readonly windowMs: number
  /** Keys remembered at most. */
  readonly keys: number
}

/**
 * Remembers when each key made attempts within a sliding window. When it is full, keys with a single attempt are
 * forgotten first, oldest first: invented keys cannot push out the one that an attacker is limited by.
 */
export class AttemptLog {
  readonly #clock: Clock
  readonly #bounds: AttemptBounds
  // Both in order of the last attempt.
  readonly #single = new Map<string, readonly number[]>()
  readonly #repeated = new Map<string, readonly number[]>()

  constructor(clock: Clock, bounds: AttemptBounds) {
    this.#clock = clock
    this.#bounds = bounds
  }

  /** Keys remembered now. */
  get size(): number {
    return this.#single.size + this.#repeated.size
  }

  /** Times of the key's attempts that are younger than `withinMs`, oldest first, on the monotonic clock. */
  recent(key: string, withinMs = this.#bounds.windowMs): readonly number[] {
    const now = this.#clock.monotonicMs()
    const times = this.#single.get(key) ?? this.#repeated.get(key) ?? []
    return times.filter(at => now - at < withinMs)
  }

  /** Counts an attempt now; the function takes it back. */
  add(key: string): () => void {
    const now = this.#clock.monotonicMs()
    this.#set(key, [...this.recent(key), now])
    return () => this.#remove(key, now)
  }

  #remove(key: string, at: number): void {
    const times = [...this.recent(key)]
    const index = times.indexOf(at)
    if (index !== -1) this.#set(key, times.toSpliced(index, 1))
  }

  #set(key: string, times: readonly number[]): void {
    this.#single.delete(key)
    this.#repeated.delete(key)
    if (times.length === 0) return
    if (this.size >= this.#bounds.keys) this.#forgetOne()
    if (times.length === 1) this.#single.set(key, times)
    else this.#repeated.set(key, times)
  }

  #forgetOne(): void {
    for (const keys of [this.#single, this.#repeated]) {
      for (const key of keys.keys()) {
        keys.delete(key)
        return
      }
    }
  }
}
