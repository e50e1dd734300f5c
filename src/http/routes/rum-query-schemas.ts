import { VITALS } from '../../domain/records/rum.js'
import type { RumDimension } from '../../query/rum-result.js'
import { RUM_DIMENSIONS } from '../../query/rum-result.js'
import { COUNT, list, NULLABLE_NUMBER, NULLABLE_TEXT, object, optional, typed, type Static } from '../json-schema.js'
import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const VITAL = object({
  samples: COUNT,
  p50: NULLABLE_NUMBER,
  p75: NULLABLE_NUMBER,
  p95: NULLABLE_NUMBER,
  rating: { enum: ['good', 'needs_improvement', 'poor', null], description: 'Of the 75th percentile.' } as const,
  good: COUNT,
  needs_improvement: COUNT,
  poor: COUNT
})

const METRICS = typed<Readonly<Record<string, Static<typeof VITAL>>>>({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(Object.values(VITALS).map(({ short }) => [short, VITAL]))
})

/** A group of page views. */
export const RUM_GROUP = object({ key: NULLABLE_TEXT, samples: COUNT, sessions: COUNT, metrics: METRICS })

/** `GET /api/v1/apm/rum`. */
export const REPORT_RUM = {
  operationId: 'reportRum',
  tags: ['rum'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: optional({
    ...WINDOW_QUERY,
    group_by: typed<RumDimension>({ type: 'string', enum: Object.keys(RUM_DIMENSIONS) }),
    page_url: MANY,
    browser: MANY,
    device_type: MANY,
    country: MANY,
    os: MANY,
    connection_type: MANY,
    release: MANY,
    session_id: MANY,
    query: QUERY_TEXT,
    filters: FILTERS_TEXT,
    limit: { type: 'integer', minimum: 1, description: 'Groups; default 100.' } as const
  }),
  response: {
    200: listSchema('Groups, most events first; one with key null without group_by.', {
      group_by: NULLABLE_TEXT,
      groups: list(RUM_GROUP)
    })
  }
}
