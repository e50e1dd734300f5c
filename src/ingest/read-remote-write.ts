import { GatewayError } from '../domain/errors.js'
import { MalformedProtobuf } from '../protobuf/reader.js'
import { decodeWriteRequest } from '../remote-write/decode.js'
import { decodeWriteRequestV2 } from '../remote-write/decode-v2.js'
import { KnownSeries } from '../remote-write/known-series.js'
import type { BodyForm } from './ingest-request.js'
import type { RawRecords, ReadRecords } from './read-records.js'

/** Reads bodies of Prometheus remote write, 1.0 and 2.0, after snappy. */
export class RemoteWriteReader implements ReadRecords {
  readonly #known = new KnownSeries()

  /** Memory for series of earlier bodies. */
  get knownBytes(): number {
    return this.#known.bytes
  }

  /** `invalid_field` when the body is no write request. */
  read(body: Buffer, form: BodyForm): RawRecords {
    try {
      const decode = form === 'remote-write-2' ? decodeWriteRequestV2 : decodeWriteRequest
      const { samples, exemplars, facts } = decode(body, this.#known)
      return { items: samples, namespace: undefined, beside: [...exemplars, ...facts] }
    } catch (error) {
      if (error instanceof MalformedProtobuf) throw new GatewayError('invalid_field', `no write request: ${error.message}`)
      throw error
    }
  }
}
