import { GatewayError } from '../domain/errors.js'
import { decodeJsonLogs } from '../otlp/json/logs.js'
import { decodeJsonMetrics } from '../otlp/json/metrics.js'
import { MalformedOtlp } from '../otlp/model.js'
import type { Steps } from '../otlp/protobuf/groups.js'
import { decodeLogs } from '../otlp/protobuf/logs.js'
import { decodeMetrics } from '../otlp/protobuf/metrics.js'
import { MalformedProtobuf } from '../protobuf/reader.js'
import type { BodyForm } from './ingest-request.js'
import type { RawRecords, ReadRecords } from './read-records.js'
import type { Turns } from './turns.js'

/** The two encodings of one signal's `Export*ServiceRequest`. */
export interface OtlpDecoder {
  readonly protobuf: (body: Buffer) => Steps<unknown>
  readonly json: (body: Buffer) => readonly unknown[]
}

export const OTLP_LOGS: OtlpDecoder = { protobuf: decodeLogs, json: decodeJsonLogs }
export const OTLP_METRICS: OtlpDecoder = { protobuf: decodeMetrics, json: decodeJsonMetrics }

/** Reads OTLP bodies. An empty one is a request without records (specification 1.11: the server answers success). */
export class OtlpReader implements ReadRecords {
  readonly #decoder: OtlpDecoder
  readonly #turns: Turns

  constructor(decoder: OtlpDecoder, turns: Turns) {
    this.#decoder = decoder
    this.#turns = turns
  }

  /** `invalid_field` when the body is not what its content type says. */
  async read(body: Buffer, form: BodyForm): Promise<RawRecords> {
    try {
      const items = form === 'protobuf' ? await this.#inTurns(this.#decoder.protobuf(body)) : this.#decoder.json(body)
      return { items, namespace: undefined }
    } catch (error) {
      const isMalformed = error instanceof MalformedOtlp || error instanceof MalformedProtobuf
      if (isMalformed) throw new GatewayError('invalid_field', `not an OTLP request: ${error.message}`)
      throw error
    }
  }

  /** A large body is read step by step, so that the event loop stays free. */
  async #inTurns(steps: Steps<unknown>): Promise<unknown[]> {
    let step = steps.next()
    while (!step.done) {
      await this.#turns.next()
      step = steps.next()
    }
    return step.value
  }
}
