import { isGatewayError } from '../domain/errors.js'
import type { Timers } from '../ports/timers.js'
import { addressPrefixes } from './address-prefix.js'

/** How long a refused attempt waits for its response. */
export const REFUSAL_DELAY_MS = 1_000
/** Responses delayed at once, of all networks and of one; beyond them a refusal is sent at once. */
export const MAX_DELAYED = 1_024
/** Delayed refusals of one network at a time; more are refused at once. */
export const MAX_DELAYED_PER_NETWORK = 128

/**
 * Delays the response to attempts that were refused without a password check (`rate_limited`, `overloaded`). A client
 * that sends the next attempt when it has read the response to the last one then makes one attempt a second on each
 * connection; without the delay 100 connections take a whole core for refusals alone (docs/adr/0037).
 */
export class RefusalDelay {
  readonly #timers: Timers
  readonly #delayed = new Map<string, number>()
  #total = 0

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Responses delayed now. */
  get total(): number {
    return this.#total
  }

  /** The result of `attempt`; its refusal is thrown after the delay, any other error at once. */
  async of<T>(address: string, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt()
    } catch (error) {
      if (isGatewayError(error, 'rate_limited') || isGatewayError(error, 'overloaded')) {
        await this.#delay(addressPrefixes(address).network)
      }
      throw error
    }
  }

  async #delay(network: string): Promise<void> {
    const own = this.#delayed.get(network) ?? 0
    if (this.#total >= MAX_DELAYED || own >= MAX_DELAYED_PER_NETWORK) return
    this.#total++
    this.#delayed.set(network, own + 1)
    await new Promise<void>(resolve => this.#timers.after(REFUSAL_DELAY_MS, resolve))
    this.#total--
    const left = this.#delayed.get(network)! - 1
    if (left === 0) this.#delayed.delete(network)
    else this.#delayed.set(network, left)
  }
}
