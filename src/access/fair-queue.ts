import { GatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'

const RETRY_AFTER_S = 2
/** Waiters of one network that a full queue takes in the place of older ones of the same rank. */
const BURST = 4
/** Waiters of the best rank may wait longer by this factor. */
const FIRST_IN_LINE = 5

/** The highest rank of callers without recent failures. */
export const CLEAN_RANK = 1

/** Bounds of a `FairQueue`. */
export interface QueueBounds {
  /** What the queue is for, in errors. */
  readonly work: string
  readonly running: number
  /** Of `running`, those above `CLEAN_RANK`; the others are for callers without recent failures. */
  readonly runningFailed: number
  readonly waiting: number
  /** Waiters of one network. */
  readonly waitingPerNetwork: number
  readonly maxWaitMs: number
}

/** Who wants work done. */
export interface QueueSeat {
  /** Network of the caller (`addressPrefixes`). */
  readonly network: string
  /** Lower goes first: 0 for those known to be good, higher with each recent failure. */
  readonly rank: number
}

/** For work without a remote caller: the first start and commands of the administrator. */
export const LOCAL_SEAT: QueueSeat = { network: 'local', rank: 0 }

interface Waiter extends QueueSeat {
  readonly sinceMs: number
  start(): void
  refuse(error: GatewayError): void
}

/**
 * Bounded work, shared fairly between networks. Callers with recent failures never have all places. Lower ranks go first, then networks with less running work, then earlier
 * arrivals, or later ones while more than half of the places are taken. A full queue displaces a waiter for a newcomer:
 * one of a higher rank, or of the same rank when the newcomer's network has few waiting. Waiters older than `maxWaitMs`
 * are refused, those of the best rank after five times as long.
 */
export class FairQueue {
  readonly #clock: Clock
  readonly #bounds: QueueBounds
  readonly #running = new Map<string, number>()
  #waiting: Waiter[] = []
  #busy = 0
  #busyFailed = 0

  constructor(clock: Clock, bounds: QueueBounds) {
    this.#clock = clock
    this.#bounds = bounds
  }

  /** Runs `work` when it is its turn. `overloaded` when it was refused a place; `work` did not begin then. */
  async run<T>(seat: QueueSeat, work: () => Promise<T>): Promise<T> {
    await this.#enter(seat)
    try {
      return await work()
    } finally {
      this.#leave(seat)
    }
  }

  async #enter(seat: QueueSeat): Promise<void> {
    if (this.#mayBegin(seat)) {
      this.#begin(seat)
      return
    }
    this.#makeRoom(seat)
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ ...seat, sinceMs: this.#clock.monotonicMs(), start: resolve, refuse: reject })
    })
  }

  #mayBegin({ rank }: QueueSeat): boolean {
    const { running, runningFailed } = this.#bounds
    return this.#busy < running && (rank <= CLEAN_RANK || this.#busyFailed < runningFailed)
  }

  #begin({ network, rank }: QueueSeat): void {
    this.#busy++
    if (rank > CLEAN_RANK) this.#busyFailed++
    this.#running.set(network, (this.#running.get(network) ?? 0) + 1)
  }

  #leave({ network, rank }: QueueSeat): void {
    this.#busy--
    if (rank > CLEAN_RANK) this.#busyFailed--
    const left = this.#running.get(network)! - 1
    if (left === 0) this.#running.delete(network)
    else this.#running.set(network, left)
    const next = this.#takeNext()
    this.#expire()
    if (!next) return
    // Begun here, so that no other task takes the slot before `next` runs.
    this.#begin(next)
    next.start()
  }

  #takeNext(): Waiter | undefined {
    // Newest first while it is crowded: a flood from many networks fills the line with its first attempts, and whoever
    // comes then would wait behind all of them.
    const isCrowded = this.#waiting.length > this.#bounds.waiting / 2
    const line = isCrowded ? this.#waiting.toReversed() : this.#waiting
    const ready = line.filter(waiter => this.#mayBegin(waiter))
    let best = ready[0]
    for (const waiter of ready) if (this.#isBefore(waiter, best!)) best = waiter
    this.#waiting = this.#waiting.filter(waiter => waiter !== best)
    return best
  }

  #isBefore(a: QueueSeat, b: QueueSeat): boolean {
    if (a.rank !== b.rank) return a.rank < b.rank
    return (this.#running.get(a.network) ?? 0) < (this.#running.get(b.network) ?? 0)
  }

  #expire(): void {
    const { maxWaitMs } = this.#bounds
    const now = this.#clock.monotonicMs()
    const best = Math.min(...this.#waiting.map(({ rank }) => rank))
    // Those of the best rank are served soon, however slow the machine is.
    const mayWaitMs = (rank: number): number => (rank === best ? FIRST_IN_LINE * maxWaitMs : maxWaitMs)
    const expired = this.#waiting.filter(({ rank, sinceMs }) => now - sinceMs > mayWaitMs(rank))
    this.#waiting = this.#waiting.filter(waiter => !expired.includes(waiter))
    for (const waiter of expired) waiter.refuse(this.#overloaded())
  }

  /** Throws when neither the queue nor the network's share of it has a place for the newcomer. */
  #makeRoom(seat: QueueSeat): void {
    const waitingOf = new Map<string, number>()
    for (const { network } of this.#waiting) waitingOf.set(network, (waitingOf.get(network) ?? 0) + 1)
    const own = waitingOf.get(seat.network) ?? 0
    if (own >= this.#bounds.waitingPerNetwork) throw this.#overloaded()
    if (this.#waiting.length < this.#bounds.waiting) return
    const worst = this.#worst(waitingOf)
    const isNewcomerBetter = worst.rank > seat.rank || (worst.rank === seat.rank && own < BURST)
    if (!isNewcomerBetter) throw this.#overloaded()
    this.#waiting = this.#waiting.filter(waiter => waiter !== worst)
    worst.refuse(this.#overloaded())
  }

  /** The waiter of the highest rank; of those, one of the network that waits most; of those, the oldest. */
  #worst(waitingOf: ReadonlyMap<string, number>): Waiter {
    // A burst is what one person's programs make: it counts no more than a single waiter.
    const share = ({ network }: Waiter): number => Math.max(BURST, waitingOf.get(network)!)
    const isWorse = (a: Waiter, b: Waiter): boolean => (a.rank === b.rank ? share(a) > share(b) : a.rank > b.rank)
    return this.#waiting.reduce((worst, waiter) => (isWorse(waiter, worst) ? waiter : worst))
  }

  #overloaded(): GatewayError {
    const { work, waiting, maxWaitMs } = this.#bounds
    const detail = `too many concurrent ${work} (at most ${waiting} wait, at most ${maxWaitMs} ms); try again`
    return new GatewayError('overloaded', detail, { retryAfterS: RETRY_AFTER_S })
  }
}
