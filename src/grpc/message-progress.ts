import { GatewayError } from '../domain/errors.js'
import { MIN_PROGRESS_BYTES, PROGRESS_PERIOD_MS } from '../http/body-collection.js'
import type { Timers } from '../ports/timers.js'

function tooSlow(): GatewayError {
  const detail = `the message received less than ${MIN_PROGRESS_BYTES} bytes in ${PROGRESS_PERIOD_MS / 1_000} s; send it faster`
  return new GatewayError('request_timeout', detail)
}

/** Ends a message that arrives too slowly, by the rule for bodies over HTTP; not while this side holds it back. */
export class MessageProgress {
  readonly #timers: Timers
  readonly #end: (error: GatewayError) => void
  #bytes = 0
  #holds = 0
  #cancel: () => void = () => undefined

  constructor(timers: Timers, end: (error: GatewayError) => void) {
    this.#timers = timers
    this.#end = end
    this.#watch()
  }

  arrived(bytes: number): void {
    this.#bytes += bytes
  }

  /** Runs work for which the message is not read meanwhile. */
  async holding<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++
    try {
      return await work()
    } finally {
      // Counts as progress: the period in which the message was held back ends no message.
      this.#bytes += MIN_PROGRESS_BYTES
      this.#holds--
    }
  }

  /** The message has arrived, or its sender has gone. */
  stop(): void {
    this.#cancel()
  }

  #watch(): void {
    this.#bytes = 0
    this.#cancel = this.#timers.after(PROGRESS_PERIOD_MS, () => {
      if (this.#holds === 0 && this.#bytes < MIN_PROGRESS_BYTES) this.#end(tooSlow())
      else this.#watch()
    })
  }
}
