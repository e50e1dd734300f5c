import type { Clock } from '../ports/clock.js'
import type { FairScheduler } from './fair-scheduler.js'

/** Work that one computation does before it yields to the event loop. */
export const MAX_SLICE_MS = 10
/** Records between two looks at the clock, which costs a tenth of what a small record costs. */
export const RECORDS_PER_LOOK = 4

/** Cuts one computation into slices by time: a record costs between a microsecond and two milliseconds. The first has begun. */
export class TimedSlices {
  readonly #scheduler: Pick<FairScheduler, 'next'>
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #startedMs: number
  #records = 0

  constructor(scheduler: Pick<FairScheduler, 'next'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#scheduler = scheduler
    this.#clock = clock
    this.#startedMs = clock.monotonicMs()
  }

  /** Resolves when the next slice may run, and starts it. */
  async next(): Promise<void> {
    await this.#scheduler.next()
    this.#startedMs = this.#clock.monotonicMs()
  }

  /** Whether the slice has used up its time; called before each record. */
  isOver(): boolean {
    return this.#records++ % RECORDS_PER_LOOK === 0 && this.#clock.monotonicMs() - this.#startedMs >= MAX_SLICE_MS
  }
}
