import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const TEXT = { type: 'string' } as const
const NULLABLE_TEXT = { type: ['string', 'null'] }

const GROUP = {
  type: 'object',
  required: ['fingerprint', 'service', 'type', 'message', 'count', 'first_seen', 'last_seen', 'sample_id'],
  properties: {
    fingerprint: TEXT,
    service: TEXT,
    type: TEXT,
    message: { ...TEXT, description: 'Of the newest error of the group.' },
    count: { type: 'integer', minimum: 0 },
    first_seen: TEXT,
    last_seen: TEXT,
    sample_id: TEXT
  }
}

const EVENT = {
  type: 'object',
  required: ['id', 'namespace', 'timestamp', 'service', 'type', 'message', 'tags', 'fingerprint', 'ingested_at'],
  properties: {
    id: TEXT,
    namespace: TEXT,
    timestamp: TEXT,
    service: TEXT,
    type: TEXT,
    message: TEXT,
    stack: NULLABLE_TEXT,
    trace_id: NULLABLE_TEXT,
    span_id: NULLABLE_TEXT,
    host: NULLABLE_TEXT,
    tags: { type: 'object', additionalProperties: true },
    fingerprint: TEXT,
    ingested_at: TEXT
  }
}

/** `GET /api/v1/apm/errors`. */
export const APM_ERRORS = {
  operationId: 'listApmErrors',
  tags: ['apm'],
  summary: 'Errors of services, grouped',
  description: 'Groups by fingerprint, most recently seen first; with `fingerprint` the single errors of that group.',
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      service: MANY,
      type: MANY,
      trace_id: MANY,
      fingerprint: TEXT,
      query: QUERY_TEXT,
      filters: FILTERS_TEXT,
      limit: { type: 'integer', minimum: 0 },
      cursor: { ...TEXT, description: 'With `fingerprint` alone.' }
    }
  },
  response: {
    200: {
      description: 'Groups or errors.',
      content: {
        'application/json': {
          schema: {
            anyOf: [
              listSchema('Groups.', { groups: { type: 'array', items: GROUP } }),
              listSchema('Errors of one group.', { events: { type: 'array', items: EVENT } })
            ]
          }
        }
      }
    }
  }
}
