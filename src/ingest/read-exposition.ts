import { GatewayError } from '../domain/errors.js'
import { readExposition } from '../exposition/read-text.js'
import { BrokenText, TooManySamples } from '../exposition/samples.js'
import type { BodyForm } from './ingest-request.js'
import { type RawRecords, type ReadRecords, UnreadableItem } from './read-records.js'
import type { Turns } from './turns.js'

/** Reads texts of metrics: Prometheus's text format and OpenMetrics. */
export class ExpositionReader implements ReadRecords {
  readonly #maxSamples: number
  readonly #turns: Turns

  constructor(maxSamples: number, turns: Turns) {
    this.#maxSamples = maxSamples
    this.#turns = turns
  }

  /** `invalid_field` when the text must not be taken in part, `payload_too_large` for too many samples. Bad lines are refused items. */
  async read(body: Buffer, form: BodyForm): Promise<RawRecords> {
    try {
      const format = form === 'openmetrics' ? 'openmetrics' : 'prometheus'
      const { items, facts } = await this.#turns.through(readExposition(body, format, this.#maxSamples))
      const records = items.map(item =>
        'detail' in item ? new UnreadableItem('invalid_field', `line ${item.line}: ${item.detail}`) : item
      )
      return { items: records, namespace: undefined, beside: facts }
    } catch (error) {
      if (error instanceof TooManySamples) throw new GatewayError('payload_too_large', error.message)
      if (error instanceof BrokenText) throw new GatewayError('invalid_field', error.message)
      throw error
    }
  }
}
