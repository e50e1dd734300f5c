import { GatewayError } from '../domain/errors.js'
import { decodeJsonLogs } from '../otlp/json/logs.js'
import { decodeJsonMetrics } from '../otlp/json/metrics.js'
import { decodeJsonSpans } from '../otlp/json/spans.js'
import { MalformedOtlp, type OtlpRecord } from '../otlp/model.js'
import { decodeLogs } from '../otlp/protobuf/logs.js'
import { decodeMetrics } from '../otlp/protobuf/metrics.js'
import { decodeSpans } from '../otlp/protobuf/spans.js'
import { type DecodeSteps, TooManyRecords } from '../otlp/steps.js'
import { MalformedProtobuf } from '../wire/protobuf/malformed-protobuf.js'
import type { BodyForm } from './ingest-request.js'
import type { RawRecords, ReadRecords } from './read-records.js'
import type { FairScheduler } from './fair-scheduler.js'

/** When a record was made or observed, whichever was later; 0 if it states neither. */
function timeOf(record: OtlpRecord): bigint {
  if ('endTimeNs' in record) return later(record.startTimeNs, record.endTimeNs)
  return 'observedTimeNs' in record ? later(record.timeNs, record.observedTimeNs) : record.timeNs
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The time of the last record of a request that has one, Unix nanoseconds; undefined when none has. */
function sentTimeNs(records: readonly OtlpRecord[]): bigint | undefined {
  for (let i = records.length - 1; i >= 0; i--) {
    const timeNs = timeOf(records[i]!)
    if (timeNs > 0n) return timeNs
  }
  return undefined
}

/** The two encodings of one signal's `Export*ServiceRequest`. */
export interface OtlpDecoder {
  readonly protobuf: (body: Buffer, maxRecords: number) => DecodeSteps<OtlpRecord>
  readonly json: (body: Buffer, maxRecords: number) => DecodeSteps<OtlpRecord>
}

/** Decoders of `ExportLogsServiceRequest`. */
export const OTLP_LOGS: OtlpDecoder = { protobuf: decodeLogs, json: decodeJsonLogs }
/** Decoders of `ExportMetricsServiceRequest`. */
export const OTLP_METRICS: OtlpDecoder = { protobuf: decodeMetrics, json: decodeJsonMetrics }
/** Decoders of `ExportTraceServiceRequest`. */
export const OTLP_TRACES: OtlpDecoder = { protobuf: decodeSpans, json: decodeJsonSpans }

/** Reads OTLP bodies. An empty one is a request without records (specification 1.11: the server returns success). */
export class OtlpReader implements ReadRecords {
  readonly #decoder: OtlpDecoder
  readonly #maxRecords: number
  readonly #scheduler: FairScheduler

  constructor(decoder: OtlpDecoder, maxRecords: number, scheduler: FairScheduler) {
    this.#decoder = decoder
    this.#maxRecords = maxRecords
    this.#scheduler = scheduler
  }

  /** `invalid_field` when the body does not match its content type, `payload_too_large` when it holds too many records. */
  async read(body: Buffer, form: BodyForm): Promise<RawRecords> {
    try {
      const decode = form === 'protobuf' ? this.#decoder.protobuf : this.#decoder.json
      const items = await this.#scheduler.through(decode(body, this.#maxRecords))
      return { items, namespace: undefined, sentNs: sentTimeNs(items) }
    } catch (error) {
      if (error instanceof TooManyRecords) throw new GatewayError('payload_too_large', error.message)
      const isMalformed = error instanceof MalformedOtlp || error instanceof MalformedProtobuf
      if (isMalformed) throw new GatewayError('invalid_field', `not an OTLP request: ${error.message}`)
      throw error
    }
  }
}
