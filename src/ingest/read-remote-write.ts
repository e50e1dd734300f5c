import { GatewayError } from '../domain/errors.js'
import { MalformedProtobuf } from '../wire/protobuf/malformed-protobuf.js'
import { decodeWriteRequest } from '../remote-write/decode.js'
import { decodeWriteRequestV2 } from '../remote-write/decode-v2.js'
import { KnownSeries } from '../remote-write/known-series.js'
import { TooManySamples } from '../remote-write/samples.js'
import type { BodyForm } from './ingest-request.js'
import type { RawRecords, ReadRecords } from './read-records.js'
import type { FairScheduler } from './fair-scheduler.js'

/** Reads bodies of Prometheus remote write, 1.0 and 2.0, after snappy. */
export class RemoteWriteReader implements ReadRecords {
  readonly #known = new KnownSeries()
  readonly #maxRecords: number
  readonly #scheduler: FairScheduler

  constructor(maxRecords: number, scheduler: FairScheduler) {
    this.#maxRecords = maxRecords
    this.#scheduler = scheduler
  }

  /** Memory for series of earlier bodies. */
  get knownBytes(): number {
    return this.#known.bytes
  }

  /** `invalid_field` when the body is not a write request, `payload_too_large` when it holds too many samples. */
  async read(body: Buffer, form: BodyForm): Promise<RawRecords> {
    try {
      const decode = form === 'remote-write-2' ? decodeWriteRequestV2 : decodeWriteRequest
      const { samples, exemplars, facts } = await this.#scheduler.through(decode(body, this.#known, this.#maxRecords))
      return { items: samples, namespace: undefined, metadata: [...exemplars, ...facts] }
    } catch (error) {
      if (error instanceof TooManySamples) throw new GatewayError('payload_too_large', error.message)
      if (error instanceof MalformedProtobuf) throw new GatewayError('invalid_field', `not a write request: ${error.message}`)
      throw error
    }
  }
}
