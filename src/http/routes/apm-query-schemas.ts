import { ERROR_GROUP_STATES } from '../../domain/error-group.js'
import { anyOf, COUNT, list, NULLABLE_TEXT, objectWith, optional, TEXT, typed } from '../json-schema.js'
import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

/** A group of errors. */
export const ERROR_GROUP_SUMMARY = objectWith(
  ['fingerprint', 'service', 'type', 'message', 'count', 'first_seen', 'last_seen', 'sample_id', 'state'],
  {
    fingerprint: TEXT,
    service: TEXT,
    type: TEXT,
    message: { ...TEXT, description: 'Message of the latest error of the group.' },
    count: COUNT,
    first_seen: TEXT,
    last_seen: TEXT,
    sample_id: TEXT,
    state: { enum: ERROR_GROUP_STATES, description: 'regressed: an error happened after the group was resolved.' } as const,
    decided_at: NULLABLE_TEXT,
    decided_by: { ...NULLABLE_TEXT, description: 'Id of the user who set the state.' }
  }
)

/** One error; the table of errors makes it. */
export const ERROR_EVENT = typed<Readonly<Record<string, unknown>>>({
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
})

/** `GET /api/v1/apm/errors`. */
export const APM_ERRORS = {
  operationId: 'listApmErrors',
  tags: ['apm'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: optional({
    ...WINDOW_QUERY,
    service: MANY,
    type: MANY,
    trace_id: MANY,
    release: { ...MANY, description: 'The tag `release`.' },
    state: list({ enum: ERROR_GROUP_STATES } as const),
    fingerprint: TEXT,
    query: QUERY_TEXT,
    filters: FILTERS_TEXT,
    limit: COUNT,
    cursor: { ...TEXT, description: 'With `fingerprint` alone.' }
  }),
  response: {
    200: {
      description: 'Groups or errors.',
      content: {
        'application/json': {
          schema: anyOf(
            listSchema('Groups.', { groups: list(ERROR_GROUP_SUMMARY) }),
            listSchema('Errors of one group.', { events: list(ERROR_EVENT) })
          )
        }
      }
    }
  }
}
