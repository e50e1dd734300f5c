import type { SealedBatch } from './deliver/batch-body.js'
import type { Delivery } from './deliver/deliverer.js'

/** What the agent delivered since it started. */
export class AgentCounters {
  #lines = 0
  #gaps = 0

  /** Lines that the service took, those without a record included. */
  get lines(): number {
    return this.#lines
  }

  /** Gaps that were reported to the service, and batches of which it rejected records. */
  get gaps(): number {
    return this.#gaps
  }

  /** Counts a batch of which it is known what became. */
  count({ pin }: Pick<SealedBatch, 'pin'>, delivery: Delivery): void {
    if (delivery.kind !== 'stored') return
    this.#lines += pin.lines
    if (pin.gap !== null) this.#gaps++
    if (delivery.rejected > 0) this.#gaps++
  }
}
