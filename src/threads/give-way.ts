import { NOBODY } from './short-requests.js'

/** Work that takes no longer is short itself. */
const SHORT_NS = 100_000_000n
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
      const leftNs = least(untilNs - nowNs, workedNs - SHORT_NS - this.#waitedNs, LOOK_AGAIN_NS)
      if (leftNs <= 0n) return
      Atomics.wait(this.#word, 0, untilNs, Number(leftNs) / NS_PER_MS)
      this.#waitedNs += process.hrtime.bigint() - nowNs
    }
  }
}

function least(...all: readonly [bigint, ...bigint[]]): bigint {
  return all.reduce((a, b) => (b < a ? b : a))
}
