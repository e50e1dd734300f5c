import { GatewayError } from '../domain/errors.js'

const RETRY_AFTER_S = 1
/** Parsing so many bytes of the worst JSON there is takes about 10 ms. */
export const AT_ONCE_BYTES = 256 * 1024

/**
 * Shares the event loop among large bodies: each of them works one slice and waits for its next turn, and at most one
 * slice runs per turn of the loop, however many bodies there are. What is in work is bounded in bytes.
 */
export class Turns {
  readonly #maxBytes: number
  #bytes = 0
  #waiting: (() => void)[] = []
  #isScheduled = false
  /** Of bodies that were let in at once in this turn of the event loop. */
  #atOnceBytes = 0
  #small: { readonly bytes: number; readonly resolve: () => void }[] = []

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

  /** Null when a body that is worked on in one go may be now; else resolves when it may: in each turn of the loop some may. */
  admit(bytes: number): Promise<void> | null {
    if (this.#small.length === 0 && this.#takeAtOnce(bytes)) return null
    return new Promise(resolve => {
      this.#small.push({ bytes, resolve })
      this.#schedule()
    })
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

  #takeAtOnce(bytes: number): boolean {
    if (this.#atOnceBytes > 0 && this.#atOnceBytes + bytes > AT_ONCE_BYTES) return false
    this.#atOnceBytes += bytes
    this.#schedule()
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#atOnceBytes = 0
      this.#waiting.shift()?.()
      while (this.#small.length > 0 && this.#takeAtOnce(this.#small[0]!.bytes)) this.#small.shift()!.resolve()
      if (this.#waiting.length > 0 || this.#small.length > 0) this.#schedule()
    })
  }
}
