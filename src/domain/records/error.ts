import type { RecordId } from '../ids.js'
import type { JsonObject } from '../json.js'
import { ulidTimeMs } from '../ulid.js'
import { fieldsOf, type RecordField, type StoredFields } from './field.js'

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

const field = fieldsOf<ApmError>()

/** The fields of an error, in the order of documents and JSON; as `LOG`. */
export const APM_ERROR = {
  service: field('text', 'service', error => error.service, {
    ...{ document: 'service.name', at: 1, otherwise: '' },
    description: 'Service that failed.'
  }),
  message: field('text', 'message', error => error.message, {
    ...{ document: 'message', at: 2, otherwise: '', isFolded: true, trigrams: 'tri' },
    description: 'Message of the error.'
  }),
  type: field('text', 'type', error => error.type, {
    ...{ document: 'error.type', at: 3, otherwise: '' },
    description: 'Error class name.'
  }),
  stack: field('text', 'stack', error => error.stack, {
    ...{ document: 'error.stack_trace', at: 4, trigrams: 'stack_tri' },
    description: 'Stack trace.'
  }),
  traceId: field('text', 'trace_id', error => error.traceId, {
    ...{ document: 'trace.id', at: 5 },
    description: 'Correlates with a trace.'
  }),
  spanId: field('text', 'span_id', error => error.spanId, {
    ...{ document: 'span.id', at: 6 },
    description: 'Correlates with a span.'
  }),
  host: field('text', 'host', error => error.host, {
    ...{ document: 'host.name', at: 7 },
    description: 'Host that it ran on.'
  }),
  tags: field('object', 'tags', error => error.tags, {
    ...{ document: 'tags', at: 9, column: 'tags' },
    description: 'Tags, with unrecognized members.'
  }),
  fingerprint: field('text', 'fingerprint', error => error.fingerprint, {
    ...{ document: 'error.fingerprint', at: 8, otherwise: '' },
    description: 'Id of the group.'
  })
} satisfies Record<keyof Omit<ApmError, 'index' | 'timestampNs'>, RecordField>

/** The error that a store has. */
export function storedError(from: StoredFields): StoredApmError {
  const id = from.id()
  return {
    id,
    timestampNs: from.timestampNs(),
    ingestedAtMs: ulidTimeMs(id),
    service: from.string(APM_ERROR.service),
    message: from.string(APM_ERROR.message),
    type: from.string(APM_ERROR.type),
    stack: from.text(APM_ERROR.stack),
    traceId: from.text(APM_ERROR.traceId),
    spanId: from.text(APM_ERROR.spanId),
    host: from.text(APM_ERROR.host),
    tags: from.object(APM_ERROR.tags),
    fingerprint: from.string(APM_ERROR.fingerprint)
  }
}

/**
 * Tag of an exception that a span recorded: the nearest ancestor outside of the request that carried it. An error of that span
 * with the same trace, fingerprint, message and stack is the same exception and not counted again.
 */
export const OUTER_SPAN = 'outer_span_id'
