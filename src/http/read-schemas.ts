import { fieldList, type RecordField } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import { CUT_KINDS } from '../domain/warning.js'
import { CONDITION_OPS, type OneOrMany } from '../query/conditions.js'
import {
  type All,
  COUNT,
  FLAG,
  list,
  type Members,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  objectWith,
  optional,
  requiring,
  TEXT,
  typed,
  type Typed
} from './json-schema.js'

// OpenAPI material that several read routes share.

/** Credentials of routes that read. */
export const READ_SECURITY: readonly Readonly<Record<string, readonly string[]>>[] = [
  { session: [] },
  { query_key: [] },
  { api_key: [] }
]

/** A time in a body. */
export const INSTANT = {
  type: ['string', 'number'],
  description:
    'RFC 3339, a date (UTC), Unix s, ms, us or ns (detected by magnitude; a string of digits is accepted), or `now-15m`.'
} as const

/** Bounds of the window in a query string. */
export const WINDOW_QUERY = {
  start: { ...TEXT, description: 'Inclusive. RFC 3339, a date (UTC), Unix s, ms, us or ns by magnitude, or `now-15m`.' },
  end: { ...TEXT, description: 'Exclusive; default: now.' },
  namespace: { ...TEXT, description: 'Default: the active namespace, or the first of the key.' }
} as const

/** The query string of a query that comes as a body. */
export const NAMESPACE_QUERY = optional({
  namespace: { ...WINDOW_QUERY.namespace, description: 'Used where the body names no namespace.' }
})

/** `X-Namespace-ID` selects a namespace by its id. */
export const READ_HEADERS = {
  type: 'object',
  properties: { 'x-namespace-id': { ...TEXT, description: 'Id, or name, of the namespace to read.' } }
}

/** A string, or many of which any may contain, in a body. */
export const ONE_OR_MANY = typed<OneOrMany>({ anyOf: [TEXT, { type: 'array', items: TEXT, maxItems: 1000 }] })

/** The same in a query string, where the parameter is repeated. */
export const MANY = typed<OneOrMany>({ type: 'array', items: TEXT, maxItems: 1000 })

/** A query in the search language. */
export const QUERY_TEXT = {
  ...TEXT,
  description:
    'Search language: words (AND), "phrases", field:value, field:(a OR b), field:>10, field:*, -not, OR, parentheses, * wildcard; a bare word is a substring of the message, case-insensitive.'
}

/** Filters in a body. */
export const FIELD_FILTERS = list(
  requiring(['field', 'op'], {
    field: { ...TEXT, description: 'A well-known field, else a path into log_fields or tags.' },
    op: { type: 'string', enum: CONDITION_OPS, description: '`regex` must match the whole value.' },
    value: { description: 'A string, number or boolean; an array for in and not_in.' }
  }),
  { maxItems: 64 }
)

/** Filters in a query string. */
export const FILTERS_TEXT = { ...TEXT, description: 'JSON array of {field, op, value}.' }

/** The number of all matches; null if it was not requested. */
export const TOTAL = objectOrNull(object({ value: COUNT, relation: { enum: ['eq', 'gte'] } as const }))

const PLACE = { next_cursor: NULLABLE_TEXT, has_more: FLAG, limit: COUNT } as const

/** Where a page of a list ends. */
export const PAGE = object(PLACE)

/** The same of a list that is also read backwards. */
export const PAGE_BOTH_WAYS = objectWith(['next_cursor', 'has_more', 'limit'], {
  ...PLACE,
  previous_cursor: {
    ...NULLABLE_TEXT,
    description: 'Leads to the rows before this page, null without any. Of a page that `around` or such a cursor requested.'
  }
})

/** Why a result is incomplete; in the order of GraphQL's `QueryStats.cuts`. */
const CUT = object({
  kind: { enum: CUT_KINDS, description: 'What cut the result.' } as const,
  detail: { ...TEXT, description: 'The sentence of `warnings`.' },
  window: objectOrNull(
    object({ start: TEXT, end: TEXT }, { description: 'Affected part of the window; null when it is not known.' })
  ),
  limit: { type: ['integer', 'null'], description: 'Number of rows, groups or series that the cut kept.' } as const,
  remedy: { ...TEXT, description: 'What to do about it, in one sentence.' }
})

/** Duration of a query, and why its result is incomplete. */
export const STATS = object({
  took_ms: NUMBER,
  cuts: list(CUT, { description: 'Reasons why the result is incomplete; empty when `complete`.' })
})

const FACTS = {
  page: PAGE,
  total: TOTAL,
  complete: {
    ...FLAG,
    description: 'False when a limit, sampling or the retention made the response incomplete: see warnings.'
  },
  window: object({
    start: TEXT,
    end: TEXT,
    unit_detected: { enum: ['s', 'ms', 'us', 'ns', 'rfc3339', 'relative', 'default'] } as const
  }),
  warnings: list(TEXT),
  stats: STATS
} as const

/** The members of every list. */
export type ListFacts = All<typeof FACTS>

/** The response of a list: its items and the members of every list. */
export function listSchema<P extends Members>(
  description: string,
  items: P,
  page: typeof PAGE = PAGE
): Typed<All<P & typeof FACTS>> {
  const properties = { ...items, ...FACTS, page }
  return typed({ description, type: 'object', required: Object.keys(properties), additionalProperties: false, properties })
}

/** The response about one thing, and the members of every response. */
export function wholeFacts<P extends Members>(
  description: string,
  items: P
): Typed<All<P & Omit<typeof FACTS, 'page' | 'total'>>> {
  const { page: _page, total: _total, ...facts } = FACTS
  const properties = { ...items, ...facts }
  return typed({ description, type: 'object', required: Object.keys(properties), additionalProperties: false, properties })
}

/** How OpenAPI describes the value of a field. */
function fieldSchema(field: RecordField): object {
  const { description } = field
  switch (field.type) {
    case 'text':
      return { ...(field.otherwise === undefined && !field.isSparse ? NULLABLE_TEXT : TEXT), description }
    case 'flag':
      return { ...FLAG, description }
    case 'object':
      return { type: 'object', additionalProperties: true, description }
    case 'bits':
      return { ...COUNT, description }
    default:
      return { type: 'integer', minimum: field.whole?.least, maximum: field.whole?.most, description }
  }
}

/** A log in a response; its members follow from the table of logs. */
export const LOG_REPLY = typed<Readonly<Record<string, unknown>>>({
  type: 'object',
  required: ['id', 'namespace', 'timestamp', 'message', 'level', 'severity_number', 'log_fields', 'tags', 'ingested_at'],
  properties: {
    id: TEXT,
    namespace: TEXT,
    timestamp: { ...TEXT, description: 'RFC 3339 with nanoseconds.' },
    ...Object.fromEntries(fieldList(LOG).map(field => [field.name, fieldSchema(field)])),
    ingested_at: TEXT
  }
})

/** A facet in a response. */
export const FACET = object({
  field: TEXT,
  type: { enum: ['string', 'number', 'boolean'] } as const,
  distinct: TOTAL,
  values: list(object({ value: TEXT, count: COUNT, selected: FLAG })),
  other: { ...COUNT, description: 'Number of logs with values that are not listed; exact.' },
  missing: { ...COUNT, description: 'Number of logs without the field; exact.' }
})

const PERCENTILE = { ...NULLABLE_NUMBER, description: 'Interpolated between the closest ranks.' } as const

/** The numbers of a field. */
export const SPREAD = object({
  field: TEXT,
  numbers: { ...COUNT, description: 'Numbers of the records.' },
  min: { ...NULLABLE_NUMBER, description: 'Lower bound of the numbers; the smallest one if `extremes_exact`.' },
  max: { ...NULLABLE_NUMBER, description: 'Upper bound of the numbers; the largest one if `extremes_exact`.' },
  extremes_exact: { ...FLAG, description: 'Whether min and max are numbers of the field; otherwise they are bounds.' },
  p25: PERCENTILE,
  p50: PERCENTILE,
  p75: PERCENTILE,
  p95: PERCENTILE,
  p99: PERCENTILE,
  relative_error: {
    ...NULLABLE_NUMBER,
    description:
      'Upper bound of |value - truth| / |truth| of the percentiles, of logs with one number each; 0 when they are exact, null for estimates without a bound.'
  }
})

/** `[[time, value], ...]`. */
export const POINTS = typed<readonly (readonly [number | string, number | string | null])[]>({
  type: 'array',
  description: '[time, value]: times in the unit of `start` (ns as decimal strings), values NaN, +Inf, -Inf as strings.',
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: ['number', 'string', 'null'] } }
})
