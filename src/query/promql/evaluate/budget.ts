import { PromqlExecutionError } from '../promql-error.js'

const SAMPLES_PER_LOOK = 1_000_000

/** Bounds one evaluation: the values that all of its nodes make together, and its time. */
export class Budget {
  readonly #maxValues: number
  readonly #signal: AbortSignal
  readonly #isLate: () => boolean
  #values = 0
  #work = 0

  /** `isLate` tells whether the time is up: evaluation holds the thread, so no timer can. */
  constructor(maxValues: number, signal: AbortSignal, isLate: () => boolean) {
    this.#maxValues = maxValues
    this.#signal = signal
    this.#isLate = isLate
  }

  /** Counts values that are about to be made. */
  take(count: number): void {
    this.#values += count
    if (this.#values <= this.#maxValues) return
    throw new PromqlExecutionError(
      `the query would compute more than ${this.#maxValues} values: choose a longer step or fewer series`
    )
  }

  /** Counts samples that are looked at, and now and then looks at the clock. */
  work(samples: number): void {
    this.#work += samples
    if (this.#work < SAMPLES_PER_LOOK) return
    this.#work = 0
    this.check()
  }

  /** Throws when nobody waits for the answer any longer. */
  check(): void {
    this.#signal.throwIfAborted()
    if (this.#isLate()) throw new PromqlTimeout()
  }
}

/** The time of a query is up; Prometheus's `errorType` "timeout". */
export class PromqlTimeout extends Error {
  constructor() {
    super('query timed out in expression evaluation')
  }
}
