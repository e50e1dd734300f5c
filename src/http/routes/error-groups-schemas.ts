import { ERROR_GROUP_DECISIONS } from '../../domain/error-group.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY, wholeFacts } from '../read-schemas.js'
import { ERROR_EVENT, ERROR_GROUP_SUMMARY } from './apm-query-schemas.js'

const TEXT = { type: 'string' } as const
const COUNT = { type: 'integer', minimum: 0 } as const
const PARAMS = { type: 'object', required: ['fingerprint'], properties: { fingerprint: TEXT } }
const COMMON = { tags: ['apm'], params: PARAMS }
const FACTS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['value', 'count', 'last_seen'],
    properties: { value: TEXT, count: COUNT, last_seen: TEXT }
  }
}

/** `GET /api/v1/apm/errors/{fingerprint}`. */
export const ERROR_GROUP = {
  ...COMMON,
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'getErrorGroup',
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: { ...WINDOW_QUERY, buckets: { type: 'integer', description: 'Points of the histogram, 1 to 1000; default 30.' } }
  },
  response: {
    200: wholeFacts('The group.', {
      group: ERROR_GROUP_SUMMARY,
      releases: { ...FACTS, description: 'Values of the tag `release`, which exceptions of spans have from `service.version`.' },
      hosts: FACTS,
      histogram: {
        type: ['object', 'null'],
        required: ['start', 'step_s', 'counts'],
        properties: { start: TEXT, step_s: { type: 'number' }, counts: { type: 'array', items: COUNT } }
      },
      sample: { anyOf: [ERROR_EVENT, { type: 'null' }], description: 'The newest error.' },
      trace: {
        type: ['object', 'null'],
        description: 'Trace of the latest error that has one, with the paths to read it and its logs.',
        required: ['trace_id', 'span_id', 'trace', 'logs'],
        properties: { trace_id: TEXT, span_id: { type: ['string', 'null'] }, trace: TEXT, logs: TEXT }
      }
    })
  }
}

/** `PUT /api/v1/apm/errors/{fingerprint}/state`. */
export const ERROR_GROUP_STATE = {
  ...COMMON,
  security: [{ session: [] }],
  headers: READ_HEADERS,
  operationId: 'setErrorGroupState',
  querystring: { type: 'object', additionalProperties: false, properties: { namespace: WINDOW_QUERY.namespace } },
  body: {
    type: 'object',
    required: ['state'],
    additionalProperties: false,
    properties: { state: { enum: [...ERROR_GROUP_DECISIONS] } }
  },
  response: {
    200: { description: 'Decided.', type: 'object', required: ['group'], properties: { group: ERROR_GROUP_SUMMARY } }
  }
}
