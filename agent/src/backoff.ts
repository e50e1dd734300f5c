import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './clock.js'

const LONGEST_WAIT_MS = 60_000
/** An attempt that lasted so long did not fail at once. */
const STEADY_MS = 60_000

/** Time between attempts: doubled up to a minute while they fail at once, and the first one again after one that lasted. */
export class Backoff {
  readonly #clock: Clock
  readonly #firstMs: number
  #failures = 0
  #beganMs = 0

  /** @param firstMs after the first attempt that failed. */
  constructor(clock: Clock, firstMs: number) {
    this.#clock = clock
    this.#firstMs = firstMs
  }

  /** An attempt begins. */
  begin(): void {
    this.#beganMs = this.#clock.elapsedMs()
  }

  /** The attempt has ended. Returns the milliseconds to wait before the next one. */
  end(): number {
    if (this.#clock.elapsedMs() - this.#beganMs >= STEADY_MS) this.#failures = 0
    return Math.min(this.#firstMs * 2 ** this.#failures++, LONGEST_WAIT_MS)
  }

  /** As `end`, and waits; not longer than until the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    // It rejects at the signal only.
    await wait(this.end(), undefined, { signal }).catch(() => undefined)
  }
}
