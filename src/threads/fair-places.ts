/** A few places for work that takes CPU time of other threads: each caller has at most one, and callers are served in turn. */
export class FairPlaces<Caller> {
  readonly #size: number
  readonly #holders = new Set<Caller>()
  /** In the order in which callers are served. */
  readonly #queues = new Map<Caller, (() => void)[]>()

  constructor(size: number) {
    this.#size = size
  }

  /** How many wait for a place. */
  get waiting(): number {
    let sum = 0
    for (const queue of this.#queues.values()) sum += queue.length
    return sum
  }

  /** Resolves with a place, and with what gives it back; calling that again does nothing. */
  take(caller: Caller): Promise<() => void> {
    return new Promise(resolve => {
      const start = (): void => resolve(this.#place(caller))
      const queue = this.#queues.get(caller)
      if (queue) queue.push(start)
      else this.#queues.set(caller, [start])
      this.#next()
    })
  }

  #place(caller: Caller): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#holders.delete(caller)
      this.#next()
    }
  }

  #next(): void {
    while (this.#holders.size < this.#size) {
      const caller = this.#firstWithoutPlace()
      if (caller === undefined) return
      const queue = this.#queues.get(caller)!
      const start = queue.shift()!
      // Its next one comes after those of all others.
      this.#queues.delete(caller)
      if (queue.length > 0) this.#queues.set(caller, queue)
      this.#holders.add(caller)
      start()
    }
  }

  #firstWithoutPlace(): Caller | undefined {
    for (const caller of this.#queues.keys()) if (!this.#holders.has(caller)) return caller
    return undefined
  }
}
