import type { RecordId } from './ids.js'
import type { JsonObject } from './json.js'

/** One log line, checked and normalised (conventions 4, 5, 9). */
export interface LogRecord {
  /** Position in its request; with the ingest id it makes the record id. */
  readonly index: number
  /** Event time, Unix nanoseconds. */
  readonly timestampNs: bigint
  /** No timestamp was sent: `timestampNs` is the time of arrival. */
  readonly isServerTime: boolean
  readonly message: string
  /** The message was longer than the limit and was cut. */
  readonly isTruncated: boolean
  /** Canonical level (`domain/severity`), null when none was sent. */
  readonly level: string | null
  /** The level as it was sent. */
  readonly levelText: string | null
  /** OTel severity number 1-24; 0 unknown. */
  readonly severityNumber: number
  readonly service: string | null
  readonly host: string | null
  readonly source: string | null
  readonly traceId: string | null
  readonly spanId: string | null
  /** `log_fields` as sent, unknown top-level fields folded in. Adapters flatten it for search (`domain/flatten`). */
  readonly fields: JsonObject
  readonly tags: JsonObject
}

/** A log as a store gives it back. */
export interface StoredLog extends Omit<LogRecord, 'index'> {
  readonly id: RecordId
  /** Unix milliseconds at which it was received (the time in its ingest id). */
  readonly ingestedAtMs: number
}

/** Well-known fields of a log that filters and facets may name; anything else is a path into `log_fields` or `tags`. */
export const LOG_FIELDS = [
  'timestamp',
  'message',
  'level',
  'severity_number',
  'service',
  'host',
  'source',
  'trace_id',
  'span_id'
] as const
