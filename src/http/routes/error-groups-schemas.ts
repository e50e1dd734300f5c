import { ERROR_GROUP_DECISIONS } from '../../domain/error-group.js'
import {
  COUNT,
  described,
  list,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  optional,
  orNull,
  requiring,
  TEXT
} from '../json-schema.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY, wholeFacts } from '../read-schemas.js'
import { ERROR_EVENT, ERROR_GROUP_SUMMARY } from './apm-query-schemas.js'

const COMMON = { tags: ['apm'], params: object({ fingerprint: TEXT }) }
const FACTS = list(object({ value: TEXT, count: COUNT, last_seen: TEXT }))

/** A group without the members of every response. */
export const GROUP_MEMBERS = {
  group: ERROR_GROUP_SUMMARY,
  releases: { ...FACTS, description: 'Values of the tag `release`, which exceptions of spans have from `service.version`.' },
  hosts: FACTS,
  histogram: objectOrNull(object({ start: TEXT, step_s: NUMBER, counts: list(COUNT) })),
  sample: { ...orNull(ERROR_EVENT), description: 'The newest error.' },
  trace: objectOrNull(
    object(
      { trace_id: TEXT, span_id: NULLABLE_TEXT, trace: TEXT, logs: TEXT },
      { description: 'Trace of the latest error that has one, with the paths to read it and its logs.' }
    )
  )
}

/** `GET /api/v1/apm/errors/{fingerprint}`. */
export const ERROR_GROUP = {
  ...COMMON,
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'getErrorGroup',
  querystring: optional({
    ...WINDOW_QUERY,
    buckets: { type: 'integer', description: 'Points of the histogram, 1 to 1000; default 30.' } as const
  }),
  response: {
    200: wholeFacts('The group.', GROUP_MEMBERS)
  }
}

/** `PUT /api/v1/apm/errors/{fingerprint}/state`. */
export const ERROR_GROUP_STATE = {
  ...COMMON,
  security: [{ session: [] }],
  headers: READ_HEADERS,
  operationId: 'setErrorGroupState',
  querystring: optional({ namespace: WINDOW_QUERY.namespace }),
  body: requiring(['state'], { state: { enum: ERROR_GROUP_DECISIONS } as const }),
  response: { 200: described('The group with its new state.', object({ group: ERROR_GROUP_SUMMARY })) }
}
