import { GatewayError } from '../domain/errors.js'

const RETRY_AFTER_S = 1

/**
 * Shares the event loop among large bodies: each of them works one slice and waits for its next turn, and at most one
 * slice runs per turn of the loop, however many bodies there are. What is in work is bounded in bytes.
 */
export class Turns {
  readonly #maxBytes: number
  #bytes = 0
  #waiting: (() => void)[] = []
  #isScheduled = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Runs the work of one large body; `overloaded` when too much is in work already. */
  async run<T>(sizeBytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#bytes + sizeBytes > this.#maxBytes) {
      throw new GatewayError('overloaded', 'too many large bodies are in work', { retryAfterS: RETRY_AFTER_S })
    }
    this.#bytes += sizeBytes
    try {
      return await work()
    } finally {
      this.#bytes -= sizeBytes
    }
  }

  /** Resolves when the next slice may run. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  /** Runs steps to their end, each in a turn of its own. */
  async through<T>(steps: Generator<void, T>): Promise<T> {
    let step = steps.next()
    while (!step.done) {
      await this.next()
      step = steps.next()
    }
    return step.value
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
