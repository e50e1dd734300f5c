import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import { Slots } from '../threads/slots.js'

/** Requests that hold large results at the same time, and how many of them one namespace may run. */
const SLOTS = { size: 3, mostOfOne: 1 }
/** Requests of one namespace that wait for a slot. */
export const MAX_WAITING_LARGE_READS = 16
/** Spans that one request may contain: two traces of the largest size. */
export const MAX_SPANS_OF_REQUEST = 40_000
const RETRY_AFTER_S = 2

interface TakenSlot {
  readonly slot: Promise<() => void>
  spans: number
}

/**
 * Bounds the large results that are in memory: one request of a namespace at a time holds some, and a request holds a bounded
 * number of spans. A request is known by its signal.
 */
export class LargeReads {
  readonly #what: string
  readonly #slots = new Slots<NamespaceId>(SLOTS)
  readonly #held = new WeakMap<AbortSignal, TakenSlot>()
  readonly #waiting = new Map<NamespaceId, number>()

  /** @param what they are, in errors. */
  constructor(what = 'large reads') {
    this.#what = what
  }

  /**
   * Resolves once the request may read so many spans more; it keeps its slot until `end`. `overloaded` when too many requests of
   * the namespace wait already, `query_unsupported` when the request reads too many spans.
   */
  async enter(ns: NamespaceId, spans: number, signal: AbortSignal): Promise<void> {
    let held = this.#held.get(signal)
    if (!held) {
      held = { slot: this.#take(ns, signal), spans: 0 }
      this.#held.set(signal, held)
    }
    held.spans += spans
    if (held.spans > MAX_SPANS_OF_REQUEST) {
      const detail = `the request may read ${held.spans} spans of traces, the limit is ${MAX_SPANS_OF_REQUEST}; request fewer traces`
      throw new GatewayError('query_unsupported', detail)
    }
    await held.slot
  }

  /** Releases what the request holds. */
  end(signal: AbortSignal): void {
    const held = this.#held.get(signal)
    this.#held.delete(signal)
    held?.slot.then(
      release => release(),
      () => undefined // It was refused, or left while it waited.
    )
  }

  async #take(ns: NamespaceId, signal: AbortSignal): Promise<() => void> {
    const waiting = this.#waiting.get(ns) ?? 0
    if (waiting >= MAX_WAITING_LARGE_READS) {
      const detail = `${MAX_WAITING_LARGE_READS} ${this.#what} of this namespace are queued; retry later`
      throw new GatewayError('overloaded', detail, { retryAfterS: RETRY_AFTER_S })
    }
    this.#waiting.set(ns, waiting + 1)
    try {
      return await this.#slots.take(ns, signal)
    } finally {
      const left = this.#waiting.get(ns)! - 1
      if (left > 0) this.#waiting.set(ns, left)
      else this.#waiting.delete(ns)
    }
  }
}
