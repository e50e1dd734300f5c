import { GatewayError } from '../../domain/errors.js'

const RETRY_AFTER_S = 1

/** Lets one in at a time, in the order of coming, and at most so many wait. */
export class LockQueue {
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** Resolves when it is the caller's turn, who gives it back by `release`. `overloaded` when too many wait. */
  take(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return Promise.resolve()
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      const tooMany = 'too many requests are queued for the control database'
      return Promise.reject(new GatewayError('overloaded', tooMany, { retryAfterS: RETRY_AFTER_S }))
    }
    return this.wait()
  }

  /** As `take`, however many wait. */
  wait(): Promise<void> {
    if (!this.#isTaken) return this.take()
    return new Promise(resolve => {
      this.#waiting.push(resolve)
    })
  }

  /** Lets the next in. */
  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }
}
