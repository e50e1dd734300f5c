import { GatewayError } from '../domain/errors.js'
import { BrokenLines, TooManyLines } from '../line-protocol/lines.js'
import { readProtocol } from '../line-protocol/read-lines.js'
import { type RawRecords, type ReadRecords, UnreadableItem } from './read-records.js'
import type { Turns } from './turns.js'

/** Reads InfluxDB's line protocol. */
export class LineProtocolReader implements ReadRecords {
  readonly #maxLines: number
  readonly #turns: Turns

  constructor(maxLines: number, turns: Turns) {
    this.#maxLines = maxLines
    this.#turns = turns
  }

  /** `invalid_field` when the body is no text, `payload_too_large` for too many lines. Bad lines are refused items. */
  async read(body: Buffer): Promise<RawRecords> {
    try {
      const items = await this.#turns.through(readProtocol(body, this.#maxLines))
      const records = items.map(item =>
        'detail' in item ? new UnreadableItem('invalid_field', `line ${item.line}: ${item.detail}`) : item
      )
      return { items: records, namespace: undefined }
    } catch (error) {
      if (error instanceof TooManyLines) throw new GatewayError('payload_too_large', error.message)
      if (error instanceof BrokenLines) throw new GatewayError('invalid_field', error.message)
      throw error
    }
  }
}
