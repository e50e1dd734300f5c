import { fieldList, type RecordField } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import { CONDITION_OPS } from '../query/conditions.js'

// OpenAPI material that several read routes share.

type Schema = Readonly<Record<string, unknown>>

const TEXT: Schema = { type: 'string' }
const NULLABLE_TEXT: Schema = { type: ['string', 'null'] }
const COUNT: Schema = { type: 'integer', minimum: 0 }

export const READ_SECURITY: readonly Readonly<Record<string, readonly string[]>>[] = [
  { session: [] },
  { query_key: [] },
  { api_key: [] }
]

/** A time in a body. */
export const INSTANT: Schema = {
  type: ['string', 'number'],
  description:
    'RFC 3339, a date (UTC), Unix s, ms, us or ns (detected by magnitude; a string of digits is accepted), or `now-15m`.'
}

/** Bounds of the window in a query string. */
export const WINDOW_QUERY = {
  start: { ...TEXT, description: 'Inclusive. RFC 3339, a date (UTC), Unix s, ms, us or ns by magnitude, or `now-15m`.' },
  end: { ...TEXT, description: 'Exclusive; default: now.' },
  namespace: { ...TEXT, description: 'Default: the active namespace, or the first of the key.' }
} as const

/** The query string of a query that comes as a body. */
export const NAMESPACE_QUERY: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { namespace: { ...WINDOW_QUERY.namespace, description: 'Used where the body names no namespace.' } }
}

/** `X-Namespace-ID` selects a namespace by its id. */
export const READ_HEADERS: Schema = {
  type: 'object',
  properties: { 'x-namespace-id': { ...TEXT, description: 'Id, or name, of the namespace to read.' } }
}

/** A string, or many of which any may contain, in a body. */
export const ONE_OR_MANY: Schema = { anyOf: [TEXT, { type: 'array', items: TEXT, maxItems: 1000 }] }

/** The same in a query string, where the parameter is repeated. */
export const MANY: Schema = { type: 'array', items: TEXT, maxItems: 1000 }

export const QUERY_TEXT: Schema = {
  ...TEXT,
  description:
    'Search language: words (AND), "phrases", field:value, field:(a OR b), field:>10, field:*, -not, OR, parentheses, * wildcard; a bare word is a substring of the message, case-insensitive.'
}

export const FIELD_FILTERS: Schema = {
  type: 'array',
  maxItems: 64,
  items: {
    type: 'object',
    required: ['field', 'op'],
    additionalProperties: false,
    properties: {
      field: { ...TEXT, description: 'A well-known field, else a path into log_fields or tags.' },
      op: { type: 'string', enum: CONDITION_OPS, description: '`regex` must match the whole value.' },
      value: { description: 'A string, number or boolean; an array for in and not_in.' }
    }
  }
}

/** Filters in a query string. */
export const FILTERS_TEXT: Schema = { ...TEXT, description: 'JSON array of {field, op, value}.' }

export const TOTAL: Schema = {
  type: ['object', 'null'],
  required: ['value', 'relation'],
  properties: { value: COUNT, relation: { enum: ['eq', 'gte'] } }
}

const FACTS = {
  page: {
    type: 'object',
    required: ['next_cursor', 'has_more', 'limit'],
    properties: { next_cursor: NULLABLE_TEXT, has_more: { type: 'boolean' }, limit: COUNT }
  },
  total: TOTAL,
  complete: {
    type: 'boolean',
    description: 'False when a limit, sampling or the retention made the response incomplete: see warnings.'
  },
  window: {
    type: 'object',
    required: ['start', 'end', 'unit_detected'],
    properties: { start: TEXT, end: TEXT, unit_detected: { enum: ['s', 'ms', 'us', 'ns', 'rfc3339', 'relative', 'default'] } }
  },
  warnings: { type: 'array', items: TEXT },
  stats: { type: 'object', required: ['took_ms'], properties: { took_ms: { type: 'number' } } }
} as const

/** The response of a list: its items and the members of every list. */
export function listSchema(description: string, items: Readonly<Record<string, Schema>>): Schema {
  const properties = { ...items, ...FACTS }
  return { description, type: 'object', required: Object.keys(properties), additionalProperties: false, properties }
}

/** The response about one thing, and the members of every response. */
export function wholeFacts(description: string, items: Readonly<Record<string, Schema>>): Schema {
  const { page: _page, total: _total, ...facts } = FACTS
  const properties = { ...items, ...facts }
  return { description, type: 'object', required: Object.keys(properties), additionalProperties: false, properties }
}

/** How OpenAPI describes the value of a field. */
function fieldSchema(field: RecordField): Schema {
  const { description } = field
  switch (field.type) {
    case 'text':
      return { ...(field.otherwise === undefined && !field.isSparse ? NULLABLE_TEXT : TEXT), description }
    case 'flag':
      return { type: 'boolean', description }
    case 'object':
      return { type: 'object', additionalProperties: true, description }
    default:
      return { type: 'integer', minimum: field.whole?.least, maximum: field.whole?.most, description }
  }
}

/** A log in a response. */
export const LOG_REPLY: Schema = {
  type: 'object',
  required: ['id', 'namespace', 'timestamp', 'message', 'level', 'severity_number', 'log_fields', 'tags', 'ingested_at'],
  properties: {
    id: TEXT,
    namespace: TEXT,
    timestamp: { ...TEXT, description: 'RFC 3339 with nanoseconds.' },
    ...Object.fromEntries(fieldList(LOG).map(field => [field.name, fieldSchema(field)])),
    ingested_at: TEXT
  }
}

export const FACET: Schema = {
  type: 'object',
  required: ['field', 'type', 'distinct', 'values', 'other', 'missing'],
  properties: {
    field: TEXT,
    type: { enum: ['string', 'number', 'boolean'] },
    distinct: TOTAL,
    values: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'count', 'selected'],
        properties: { value: TEXT, count: COUNT, selected: { type: 'boolean' } }
      }
    },
    other: { ...COUNT, description: 'Number of logs with values that are not listed; exact.' },
    missing: { ...COUNT, description: 'Number of logs without the field; exact.' }
  }
}

/** `[[time, value], ...]`. */
export const POINTS: Schema = {
  type: 'array',
  description: '[time, value]: times in the unit of `start` (ns as decimal strings), values NaN, +Inf, -Inf as strings.',
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: ['number', 'string', 'null'] } }
}
