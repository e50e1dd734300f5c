import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'

/** Exports that run at the same time: of one namespace, and of the gateway. */
export const MAX_EXPORTS_OF_NAMESPACE = 2
export const MAX_EXPORTS = 8
const RETRY_AFTER_S = 30

/** Bounds the exports that run at the same time: each holds pages in memory for as long as its reader takes. */
export class ExportSlots {
  readonly #running = new Map<NamespaceId, number>()
  #total = 0

  /** Throws `rate_limited` or `overloaded`. What is returned gives the slot back; calling it again does nothing. */
  take(ns: NamespaceId): () => void {
    const own = this.#running.get(ns) ?? 0
    if (own >= MAX_EXPORTS_OF_NAMESPACE) {
      const detail = `${own} exports of this namespace are running, the limit is ${MAX_EXPORTS_OF_NAMESPACE}; wait for one to end`
      throw new GatewayError('rate_limited', detail, { retryAfterS: RETRY_AFTER_S })
    }
    if (this.#total >= MAX_EXPORTS) {
      const detail = `${this.#total} exports are running, the limit is ${MAX_EXPORTS}; retry later`
      throw new GatewayError('overloaded', detail, { retryAfterS: RETRY_AFTER_S })
    }
    this.#running.set(ns, own + 1)
    this.#total++
    let isHeld = true
    return () => {
      if (isHeld) this.#giveBack(ns)
      isHeld = false
    }
  }

  #giveBack(ns: NamespaceId): void {
    this.#total--
    const left = this.#running.get(ns)! - 1
    if (left > 0) this.#running.set(ns, left)
    else this.#running.delete(ns)
  }
}
