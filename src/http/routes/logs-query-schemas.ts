import type { ParameterName } from '../../domain/records/field.js'
import type { LOG } from '../../domain/records/log.js'
import { LOG_PARAMETERS } from '../../query/conditions.js'
import { COUNT, FLAG, list, object, optional, optionalBody, TEXT } from '../json-schema.js'
import {
  FACET,
  SPREAD,
  FIELD_FILTERS,
  FILTERS_TEXT,
  INSTANT,
  listSchema,
  LOG_REPLY,
  MANY,
  NAMESPACE_QUERY,
  ONE_OR_MANY,
  PAGE_BOTH_WAYS,
  QUERY_TEXT,
  READ_HEADERS,
  READ_SECURITY,
  WINDOW_QUERY
} from '../read-schemas.js'

// OpenAPI schemas of the log queries.

/** What all reads of logs have. */
export const COMMON = { tags: ['logs'], security: READ_SECURITY, headers: READ_HEADERS }

/** A schema for each parameter of logs. */
export function each<S>(schema: S): Readonly<Record<ParameterName<typeof LOG>, S>> {
  return Object.fromEntries(LOG_PARAMETERS.map(({ name }) => [name, schema])) as Record<ParameterName<typeof LOG>, S>
}

/** Members of a body that select logs. */
export const BODY_CONDITIONS = {
  namespace: TEXT,
  ...each(ONE_OR_MANY),
  query: QUERY_TEXT,
  filters: FIELD_FILTERS,
  start: INSTANT,
  end: INSTANT
}

/** `POST /api/v1/logs/query`. */
export const SEARCH_LOGS = {
  ...COMMON,
  operationId: 'searchLogs',
  querystring: NAMESPACE_QUERY,
  body: optionalBody({
    ...BODY_CONDITIONS,
    order: { type: 'string', enum: ['asc', 'desc'], description: 'By time; default desc.' } as const,
    limit: { ...COUNT, description: 'Default 100; maximum: see GET /api/v1/limits.' },
    cursor: {
      ...TEXT,
      description: '`page.next_cursor` or `page.previous_cursor` of another response; it includes the window.'
    },
    around: {
      ...TEXT,
      description:
        'Id of a log: the page has `limit` rows around it, half before and half after, and the log itself even if it does not match. Not with `cursor` or NDJSON.'
    },
    total: { ...FLAG, description: 'Also count all matches.' }
  }),
  response: {
    200: {
      description: 'Matching logs.',
      content: {
        'application/json': { schema: listSchema('Matching logs.', { logs: list(LOG_REPLY) }, PAGE_BOTH_WAYS) },
        'application/x-ndjson': { schema: { type: 'string', description: 'One log per line, then a line with `complete`.' } }
      }
    }
  }
}

/** Values of a field without the members of every list. */
export const VALUES = {
  values: list(object({ value: TEXT, count: COUNT, last_seen: TEXT })),
  missing_count: COUNT,
  other_count: COUNT
}

/** `GET /api/v1/logs/levels`, `/services` and `/hosts`, without their names. */
export const FIELD_VALUES = {
  ...COMMON,
  querystring: optional({
    ...WINDOW_QUERY,
    prefix: { ...TEXT, description: 'Only values with this prefix.' },
    limit: COUNT,
    ...each(MANY),
    query: QUERY_TEXT,
    filters: FILTERS_TEXT
  }),
  response: {
    200: listSchema('Values, most frequent first.', VALUES)
  }
}

/** `GET /api/v1/logs/fields`. */
export const LOG_FIELDS = {
  ...COMMON,
  operationId: 'listLogFields',
  querystring: optional({
    ...WINDOW_QUERY,
    contains: { ...TEXT, description: 'Only fields whose names contain this string, case-insensitive.' },
    limit: { ...COUNT, description: 'Fields; default 200, maximum 1,000.' },
    ...each(MANY),
    query: QUERY_TEXT,
    filters: FILTERS_TEXT
  }),
  response: {
    200: listSchema('Well-known fields first, then free fields by frequency.', {
      fields: list(
        object({
          name: { ...TEXT, description: 'Name in filters and facets.' },
          type: { enum: ['string', 'number', 'boolean', 'timestamp'] } as const,
          count: { ...COUNT, description: 'Records with it; of free fields among the latest 10,000.' },
          cardinality: { ...COUNT, description: 'Number of distinct values, approximate.' },
          examples: list(TEXT, { description: 'At most 5 values.' })
        })
      )
    })
  }
}

/** `POST /api/v1/logs/facets`. */
export const FACETS = {
  ...COMMON,
  operationId: 'facetLogs',
  querystring: NAMESPACE_QUERY,
  body: optionalBody({
    ...BODY_CONDITIONS,
    fields: { type: 'array', items: { ...TEXT, minLength: 1, maxLength: 256 }, minItems: 1, maxItems: 20 } as const,
    contains: {
      ...TEXT,
      description:
        'Only values of `fields` that contain this string, case-insensitive. `other` and `missing` then count among the records with such a value.'
    },
    limit: { ...COUNT, description: 'Values per facet; default 10.' }
  }),
  response: {
    200: listSchema('Facets.', {
      facets: list(FACET),
      ranges: list(SPREAD, { description: 'Of fields with many numbers, when `fields` is absent.' }),
      skipped: list(object({ field: TEXT, reason: TEXT }))
    })
  }
}

/** `GET /api/v1/logs/correlate/traces/{trace_id}`. */
export const TRACE_LOGS = {
  ...COMMON,
  operationId: 'correlateTraceLogs',
  params: object({ trace_id: { ...TEXT, maxLength: 128 } }),
  querystring: optional({ ...WINDOW_QUERY, span_id: TEXT, limit: COUNT, cursor: TEXT }),
  response: {
    200: listSchema('Logs of the trace.', {
      trace_id: TEXT,
      trace_found: { ...FLAG, description: 'Whether the trace itself is stored.' },
      logs: list(LOG_REPLY),
      by_span: list(object({ span_id: TEXT, count: COUNT })),
      unlinked: { ...COUNT, description: 'Logs of the trace without a span.' }
    })
  }
}
