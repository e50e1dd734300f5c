import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Yields to the event loop between the steps of one long piece of work. */
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
