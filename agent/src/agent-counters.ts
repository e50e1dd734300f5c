import type { SealedBatch } from './deliver/batch-body.js'
import type { Delivery } from './deliver/deliverer.js'

/** What the agent delivered since it started. */
export class AgentCounters {
  #lines = 0
  #bytes = 0
  #gaps = 0

  /** Lines that the service took, those without a record included. */
  get lines(): number {
    return this.#lines
  }

  /** Bytes of these lines. */
  get bytes(): number {
    return this.#bytes
  }

  /** Gaps that were reported to the service, and batches of which it rejected records. */
  get gaps(): number {
    return this.#gaps
  }

  /** Counts a batch of which it is known what became. */
  count({ pin, lines, source }: Pick<SealedBatch, 'pin' | 'lines' | 'source'>, delivery: Delivery): void {
    if (delivery.kind !== 'stored') return
    this.#lines += pin.lines
    // The positions of the system journal are numbers of entries.
    this.#bytes += source.format === 'journald' ? lines.reduce((sum, { text }) => sum + text.length, 0) : pin.to - pin.from
    if (pin.gap !== null) this.#gaps++
    if (delivery.rejected > 0) this.#gaps++
  }
}
