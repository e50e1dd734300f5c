/** How many slots there are, and how many of them one caller may contain. */
export interface SlotsOptions {
  readonly size: number
  readonly mostOfOne: number
}

/** A slot that was requested. */
export interface RequestedSlot {
  /** Resolves with what gives the slot back; calling that again does nothing. Rejects with the reason of `cancel`. */
  readonly granted: Promise<() => void>
  /** Gives up waiting; does nothing once the slot was granted. */
  cancel(reason: Error): void
}

/** Grants a slot to a request that waits. */
type WaitingRequest = () => void

/** Requests of one caller: its members are served round-robin, the requests of one in the order of arrival. */
class CallerQueue {
  readonly #members = new Map<unknown, WaitingRequest[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(member: unknown, request: WaitingRequest): void {
    const own = this.#members.get(member)
    if (own) own.push(request)
    else this.#members.set(member, [request])
    this.#length++
  }

  /** Takes out the next one; there is one. */
  shift(): WaitingRequest {
    const [member, own] = this.#members.entries().next().value!
    const first = own.shift()!
    // Its next request comes after those of all others.
    this.#members.delete(member)
    if (own.length > 0) this.#members.set(member, own)
    this.#length--
    return first
  }

  /** False when the request does not wait any more. */
  remove(member: unknown, request: WaitingRequest): boolean {
    const own = this.#members.get(member)
    const at = own?.indexOf(request) ?? -1
    if (at < 0) return false
    own!.splice(at, 1)
    if (own!.length === 0) this.#members.delete(member)
    this.#length--
    return true
  }
}

/**
 * A few slots for work that takes memory or CPU time of others. The caller that holds fewest goes first; among equals
 * callers are served round-robin, and so are the members of one (the keys of a namespace).
 */
export class Slots<Caller, Member = Caller> {
  readonly #size: number
  readonly #mostOfOne: number
  readonly #held = new Map<Caller, number>()
  /** In the order in which callers are served. */
  readonly #queues = new Map<Caller, CallerQueue>()
  #taken = 0

  constructor({ size, mostOfOne }: SlotsOptions) {
    this.#size = size
    this.#mostOfOne = mostOfOne
  }

  /** Slots held now. */
  get taken(): number {
    return this.#taken
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    let sum = 0
    for (const queue of this.#queues.values()) sum += queue.length
    return sum
  }

  /** Requests a slot for a caller; of a caller with members, for one of them. */
  request(caller: Caller, member?: Member): RequestedSlot {
    let cancel: RequestedSlot['cancel'] = () => undefined
    const granted = new Promise<() => void>((resolve, reject) => {
      const request: WaitingRequest = () => resolve(this.#holding(caller))
      cancel = reason => {
        if (this.#remove(caller, member, request)) reject(reason)
      }
      const queue = this.#queues.get(caller) ?? new CallerQueue()
      queue.push(member, request)
      this.#queues.set(caller, queue)
      this.#next()
    })
    return { granted, cancel: reason => cancel(reason) }
  }

  /** Resolves with what gives a slot back. Rejects with the signal's reason when it is aborted first. */
  async take(caller: Caller, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const requested = this.request(caller)
    const onAbort = (): void => requested.cancel(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await requested.granted
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** False when the request does not wait any more. */
  #remove(caller: Caller, member: Member | undefined, request: WaitingRequest): boolean {
    const queue = this.#queues.get(caller)
    if (!queue?.remove(member, request)) return false
    if (queue.length === 0) this.#queues.delete(caller)
    return true
  }

  /** What gives back a slot of the caller, once. */
  #holding(caller: Caller): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#taken--
      const left = this.#held.get(caller)! - 1
      if (left > 0) this.#held.set(caller, left)
      else this.#held.delete(caller)
      this.#next()
    }
  }

  #next(): void {
    while (this.#taken < this.#size) {
      const caller = this.#nextCaller()
      if (caller === undefined) return
      const queue = this.#queues.get(caller)!
      const grant = queue.shift()
      // Its next request comes after those of all others.
      this.#queues.delete(caller)
      if (queue.length > 0) this.#queues.set(caller, queue)
      this.#taken++
      this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1)
      grant()
    }
  }

  #nextCaller(): Caller | undefined {
    let best: Caller | undefined
    let fewest = this.#mostOfOne
    for (const caller of this.#queues.keys()) {
      const held = this.#held.get(caller) ?? 0
      if (held < fewest) [best, fewest] = [caller, held]
    }
    return best
  }
}
