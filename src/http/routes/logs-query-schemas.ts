import { LOG_PARAMETERS } from '../../query/conditions.js'
import {
  FACET,
  FIELD_FILTERS,
  FILTERS_TEXT,
  INSTANT,
  listSchema,
  LOG_REPLY,
  MANY,
  NAMESPACE_QUERY,
  ONE_OR_MANY,
  QUERY_TEXT,
  READ_HEADERS,
  READ_SECURITY,
  WINDOW_QUERY
} from '../read-schemas.js'

// OpenAPI schemas of the log queries.

const TEXT = { type: 'string' } as const
const COUNT = { type: 'integer', minimum: 0 } as const
/** What all reads of logs have. */
export const COMMON = { tags: ['logs'], security: READ_SECURITY, headers: READ_HEADERS }

/** A schema for each parameter of logs. */
export function each<S>(schema: S): Readonly<Record<string, S>> {
  return Object.fromEntries(LOG_PARAMETERS.map(({ name }) => [name, schema]))
}

const BODY_CONDITIONS = {
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
  body: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...BODY_CONDITIONS,
      order: { type: 'string', enum: ['asc', 'desc'], description: 'By time; default desc.' },
      limit: { type: 'integer', minimum: 0, description: 'Default 100; maximum: see GET /api/v1/limits.' },
      cursor: { ...TEXT, description: '`page.next_cursor` of the previous response; it includes the window.' },
      total: { type: 'boolean', description: 'Also count all matches.' }
    }
  },
  response: {
    200: {
      description: 'Matching logs.',
      content: {
        'application/json': { schema: listSchema('Matching logs.', { logs: { type: 'array', items: LOG_REPLY } }) },
        'application/x-ndjson': { schema: { type: 'string', description: 'One log per line, then a line with `complete`.' } }
      }
    }
  }
}

/** `GET /api/v1/logs/levels`, `/services` and `/hosts`, without their names. */
export const FIELD_VALUES = {
  ...COMMON,
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      prefix: { ...TEXT, description: 'Only values with this prefix.' },
      limit: COUNT,
      ...each(MANY),
      query: QUERY_TEXT,
      filters: FILTERS_TEXT
    }
  },
  response: {
    200: listSchema('Values, most frequent first.', {
      values: {
        type: 'array',
        items: {
          type: 'object',
          required: ['value', 'count', 'last_seen'],
          properties: { value: TEXT, count: COUNT, last_seen: TEXT }
        }
      },
      missing_count: COUNT,
      other_count: COUNT
    })
  }
}

export const FACETS = {
  ...COMMON,
  operationId: 'facetLogs',
  querystring: NAMESPACE_QUERY,
  body: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...BODY_CONDITIONS,
      fields: { type: 'array', items: { ...TEXT, minLength: 1, maxLength: 256 }, minItems: 1, maxItems: 20 },
      limit: { ...COUNT, description: 'Values per facet; default 10.' }
    }
  },
  response: {
    200: listSchema('Facets.', {
      facets: { type: 'array', items: FACET },
      skipped: {
        type: 'array',
        items: { type: 'object', required: ['field', 'reason'], properties: { field: TEXT, reason: TEXT } }
      }
    })
  }
}

/** `GET /api/v1/logs/correlate/traces/{trace_id}`. */
export const TRACE_LOGS = {
  ...COMMON,
  operationId: 'correlateTraceLogs',
  params: { type: 'object', required: ['trace_id'], properties: { trace_id: { ...TEXT, maxLength: 128 } } },
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: { ...WINDOW_QUERY, span_id: TEXT, limit: COUNT, cursor: TEXT }
  },
  response: {
    200: listSchema('Logs of the trace.', {
      trace_id: TEXT,
      trace_found: { type: 'boolean', description: 'Whether the trace itself is stored.' },
      logs: { type: 'array', items: LOG_REPLY },
      by_span: {
        type: 'array',
        items: { type: 'object', required: ['span_id', 'count'], properties: { span_id: TEXT, count: COUNT } }
      },
      unlinked: { ...COUNT, description: 'Logs of the trace without a span.' }
    })
  }
}
