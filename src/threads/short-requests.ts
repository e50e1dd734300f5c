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
