import type { JsonObject } from '../../domain/json.js'
import type { OneOrMany } from '../../query/conditions.js'
import { SPAN_KINDS, SPAN_STATUSES } from '../../domain/span.js'
import {
  FACET,
  FIELD_FILTERS,
  FILTERS_TEXT,
  INSTANT,
  listSchema,
  MANY,
  NAMESPACE_QUERY,
  ONE_OR_MANY,
  QUERY_TEXT,
  READ_HEADERS,
  READ_SECURITY,
  WINDOW_QUERY
} from '../read-schemas.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_TEXT,
  object,
  optional,
  optionalBody,
  orNull,
  requiring,
  type Static,
  TEXT,
  typed,
  written
} from '../json-schema.js'
import { MAP_MEMBERS } from './services-schemas.js'

// OpenAPI material of searching, reading and comparing traces.

const NS = { type: ['integer', 'string'], description: 'Nanoseconds; the digits as a string beyond 2^53.' } as const
const NULLABLE_NS = { type: ['number', 'null'], description: 'Nanoseconds.' } as const
const MAP = typed<JsonObject>({ type: 'object', additionalProperties: true })
const COMMON = { tags: ['traces'], security: READ_SECURITY, headers: READ_HEADERS }
const TRACE_PARAMS = object({
  trace_id: { ...TEXT, maxLength: 128, description: 'Any capitalization, with or without leading zeros.' }
})

const TRACE_QUERY_TEXT = {
  ...QUERY_TEXT,
  description:
    'Search language over fields of one span: words (AND), "phrases", field:value, duration:>250ms, attributes.x:y, resource.x:y, event.x:y, link.x:y, -not, OR, parentheses, * wildcard; a bare word is searched in the name, service, status message and exceptions, case-insensitive.'
}

/** Members of a body that select spans. */
export const SPAN_CHOICES = {
  min_duration: { ...TEXT, description: 'Inclusive, with its unit: 250ms, 1.5s, 40us.' },
  max_duration: { ...TEXT, description: 'Inclusive, with its unit.' },
  root_only: { ...FLAG, description: 'Only spans without a parent.' },
  query: TRACE_QUERY_TEXT
} as const

const CHOICES = {
  ...SPAN_CHOICES,
  scope: { enum: ['trace', 'span'], description: 'Whether durations are of the whole trace (default) or of the span.' },
  has_error: { ...FLAG, description: 'Whether any span of the trace has failed.' },
  sort: { enum: ['start', 'duration'], description: 'Of the trace; default start.' },
  order: { enum: ['asc', 'desc'], description: 'Default desc.' },
  limit: { ...COUNT, description: 'Default 20, at most 200; see GET /api/v1/limits.' },
  cursor: { ...TEXT, description: '`page.next_cursor` of the previous response; it includes the window.' },
  total: { ...FLAG, description: 'Also count all traces that match.' },
  histogram: { type: 'integer', minimum: 1, description: 'Also count matching spans over time; the number of buckets.' },
  durations: {
    type: 'integer',
    minimum: 3,
    description: 'Also count matching spans by duration; the number of logarithmic buckets.'
  }
} as const

const FACET_FIELDS = { type: 'array', items: { ...TEXT, minLength: 1, maxLength: 256 }, maxItems: 20 } as const
const NAMES = ['service', 'operation', 'kind', 'status'] as const

function each<S>(schema: S): Readonly<Record<(typeof NAMES)[number], S>> {
  return { service: schema, operation: schema, kind: schema, status: schema }
}

/** A trace in a list. */
export const SUMMARY = object({
  trace_id: TEXT,
  root_service: NULLABLE_TEXT,
  root_operation: NULLABLE_TEXT,
  start: TEXT,
  duration_ns: { ...NS, description: 'Latest end minus earliest start of its spans, nanoseconds.' },
  span_count: COUNT,
  error_span_count: COUNT,
  services: list(object({ service: NULLABLE_TEXT, spans: COUNT, errors: COUNT })),
  has_missing_spans: { ...FLAG, description: 'A span names a parent that is not stored, or there is no root.' }
})

/** Counts over time. */
export const HISTOGRAM = object({
  start: TEXT,
  step_ms: COUNT,
  series: list(object({ key: NULLABLE_TEXT, counts: list(COUNT) }))
})

/** Counts by duration. */
export const DURATIONS = object({
  bounds_ns: { ...list({ type: 'number' }), description: 'Inclusive upper bounds; the last count is of longer durations.' },
  counts: list(COUNT),
  p50_ns: NULLABLE_NS,
  p90_ns: NULLABLE_NS,
  p99_ns: NULLABLE_NS
})

const FOUND = {
  200: listSchema('Traces with a matching span; each is summarized over all its spans.', {
    traces: list(SUMMARY),
    histogram: orNull(HISTOGRAM),
    durations: orNull(DURATIONS),
    facets: list(FACET)
  })
}

const SEARCH_MEMBERS = optional({ ...WINDOW_QUERY, ...each(MANY), ...CHOICES, filters: FILTERS_TEXT, facets: FACET_FIELDS })

/** Conditions on attributes in a query string. */
type AttributeParameters = { readonly [name: `${'attr' | 'resource' | 'event' | 'link'}.${string}`]: OneOrMany }

/** `GET /api/v1/traces`. */
export const SEARCH_TRACES = {
  ...COMMON,
  operationId: 'searchTraces',
  querystring: typed<Static<typeof SEARCH_MEMBERS> & AttributeParameters>({
    ...SEARCH_MEMBERS,
    patternProperties: { '^(?:attr|resource|event|link)\\..': MANY }
  }),
  response: FOUND
}

const ATTRIBUTES = typed<Readonly<Record<string, OneOrMany>>>({
  type: 'object',
  maxProperties: 64,
  additionalProperties: ONE_OR_MANY
})

/** `POST /api/v1/traces/query`. */
export const QUERY_TRACES = {
  ...COMMON,
  operationId: 'queryTraces',
  querystring: NAMESPACE_QUERY,
  body: optionalBody({
    namespace: TEXT,
    ...each(ONE_OR_MANY),
    ...CHOICES,
    attributes: { ...ATTRIBUTES, description: '`{name: value}`' },
    resource: { ...ATTRIBUTES, description: '`{name: value}`, of the resource.' },
    event: { ...ATTRIBUTES, description: '`{name: value}`, each of any event of the span.' },
    link: { ...ATTRIBUTES, description: '`{name: value}`, each of any link of the span.' },
    filters: FIELD_FILTERS,
    start: INSTANT,
    end: INSTANT,
    facets: FACET_FIELDS
  }),
  response: FOUND
}

/** A span in a response. */
export const SPAN = object({
  id: TEXT,
  span_id: TEXT,
  parent_span_id: NULLABLE_TEXT,
  depth: { ...COUNT, description: '0 for a root.' },
  child_count: COUNT,
  service: NULLABLE_TEXT,
  host: NULLABLE_TEXT,
  operation: TEXT,
  kind: { enum: SPAN_KINDS } as const,
  status: { enum: SPAN_STATUSES } as const,
  status_message: NULLABLE_TEXT,
  start: TEXT,
  start_offset_ns: { ...NS, description: 'Offset from the start of the trace.' },
  duration_ns: NS,
  self_time_ns: { ...NS, description: 'Time in which the span ran and none of its children did.' },
  log_count: COUNT,
  attributes: MAP,
  resource: MAP,
  scope: object({ name: TEXT, version: TEXT }),
  events: list(object({ name: TEXT, timestamp: TEXT, attributes: MAP })),
  links: list(object({ trace_id: TEXT, span_id: TEXT, trace_state: TEXT, attributes: MAP })),
  exceptions: list(object({ type: NULLABLE_TEXT, message: NULLABLE_TEXT, stacktrace: NULLABLE_TEXT, timestamp: TEXT })),
  trace_state: TEXT,
  flags: COUNT,
  dropped: object({ attributes: COUNT, events: COUNT, links: COUNT }),
  ingested_at: TEXT
})

/** A trace without its spans. */
export const TRACE_FACTS = {
  trace_id: TEXT,
  start: TEXT,
  duration_ns: NS,
  root_service: NULLABLE_TEXT,
  root_operation: NULLABLE_TEXT,
  span_count: { ...COUNT, description: 'Spans that were read, shown or not.' },
  error_span_count: COUNT,
  has_missing_spans: FLAG,
  truncated: { ...FLAG, description: 'More spans exist than are shown.' },
  services: list(object({ service: NULLABLE_TEXT, spans: COUNT, errors: COUNT, self_time_ns: NS, critical_ns: NS })),
  critical_path: {
    ...list(object({ span_id: TEXT, start_offset_ns: NS, duration_ns: NS })),
    description: 'Adjacent sections over the longest root span: the span that the trace waited for in each.'
  },
  service_map: { ...object(MAP_MEMBERS), description: 'Calls between services in this trace.' },
  logs: object({ total: COUNT, unlinked: { ...COUNT, description: 'Logs of the trace without a span.' } }),
  warnings: {
    ...list(TEXT),
    description: 'Why it has another id than the requested one, and which other traces its logs may belong to.'
  }
} as const

/** `GET /api/v1/traces/{trace_id}`. */
export const GET_TRACE = {
  ...COMMON,
  operationId: 'getTrace',
  params: TRACE_PARAMS,
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    limit: { ...COUNT, description: 'Spans to show; default 5000.' }
  }),
  response: {
    200: written(described('The trace.', object({ ...TRACE_FACTS, spans: list(SPAN) })))
  }
}

/** Totals of an operation in one trace; null if the trace has none of it. */
export const TOTALS = orNull(object({ spans: COUNT, errors: COUNT, total_ns: NS, mean_ns: NS, self_time_ns: NS }))

/** One of two compared traces. */
export const SIDE = object({ trace_id: TEXT, duration_ns: NS, span_count: COUNT, truncated: FLAG })

/** An operation of two traces. */
export const COMPARED = object({
  service: NULLABLE_TEXT,
  operation: TEXT,
  kind: { enum: SPAN_KINDS } as const,
  change: { enum: ['appeared', 'vanished', 'slowed', 'sped_up', 'unchanged'] } as const,
  base: TOTALS,
  other: TOTALS,
  self_time_delta_ns: NS
})

/** `GET /api/v1/traces/{trace_id}/compare`. */
export const COMPARE_TRACES = {
  ...COMMON,
  operationId: 'compareTraces',
  params: TRACE_PARAMS,
  querystring: requiring(['other'], {
    namespace: WINDOW_QUERY.namespace,
    other: { ...TEXT, maxLength: 128, description: 'Id of the other trace.' }
  }),
  response: {
    200: described(
      'The trace of the path is `base`.',
      object({
        base: SIDE,
        other: SIDE,
        operations: list(COMPARED),
        warnings: { ...list(TEXT), description: 'Why a trace has another id than the requested one.' }
      })
    )
  }
}
