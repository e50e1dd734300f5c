/** A place that was requested. */
export interface RequestedPlace {
  /** Resolves with what gives the place back; calling that again does nothing. Rejects with the reason of `cancel`. */
  readonly granted: Promise<() => void>
  /** Gives up waiting; does nothing once the place was granted. */
  cancel(reason: Error): void
}

interface Waiting {
  grant(): void
  reject(reason: Error): void
}

/** A few places for work that takes CPU time of other threads: each caller has at most one, and callers are served in turn. */
export class FairPlaces<Caller> {
  readonly #size: number
  readonly #holders = new Set<Caller>()
  /** In the order in which callers are served. */
  readonly #queues = new Map<Caller, Waiting[]>()

  constructor(size: number) {
    this.#size = size
  }

  /** How many wait for a place. */
  get waiting(): number {
    let sum = 0
    for (const queue of this.#queues.values()) sum += queue.length
    return sum
  }

  /** Requests a place for a caller. */
  request(caller: Caller): RequestedPlace {
    let cancel: RequestedPlace['cancel'] = () => undefined
    const granted = new Promise<() => void>((resolve, reject) => {
      const waiting: Waiting = { grant: () => resolve(this.#place(caller)), reject }
      cancel = reason => this.#leave(caller, waiting, reason)
      const queue = this.#queues.get(caller)
      if (queue) queue.push(waiting)
      else this.#queues.set(caller, [waiting])
      this.#next()
    })
    return { granted, cancel: reason => cancel(reason) }
  }

  #leave(caller: Caller, waiting: Waiting, reason: Error): void {
    const queue = this.#queues.get(caller)
    const at = queue?.indexOf(waiting) ?? -1
    if (at < 0) return
    queue!.splice(at, 1)
    if (queue!.length === 0) this.#queues.delete(caller)
    waiting.reject(reason)
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
      const first = queue.shift()!
      // Its next one comes after those of all others.
      this.#queues.delete(caller)
      if (queue.length > 0) this.#queues.set(caller, queue)
      this.#holders.add(caller)
      first.grant()
    }
  }

  #firstWithoutPlace(): Caller | undefined {
    for (const caller of this.#queues.keys()) if (!this.#holders.has(caller)) return caller
    return undefined
  }
}
