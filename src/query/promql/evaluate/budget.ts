import { PromqlExecutionError } from '../promql-error.js'

/** A look at the shared words costs a microsecond, looking at so many samples about one millisecond, adding up so many buckets of histograms 25. */
const SAMPLES_PER_LOOK = 25_000

/** Why an evaluation ends early: its caller has gone, or its time is up. */
export type Stop = 'cancelled' | 'late'

/** The part of a budget that the evaluation of one node needs. */
export type Bounds = Pick<Budget, 'take' | 'work'>

/** Bounds one evaluation: the values that all of its nodes make together, and its time. */
export class Budget {
  readonly #maxValues: number
  readonly #stop: () => Stop | null
  #values = 0
  #work = 0

  /** `stop` is called now and then: an evaluation blocks its thread, so nothing can interrupt it. */
  constructor(maxValues: number, stop: () => Stop | null) {
    this.#maxValues = maxValues
    this.#stop = stop
  }

  /** Counts values that are about to be made. */
  take(count: number): void {
    this.#values += count
    this.work(count)
    if (this.#values <= this.#maxValues) return
    throw new PromqlExecutionError(
      `the query exceeds the limit of ${this.#maxValues} computed values; use a longer step or fewer series`
    )
  }

  /** Counts samples that are looked at, and now and then looks whether to go on. */
  work(samples: number): void {
    this.#work += samples
    if (this.#work < SAMPLES_PER_LOOK) return
    this.#work = 0
    this.check()
  }

  /** Throws when the caller has left. */
  check(): void {
    const stop = this.#stop()
    if (stop === 'late') throw new PromqlTimeout()
    if (stop === 'cancelled') throw new PromqlCancelled()
  }
}

/** The time of a query is up; Prometheus's `errorType` "timeout". */
export class PromqlTimeout extends Error {
  constructor() {
    super('query timed out in expression evaluation')
  }
}

/** The caller has left; Prometheus's `errorType` "canceled". */
export class PromqlCancelled extends Error {
  constructor() {
    super('query was canceled in expression evaluation')
  }
}
