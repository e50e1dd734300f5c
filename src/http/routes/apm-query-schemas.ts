import { ERROR_GROUP_STATES } from '../../domain/error-group.js'
import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const TEXT = { type: 'string' } as const
const NULLABLE_TEXT = { type: ['string', 'null'] }

/** A group of errors. */
export const ERROR_GROUP_SUMMARY = {
  type: 'object',
  required: ['fingerprint', 'service', 'type', 'message', 'count', 'first_seen', 'last_seen', 'sample_id', 'state'],
  properties: {
    fingerprint: TEXT,
    service: TEXT,
    type: TEXT,
    message: { ...TEXT, description: 'Message of the latest error of the group.' },
    count: { type: 'integer', minimum: 0 },
    first_seen: TEXT,
    last_seen: TEXT,
    sample_id: TEXT,
    state: { enum: [...ERROR_GROUP_STATES], description: 'regressed: an error happened after the group was resolved.' },
    decided_at: NULLABLE_TEXT,
    decided_by: { ...NULLABLE_TEXT, description: 'Id of the user who set the state.' }
  }
}

/** One error. */
export const ERROR_EVENT = {
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
      release: { ...MANY, description: 'The tag `release`.' },
      state: { type: 'array', items: { enum: [...ERROR_GROUP_STATES] } },
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
              listSchema('Groups.', { groups: { type: 'array', items: ERROR_GROUP_SUMMARY } }),
              listSchema('Errors of one group.', { events: { type: 'array', items: ERROR_EVENT } })
            ]
          }
        }
      }
    }
  }
}
