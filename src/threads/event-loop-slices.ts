/** Shares the event loop among long computations: each runs one slice, and at most one slice runs in one iteration of the loop. */
export class EventLoopSlices {
  readonly #waiting: (() => void)[] = []
  #isScheduled = false

  /** Resolves when the caller may run its next slice; first come, first served. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  /** Runs a computation to its end, one slice per step. Throws the reason of an abort. */
  async run<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      await this.next()
      signal?.throwIfAborted()
      const step = steps.next()
      if (step.done === true) return step.value
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
