import { setTimeout as wait } from 'node:timers/promises'

/** The longest time of a timer. */
const FOREVER_MS = 2 ** 31 - 1

/** Takes values as they come, one at a time, and waits for each a limited time. The first one is requested at once. */
export class Arrivals<Value> {
  readonly #values: AsyncIterator<Value>
  /** The value that is waited for. */
  #next: Promise<IteratorResult<Value>> | null
  #isHere = false
  /** Called when the value is there. */
  #arrived: () => void = () => undefined

  constructor(values: AsyncIterable<Value>) {
    this.#values = values[Symbol.asyncIterator]()
    this.#next = this.#request()
  }

  /**
   * The next value; `late` when it did not come within the time: it is waited for by the next call. Rejects as the values do
   * and when the signal comes first. @param ms null: forever.
   */
  async next(ms: number | null, signal: AbortSignal): Promise<IteratorResult<Value> | 'late'> {
    const next = (this.#next ??= this.#request())
    if (!this.#isHere && !(await this.#comes(ms ?? FOREVER_MS, signal))) return 'late'
    this.#next = null
    return next
  }

  #request(): Promise<IteratorResult<Value>> {
    this.#isHere = false
    const next = this.#values.next()
    // Once for each value: what waits on a promise stays in memory until the promise is settled.
    const here = (): void => {
      this.#isHere = true
      this.#arrived()
    }
    next.then(here, here)
    return next
  }

  /** Whether the value comes within the time. */
  async #comes(ms: number, signal: AbortSignal): Promise<boolean> {
    const arrived = new AbortController()
    this.#arrived = () => arrived.abort()
    try {
      await wait(ms, undefined, { signal: AbortSignal.any([signal, arrived.signal]) })
      return this.#isHere
    } catch (error) {
      if (this.#isHere) return true
      throw error
    }
  }
}
