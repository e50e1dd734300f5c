/** Time that most requests need; a longer one loses its priority. */
const SHORT_NS = 100_000_000n
const WORD_BYTES = 8
/** The shared word while no request has priority. */
export const NO_PRIORITY = 0n

interface Request {
  readonly untilNs: bigint
}

/**
 * Signals to other threads of the process that a recent request is in flight, so that they pause (`YieldToRequests`): where all
 * cores are busy, a request waits some milliseconds for one at each of its steps, whatever the priorities of the threads that use
 * them.
 */
export class ShortRequests {
  /** Shared: until when, by `process.hrtime`, a request has priority, or `NO_PRIORITY`. */
  readonly word = new BigInt64Array(new SharedArrayBuffer(WORD_BYTES))
  /** In the order of their coming. */
  readonly #inFlight = new Set<Request>()

  /** A request has arrived. The caller calls the returned function once it has responded. */
  begin(): () => void {
    const own: Request = { untilNs: process.hrtime.bigint() + SHORT_NS }
    this.#inFlight.add(own)
    Atomics.store(this.word, 0, own.untilNs)
    return () => this.#end(own)
  }

  #end(own: Request): void {
    this.#inFlight.delete(own)
    const nowNs = process.hrtime.bigint()
    for (const oldest of this.#inFlight) {
      if (oldest.untilNs > nowNs) return
      this.#inFlight.delete(oldest)
    }
    Atomics.store(this.word, 0, NO_PRIORITY)
    Atomics.notify(this.word, 0)
  }
}

/** Shorter work does not pause. */
const SHORT_WORK_NS = 100_000_000n
/** After such a pause, the thread checks whether the work is still needed. */
const LOOK_AGAIN_NS = 10_000_000n
const NS_PER_MS = 1e6

/** One piece of work on a thread that pauses for short requests (`ShortRequests`), for at most half of its time. */
export class YieldToRequests {
  readonly #word: BigInt64Array
  readonly #startedNs = process.hrtime.bigint()
  #waitedNs = 0n

  constructor(word: BigInt64Array) {
    this.#word = word
  }

  /** Blocks the thread while a request has priority and the work is still needed. */
  wait(isRequested: () => boolean): void {
    while (isRequested()) {
      const untilNs = Atomics.load(this.#word, 0)
      if (untilNs === NO_PRIORITY) return
      const nowNs = process.hrtime.bigint()
      const workedNs = nowNs - this.#startedNs - this.#waitedNs
      const leftNs = least(untilNs - nowNs, workedNs - SHORT_WORK_NS - this.#waitedNs, LOOK_AGAIN_NS)
      if (leftNs <= 0n) return
      Atomics.wait(this.#word, 0, untilNs, Number(leftNs) / NS_PER_MS)
      this.#waitedNs += process.hrtime.bigint() - nowNs
    }
  }
}

function least(...all: readonly [bigint, ...bigint[]]): bigint {
  return all.reduce((a, b) => (b < a ? b : a))
}
