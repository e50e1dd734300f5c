import { MAX_DELIVERY_ROWS } from '../../query/log-tail/limits.js'
import { COUNT, optional, TEXT } from '../json-schema.js'
import { FILTERS_TEXT, MANY, QUERY_TEXT, WINDOW_QUERY } from '../read-schemas.js'
import { COMMON, each } from './logs-query-schemas.js'

/** `GET /api/v1/logs/tail`. */
export const TAIL_LOGS = {
  ...COMMON,
  operationId: 'tailLogs',
  headers: {
    type: 'object',
    properties: {
      ...COMMON.headers.properties,
      'last-event-id': { ...TEXT, description: 'The last `id` that came, as browsers send it; instead of `after`.' }
    }
  },
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    ...each(MANY),
    query: QUERY_TEXT,
    filters: FILTERS_TEXT,
    after: { ...TEXT, description: 'The `id` of an earlier event: resumes after it. Default: logs that arrive from now on.' },
    every: { ...TEXT, description: 'Shortest time between two events, `100ms` to `1m`; default `250ms`.' },
    max: { ...COUNT, description: `Logs of one event; default 200, maximum ${MAX_DELIVERY_ROWS.toLocaleString('en-US')}.` },
    duration: { ...TEXT, description: 'The stream ends after this time, at most `1d`. Default: it does not end.' }
  }),
  response: {
    200: {
      description: 'Events until the client leaves.',
      content: { 'text/event-stream': { schema: TEXT } }
    }
  }
} as const
