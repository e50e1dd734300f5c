import type { Clock } from '../ports/clock.js'

/** Milliseconds after which a slice ends with its step: a request of another caller passes the event loop some ten times. */
const SLICE_MS = 2

/** Shares the event loop among long computations: each runs one slice, and at most one slice runs in one iteration of the loop. */
export class EventLoopSlices {
  readonly #waiting: (() => void)[] = []
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #isScheduled = false

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Resolves when the caller may run its next slice; first come, first served. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  /** Runs a computation to its end, as many steps in a slice as begin within `SLICE_MS`. Throws the reason of an abort. */
  async run<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      await this.next()
      signal?.throwIfAborted()
      const endMs = this.#clock.monotonicMs() + SLICE_MS
      do {
        const step = steps.next()
        if (step.done === true) return step.value
      } while (this.#clock.monotonicMs() < endMs)
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#waiting.shift()?.()
      this.#schedule()
    })
  }
}
