import { GatewayError } from '../domain/errors.js'
import { MalformedProtobuf } from '../protobuf/reader.js'
import { decodeWriteRequest, decodeWriteRequestV2 } from '../remote-write/decode.js'
import type { BodyForm } from './ingest-request.js'
import { type RawRecords, type ReadRecords, UnreadableItem } from './read-records.js'

const HISTOGRAM = new UnreadableItem('invalid_field', 'native histograms are not kept yet')

/** Reads bodies of Prometheus remote write, 1.0 and 2.0, after snappy. */
export class RemoteWriteReader implements ReadRecords {
  /** `invalid_field` when the body is no write request. Each native histogram in it is a refused item. */
  read(body: Buffer, form: BodyForm): RawRecords {
    try {
      const { samples, histograms } = form === 'remote-write-2' ? decodeWriteRequestV2(body) : decodeWriteRequest(body)
      const refused = Array.from({ length: histograms }, () => HISTOGRAM)
      return { items: histograms === 0 ? samples : [...samples, ...refused], namespace: undefined }
    } catch (error) {
      if (error instanceof MalformedProtobuf) throw new GatewayError('invalid_field', `no write request: ${error.message}`)
      throw error
    }
  }
}
