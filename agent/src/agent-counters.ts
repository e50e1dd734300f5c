import type { SealedBatch } from './deliver/batch-body.js'
import type { Delivery } from './deliver/deliverer.js'

/** What the agent delivered since it started. */
export class AgentCounters {
  #lines = 0
  #bytes = 0
  #gaps = 0
  #unparsed = 0
  #invalidUtf8 = 0
  #droppedCollections = 0

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

  /** Records that are not of the format of their file. */
  get unparsed(): number {
    return this.#unparsed
  }

  /** Lines with bytes that are not UTF-8, which became U+FFFD. */
  get invalidUtf8(): number {
    return this.#invalidUtf8
  }

  /** Collections of metrics that were not sent before they were too old. */
  get droppedCollections(): number {
    return this.#droppedCollections
  }

  countDroppedCollection(): void {
    this.#droppedCollections++
  }

  /** Counts a batch of which it is known what became. @param unparsed records that are not of the format of their file. */
  count({ pin, lines, source }: Pick<SealedBatch, 'pin' | 'lines' | 'source'>, delivery: Delivery, unparsed = 0): void {
    if (delivery.kind !== 'stored') return
    this.#lines += pin.lines
    // The positions of the system journal are numbers of entries.
    this.#bytes += source.format === 'journald' ? lines.reduce((sum, { text }) => sum + text.length, 0) : pin.to - pin.from
    this.#unparsed += unparsed
    // Of lines in ASCII, which most are, it costs nothing.
    for (const { text } of lines) if (text.includes('\ufffd')) this.#invalidUtf8++
    if (pin.gap !== null) this.#gaps++
    if (delivery.rejected > 0) this.#gaps++
  }
}
