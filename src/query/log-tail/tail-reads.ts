import type { NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import type { Timers } from '../../ports/timers.js'
import { READS_AT_ONCE } from './limits.js'

type Start = () => void

/** Reads of one namespace: one runs, the others wait in order. */
interface Lane {
  readonly waiting: Start[]
  isBusy: boolean
}

/**
 * Shares the stores among all tails of the process: `READS_AT_ONCE` reads at once, one of a namespace, namespaces in turn.
 * A namespace then pauses for as long as its read took, so that its tails use at most half of one reader whatever their
 * number and filters. Waiting reads are as many as there are tails.
 */
export class TailReads {
  readonly #clock: Clock
  readonly #timers: Timers
  readonly #lanes = new Map<NamespaceId, Lane>()
  #running = 0

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock
    this.#timers = timers
  }

  /** Runs `work` when it is its turn. Rejects with the reason of the signal when that ends first. */
  async run<T>(ns: NamespaceId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(ns, signal)
    const startedMs = this.#clock.monotonicMs()
    try {
      return await work()
    } finally {
      this.#leave(ns, this.#clock.monotonicMs() - startedMs)
    }
  }

  #enter(ns: NamespaceId, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const lane = this.#lanes.get(ns) ?? { waiting: [], isBusy: false }
      this.#lanes.set(ns, lane)
      const abort = (): void => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1)
        this.#forgetIdle(ns, lane)
        reject(signal.reason as Error)
      }
      const start = (): void => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      signal.addEventListener('abort', abort, { once: true })
      lane.waiting.push(start)
      this.#next()
    })
  }

  #leave(ns: NamespaceId, tookMs: number): void {
    this.#running--
    this.#timers.after(tookMs, () => {
      const lane = this.#lanes.get(ns)!
      lane.isBusy = false
      this.#forgetIdle(ns, lane)
      this.#next()
    })
    this.#next()
  }

  #forgetIdle(ns: NamespaceId, lane: Lane): void {
    if (!lane.isBusy && lane.waiting.length === 0) this.#lanes.delete(ns)
  }

  #next(): void {
    for (const [ns, lane] of this.#lanes) {
      if (this.#running >= READS_AT_ONCE) return
      const start = lane.isBusy ? undefined : lane.waiting.shift()
      if (!start) continue
      this.#running++
      lane.isBusy = true
      // To the end of the line.
      this.#lanes.delete(ns)
      this.#lanes.set(ns, lane)
      start()
    }
  }
}
