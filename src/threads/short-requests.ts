/** What a request needs in general; one that takes longer has the right of way no more. */
const SHORT_NS = 100_000_000n
const WORD_BYTES = 8
/** In the shared word: nobody has the right of way. */
export const NOBODY = 0n

interface Request {
  readonly untilNs: bigint
}

/**
 * Tells other threads of the process that a request which came a moment ago is being answered, so that they let it go first
 * (`GiveWay`): where the cores are taken, a request waits some milliseconds for one at each of its steps, however nice those
 * are that hold them.
 */
export class ShortRequests {
  /** Shared: until when, by `process.hrtime`, somebody has the right of way, or `NOBODY`. */
  readonly word = new BigInt64Array(new SharedArrayBuffer(WORD_BYTES))
  /** In the order of their coming. */
  readonly #inFlight = new Set<Request>()

  /** A request has come. What is given back is to be called once it is answered. */
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
    Atomics.store(this.word, 0, NOBODY)
    Atomics.notify(this.word, 0)
  }
}

/** Work that takes no longer is short itself. */
const SHORT_WORK_NS = 100_000_000n
/** After such a wait it is looked whether the work is still wanted. */
const LOOK_AGAIN_NS = 10_000_000n
const NS_PER_MS = 1e6

/** One piece of work on a thread that lets short requests go first (`ShortRequests`), for at most half of its time. */
export class GiveWay {
  readonly #word: BigInt64Array
  readonly #startedNs = process.hrtime.bigint()
  #waitedNs = 0n

  constructor(word: BigInt64Array) {
    this.#word = word
  }

  /** Holds the thread while others have the right of way and the work is wanted. */
  wait(isRequested: () => boolean): void {
    while (isRequested()) {
      const untilNs = Atomics.load(this.#word, 0)
      if (untilNs === NOBODY) return
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
