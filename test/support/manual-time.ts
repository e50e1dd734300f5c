import type { Clock } from '../../src/ports/clock.js'

const NS_PER_MS = 1_000_000n

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/** A clock that moves only when a test moves it, and timers that follow it. */
export class ManualTime implements Clock {
  #nowMs: number
  readonly #startMs: number
  readonly #timers = new Set<Timer>()
  #onSet: (() => void)[] = []

  constructor(startMs = 1_763_700_000_000) {
    this.#startMs = startMs
    this.#nowMs = startMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  nowNs(): bigint {
    return BigInt(this.#nowMs) * NS_PER_MS
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs
  }

  after(ms: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, run }
    this.#timers.add(timer)
    for (const notify of this.#onSet.splice(0)) notify()
    return () => this.#timers.delete(timer)
  }

  /** Resolves when there is a timer that falls due in exactly `ms`. */
  async dueIn(ms: number): Promise<void> {
    const isSet = (): boolean => [...this.#timers].some(({ atMs }) => atMs === this.#nowMs + ms)
    while (!isSet()) await new Promise<void>(resolve => this.#onSet.push(resolve))
  }

  /** Lets `ms` pass; what falls due runs in order, at its time. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)
      if (!next) break
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
    }
    this.#nowMs = endMs
  }
}
