import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'

/** Shares out the bytes of appends that may be in flight; what is beyond it is refused, never queued. */
export class QueueBudget {
  readonly #maxBytes: number
  readonly #byNamespace = new Map<NamespaceId, number>()
  #bytes = 0
  #refused = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Requests that were refused since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Takes `sizeBytes` for a namespace; `overloaded` when the queue, or the namespace's half of it, is full. */
  take(ns: NamespaceId, sizeBytes: number): void {
    const own = this.#byNamespace.get(ns) ?? 0
    // A single request of any legal size passes an empty queue.
    const isOverTotal = this.#bytes > 0 && this.#bytes + sizeBytes > this.#maxBytes
    const isOverShare = own > 0 && own + sizeBytes > this.#maxBytes / 2
    if (isOverTotal || isOverShare) {
      this.#refused++
      throw new GatewayError('overloaded', 'the write queue is full', { retryAfterS: 1 })
    }
    this.#bytes += sizeBytes
    this.#byNamespace.set(ns, own + sizeBytes)
  }

  /** Gives back what `take` took. */
  give(ns: NamespaceId, sizeBytes: number): void {
    if (sizeBytes === 0) return
    this.#bytes -= sizeBytes
    const rest = (this.#byNamespace.get(ns) ?? 0) - sizeBytes
    if (rest > 0) this.#byNamespace.set(ns, rest)
    else this.#byNamespace.delete(ns)
  }
}
