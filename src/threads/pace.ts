import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Lets the event loop go on between the steps of one piece of work, which may have many. */
export class Pace {
  readonly #stepsAtOnce: number
  readonly #signal: AbortSignal | undefined
  #steps = 0

  /** @param stepsAtOnce what takes a few milliseconds. */
  constructor(stepsAtOnce: number, signal?: AbortSignal) {
    this.#stepsAtOnce = stepsAtOnce
    this.#signal = signal
  }

  /** Counts steps; true when it is time to `rest`. */
  isDue(steps = 1): boolean {
    this.#steps += steps
    return this.#steps >= this.#stepsAtOnce
  }

  /** Throws the reason of an abort. */
  async rest(): Promise<void> {
    this.#steps = 0
    await yieldToEventLoop()
    this.#signal?.throwIfAborted()
  }
}
