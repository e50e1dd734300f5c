import type { RecordId } from './ids.js'
import type { JsonObject } from './json.js'

/** One application error (conventions 9). */
export interface ApmError {
  readonly index: number
  readonly timestampNs: bigint
  readonly service: string
  readonly message: string
  /** Error class name; `Error` when none was sent. */
  readonly type: string
  readonly stack: string | null
  readonly traceId: string | null
  readonly spanId: string | null
  readonly host: string | null
  readonly tags: JsonObject
  /** Stable id of the group: service, type and message without its changing parts, or the top stack frames. */
  readonly fingerprint: string
}

/** An APM error as a store gives it back. */
export interface StoredApmError extends Omit<ApmError, 'index'> {
  readonly id: RecordId
  readonly ingestedAtMs: number
}

/** Well-known fields of an APM error; anything else is a path into `tags`. */
export const APM_ERROR_FIELDS = [
  'timestamp',
  'service',
  'message',
  'type',
  'stack',
  'trace_id',
  'span_id',
  'host',
  'fingerprint'
] as const

/**
 * Tag of an exception that a span recorded: the nearest ancestor outside of the request that carried it. An error of that span
 * with the same trace, fingerprint, message and stack is the same exception and not counted again.
 */
export const OUTER_SPAN = 'outer_span_id'
