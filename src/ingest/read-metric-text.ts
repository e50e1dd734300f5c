import { GatewayError } from '../domain/errors.js'
import { readExposition } from '../wire/exposition/read-text.js'
import type { Exposition } from '../wire/exposition/samples.js'
import type { ProtocolLine } from '../wire/line-protocol/lines.js'
import { readProtocol } from '../wire/line-protocol/read-lines.js'
import { type BadLine, MalformedText, TooManyLines } from '../wire/text-lines/read-lines.js'
import type { BodyForm } from './ingest-request.js'
import { type RawRecords, type ReadRecords, UnreadableItem } from './read-records.js'
import type { FairScheduler } from './fair-scheduler.js'

interface ParsedText extends Pick<Exposition, 'facts'> {
  readonly items: Exposition['items'] | readonly (ProtocolLine | BadLine)[]
}

function* steps(body: Buffer, form: BodyForm, maxItems: number): Generator<void, ParsedText> {
  if (form === 'line-protocol') return { items: yield* readProtocol(body, maxItems), facts: [] }
  return yield* readExposition(body, form === 'openmetrics' ? 'openmetrics' : 'prometheus', maxItems)
}

/** Reads metrics as text: Prometheus's text format, OpenMetrics, and InfluxDB's line protocol. */
export class MetricTextReader implements ReadRecords {
  readonly #maxItems: number
  readonly #scheduler: FairScheduler

  constructor(maxItems: number, scheduler: FairScheduler) {
    this.#maxItems = maxItems
    this.#scheduler = scheduler
  }

  /** `invalid_field` when the text must not be taken in part, `payload_too_large` for too many lines. Bad lines are refused items. */
  async read(body: Buffer, form: BodyForm): Promise<RawRecords> {
    try {
      const { items, facts } = await this.#scheduler.through(steps(body, form, this.#maxItems))
      const records = items.map(item =>
        'detail' in item ? new UnreadableItem('invalid_field', `line ${item.line}: ${item.detail}`) : item
      )
      return { items: records, namespace: undefined, metadata: facts }
    } catch (error) {
      if (error instanceof TooManyLines) throw new GatewayError('payload_too_large', error.message)
      if (error instanceof MalformedText) throw new GatewayError('invalid_field', error.message)
      throw error
    }
  }
}
