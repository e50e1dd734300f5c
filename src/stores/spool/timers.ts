import type { Timers } from '../../ports/timers.js'

/** Timers that can all be fired early, to end their waiters. */
export class CutTimers implements Timers {
  readonly #timers: Timers
  readonly #pending = new Set<() => void>()
  #isCut = false

  constructor(timers: Timers) {
    this.#timers = timers
  }

  after(ms: number, run: () => void): () => void {
    const fire = (): void => {
      forget()
      run()
    }
    const cancel = this.#timers.after(this.#isCut ? 0 : ms, fire)
    const forget = (): void => {
      cancel()
      this.#pending.delete(fire)
    }
    this.#pending.add(fire)
    return forget
  }

  /** Lets everything off now. */
  cut(): void {
    this.#isCut = true
    for (const fire of [...this.#pending]) fire()
  }
}
