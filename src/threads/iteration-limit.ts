/** Bounds of an iteration of the event loop. */
export interface IterationBounds {
  /** What it does of this work, about; it takes a few milliseconds at most. */
  readonly units: number
  /** How many that wait for it go on in it. */
  readonly resumed: number
}

/**
 * Bounds what an iteration of the event loop does of work that comes with I/O. libuv calls back for everything that is
 * ready (a thousand connections, up to 2 MiB of each) before anything else runs; without a bound, one client's burst blocks
 * the loop for more than 100 ms. What is over the bound goes on in later iterations: callers round-robin, the work of one in
 * the order in which it came.
 */
export class IterationLimit {
  readonly #options: IterationBounds
  /** In the order in which callers are served. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #units = 0
  #isScheduled = false

  constructor(options: IterationBounds) {
    this.#options = options
  }

  /** Counts units of work; true when it is enough for this iteration: the caller goes on with `next`. */
  isOver(units = 1): boolean {
    this.#units += units
    return this.#units >= this.#options.units
  }

  /** Calls `run` in a later iteration. */
  next(run: () => void, caller = ''): void {
    const own = this.#waiting.get(caller)
    if (own) own.push(run)
    else this.#waiting.set(caller, [run])
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#runSome)
  }

  readonly #runSome = (): void => {
    this.#isScheduled = false
    this.#units = 0
    for (const run of this.#takeSome()) run()
    if (this.#waiting.size > 0) this.#schedule()
  }

  #takeSome(): readonly (() => void)[] {
    const taken: (() => void)[] = []
    while (taken.length < this.#options.resumed) {
      const first = this.#waiting.entries().next()
      if (first.done) break
      const [caller, own] = first.value
      taken.push(own.shift()!)
      // Its next comes after those of all others.
      this.#waiting.delete(caller)
      if (own.length > 0) this.#waiting.set(caller, own)
    }
    return taken
  }
}
