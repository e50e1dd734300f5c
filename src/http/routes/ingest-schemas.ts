import type { FastifySchema } from 'fastify'
import { parametersOf } from '../../domain/records/field.js'
import { LOG } from '../../domain/records/log.js'
import { VITALS } from '../../domain/records/rum.js'
import type { Members } from '../json-schema.js'
import { STREAM_POSITION } from './ingest-stream-schemas.js'

// The OpenAPI description of the write routes. It documents; the checks are those of src/ingest.

type Schema = Readonly<Record<string, unknown>>

const text = (description: string): Schema => ({ type: 'string', description })
const FREE_OBJECT: Schema = { type: 'object', additionalProperties: true }
const TIMESTAMP: Schema = {
  description: 'RFC 3339 (nine decimals are kept), or an epoch number in s, ms, us or ns; server time when absent.',
  anyOf: [{ type: 'string' }, { type: 'number' }]
}
const NANOSECONDS: Schema = {
  description: 'Unix nanoseconds as a number or a string of digits; server time when absent.',
  anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]+$' }]
}
const NAMESPACE = text('Name of the namespace; step 1 of namespace resolution (docs/conventions.md).')
/** Rule 2 of the resolution. */
export const NAMESPACE_HEADER = text('Name of the namespace; step 2 of namespace resolution (docs/conventions.md).')
/** Rule 3 of the resolution. */
export const NAMESPACE_PARAMETER = text('Name of the namespace; step 3 of namespace resolution (docs/conventions.md).')

/** Strings of a log that are sent as they are stored. */
const SENT_TEXTS = parametersOf(LOG).filter(({ key }) => key !== 'level')

/** A log in the body of a write. */
export const LOG_ITEM: Schema = {
  type: 'object',
  additionalProperties: true,
  description:
    'A log record of any common logger. These names take precedence; where one is missing, names of other loggers are used ' +
    '(`msg`, `@timestamp`, `severity`, `service.name`, ...: docs/logs.md). Other members are kept in log_fields.',
  properties: {
    message: text('Message of the log; required, under this or another recognized name.'),
    namespace: NAMESPACE,
    timestamp: TIMESTAMP,
    timestamp_ns: { ...NANOSECONDS, description: 'Unix nanoseconds; used when timestamp is absent.' },
    level: {
      anyOf: [{ type: 'string' }, { type: 'number' }],
      description: 'error, warn, info, ...; syslog 0-7 and pino 10-60 too.'
    },
    ...Object.fromEntries(SENT_TEXTS.map(({ name, description }) => [name, text(description)])),
    log_fields: FREE_OBJECT,
    tags: FREE_OBJECT
  }
}

const VALUE: Schema = {
  description: 'IEEE 754 double.',
  anyOf: [{ type: 'number' }, { type: 'string', enum: ['NaN', '+Inf', '-Inf'] }]
}

/** A metric point. */
export const METRIC: Schema = {
  type: 'object',
  required: ['name', 'value'],
  additionalProperties: true,
  properties: {
    name: text('Dot-separated name.'),
    value: VALUE,
    type: { type: 'string', enum: ['gauge', 'counter'], default: 'gauge' },
    timestamp_ns: NANOSECONDS,
    labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Low-cardinality dimensions.' },
    namespace: NAMESPACE
  }
}

/** A page view; "Vocabulary" in docs/conventions.md. */
const RUM: Schema = {
  type: 'object',
  required: ['page_url'],
  additionalProperties: true,
  description: 'A page view. Unknown members are kept in tags.',
  properties: {
    page_url: text('URL of the page.'),
    page_title: text('Title of the page.'),
    ...Object.fromEntries(Object.keys(VITALS).map(name => [name, { type: 'number', minimum: 0 }])),
    session_id: text('Session of the visitor.'),
    device_type: text('desktop, mobile, ...'),
    browser: text('Browser.'),
    os: text('Operating system.'),
    country: { type: 'string', pattern: '^[A-Za-z]{2}$' },
    viewport_width: { type: 'integer', minimum: 0 },
    viewport_height: { type: 'integer', minimum: 0 },
    connection_type: text('Network class.'),
    trace_id: text('Correlates with a trace.'),
    release: text('Release of the page.'),
    timestamp: TIMESTAMP,
    tags: FREE_OBJECT
  }
}

/** A service metric. */
export const APM_METRIC: Schema = {
  type: 'object',
  required: ['service', 'name', 'value'],
  additionalProperties: true,
  description: 'Stored as a metric point with the labels service and tags.',
  properties: {
    service: text('Service that the metric belongs to.'),
    name: text('Name of the metric.'),
    value: VALUE,
    timestamp_ns: NANOSECONDS,
    tags: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
    namespace: NAMESPACE
  }
}

/** An application error; "Vocabulary" in docs/conventions.md. */
export const APM_ERROR: Schema = {
  type: 'object',
  required: ['service', 'message'],
  additionalProperties: true,
  description: 'An application error. Unknown members are kept in tags.',
  properties: {
    service: text('Service that failed.'),
    message: text('Message of the error.'),
    type: text('Error class name.'),
    stack: text('Stack trace.'),
    trace_id: text('Correlates with a trace.'),
    span_id: text('Correlates with a span.'),
    host: text('Host that it ran on.'),
    timestamp: TIMESTAMP,
    tags: FREE_OBJECT,
    namespace: NAMESPACE
  }
}

/** An envelope with the records under `key`, or a bare array of them; `more` are further members of the envelope. */
export function batchOf(key: string, item: Schema, more: Members = {}): Schema {
  const items = { type: 'array', items: item }
  const envelope = {
    type: 'object',
    required: [key],
    properties: { namespace: text('Name of the namespace of all records.'), ...more, [key]: items }
  }
  return { anyOf: [envelope, items] }
}

const REPLY: Schema = {
  type: 'object',
  required: ['status', 'accepted', 'rejected', 'namespace', 'namespace_source'],
  properties: {
    status: { type: 'string', enum: ['ok', 'partial'] },
    accepted: { type: 'integer', minimum: 0 },
    rejected: { type: 'integer', minimum: 0 },
    spooled: {
      type: 'integer',
      minimum: 1,
      description:
        'Number of accepted records that are spooled until their store is available: durable, not searchable yet. Absent when 0.'
    },
    overflow: {
      type: 'object',
      required: ['points', 'max_series', 'label', 'values', 'detail'],
      additionalProperties: false,
      description:
        'Points of series beyond the budget of the namespace, accepted into series with `__overflow__="true"`. Absent when 0.',
      properties: {
        points: { type: 'integer', minimum: 1 },
        max_series: { type: 'integer' },
        label: { type: ['string', 'null'], description: 'The label with the most values in the namespace.' },
        values: { type: 'integer' },
        detail: text('The same as a message.')
      }
    },
    exemplars: {
      type: 'object',
      properties: { accepted: { type: 'integer' }, rejected: { type: 'integer' } },
      description: 'Exemplars of the samples; absent when 0. A rejected exemplar does not reject its sample.'
    },
    ignored_values: { type: 'integer', minimum: 1, description: 'Values that are not numbers and were ignored.' },
    ignored_members: {
      type: 'array',
      maxItems: 20,
      items: { type: 'string' },
      description: 'Unknown members of metric points that were ignored; absent when empty.'
    },
    read: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
      description:
        'Members by which the logs were recognized, with their counts: `{"message":{"msg":3},"time":{"time":2,"arrival":1}}`. ' +
        'Absent when all logs use the standard names.'
    },
    redacted: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'Secrets that the log rules replaced: `{"card":1,"email":2}`. Absent when 0.'
    },
    dropped: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'Logs that the log rules dropped, by the name of the rule; they are not among `accepted`. Absent when 0.'
    },
    warnings: { type: 'array', items: { type: 'string' }, description: 'Absent when empty.' },
    errors: { type: 'array', maxItems: 100, items: { $ref: 'ErrorItem#' } },
    rejected_by_code: { type: 'object', additionalProperties: { type: 'integer' } },
    errors_truncated: { type: 'boolean' },
    namespace: text('Namespace of the stored records.'),
    namespace_source: { type: 'string', enum: ['body', 'header', 'query', 'api_key', 'session', 'default'] },
    ingest_id: text('Id of this request; a prefix of its record ids.'),
    stream: STREAM_POSITION,
    dry_run: { type: 'boolean' },
    records: { type: 'array', maxItems: 100, items: FREE_OBJECT, description: 'The normalized records of a dry run.' },
    records_truncated: { type: 'boolean' }
  },
  additionalProperties: false
}

/** Headers of every response that got as far as a namespace. */
const REPLY_HEADERS: Schema = {
  'X-Resolved-Namespace': { type: 'string', description: 'Name of the namespace of the stored records.' },
  'RateLimit-Policy': { type: 'string' },
  RateLimit: { type: 'string' },
  'Idempotency-Replayed': { type: 'string', description: 'true when this is the response to an earlier request.' }
}

/** The success response of every write. */
const STORED: Schema = {
  description: 'Stored, or durable on the disk of the gateway (`spooled`): the records survive a crash.',
  headers: REPLY_HEADERS,
  content: { 'application/json': { schema: REPLY } }
}

const QUERY = {
  namespace: NAMESPACE_PARAMETER,
  ack: {
    type: 'string',
    enum: ['durable', 'searchable'],
    default: 'durable',
    description: 'searchable waits until queries return the records.'
  },
  dry_run: { type: 'boolean', default: false, description: 'Validates and returns the normalized records without storing them.' }
}

const HEADERS = {
  'X-Service-Namespace': NAMESPACE_HEADER,
  'Idempotency-Key': {
    type: 'string',
    maxLength: 255,
    description: 'A repeat within 48 h returns the first result and stores nothing twice.'
  },
  'Content-Encoding': { type: 'string', enum: ['gzip', 'deflate', 'br', 'identity'] }
}

/** What differs between write routes. */
export interface RouteDoc {
  readonly operationId: string
  readonly tag: string
  /** Content type to schema. */
  readonly body: Readonly<Record<string, Schema>>
}

/** The OpenAPI material of a write route. */
export function writeSchema({ operationId, tag, body }: RouteDoc): FastifySchema {
  return {
    operationId,
    tags: [tag],
    security: [{ api_key: [] }],
    querystring: { type: 'object', properties: QUERY },
    headers: { type: 'object', properties: HEADERS },
    body: { content: Object.fromEntries(Object.entries(body).map(([type, schema]) => [type, { schema }])) },
    response: { 200: STORED }
  }
}

/** OpenAPI schemas of `POST /api/v1/apm/rum`. */
export function rumSchema(): FastifySchema {
  return {
    operationId: 'ingestRum',
    tags: ['rum'],
    security: [{ api_key: [] }, { rum_key: [] }, { session: [] }],
    querystring: { type: 'object', properties: { ack: QUERY.ack, dry_run: QUERY.dry_run } },
    headers: {
      type: 'object',
      properties: {
        'X-Namespace-ID': text('Id of the namespace; with an API key it must be that of the key.'),
        'Idempotency-Key': HEADERS['Idempotency-Key'],
        'Content-Encoding': HEADERS['Content-Encoding']
      }
    },
    body: {
      content: {
        'application/json': { schema: RUM },
        'text/plain': { schema: text('The page view as JSON, for sendBeacon.') }
      }
    },
    response: {
      200: STORED,
      204: { description: 'Stored; the response to a text/plain beacon.', headers: REPLY_HEADERS, type: 'null' }
    }
  }
}
