import type { Clock } from '../ports/clock.js'
import { BoundedMap } from '../threads/bounded-map.js'

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
  readonly #single: BoundedMap<string, readonly number[]>
  readonly #repeated: BoundedMap<string, readonly number[]>

  constructor(clock: Clock, bounds: AttemptBounds) {
    this.#clock = clock
    this.#bounds = bounds
    this.#single = new BoundedMap(bounds.keys)
    this.#repeated = new BoundedMap(bounds.keys)
  }

  /** Keys remembered now. */
  get size(): number {
    return this.#single.size + this.#repeated.size
  }

  /** Times of the key's attempts that are younger than `withinMs`, oldest first, on the monotonic clock. */
  recent(key: string, withinMs = this.#bounds.windowMs): readonly number[] {
    const now = this.#clock.monotonicMs()
    const times = this.#single.peek(key) ?? this.#repeated.peek(key) ?? []
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
    if (this.size >= this.#bounds.keys && this.#single.pop() === undefined) this.#repeated.pop()
    if (times.length === 1) this.#single.set(key, times)
    else this.#repeated.set(key, times)
  }
}
