import { LINE_AGGREGATIONS } from '../../query/metric-line.js'
import type { OneOrMany } from '../../query/conditions.js'
import { anyOf, list, NULLABLE_TEXT, NUMBER, object, optional, requiring, TEXT, typed, written } from '../json-schema.js'
import { INSTANT, listSchema, ONE_OR_MANY, POINTS, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

// OpenAPI schemas of `POST /api/v1/query` and `GET /api/v1/apm/metrics`.

/** Values at grid points without samples. */
const FILLS = ['none', 'null', 'zero', 'previous'] as const
/** One of `FILLS`. */
export type Fill = (typeof FILLS)[number]

const LABELS = typed<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT })
const STEP = { type: ['string', 'number'], description: 'Seconds or a duration (15s); default: about 300 points.' } as const
const AGG = {
  type: 'string',
  enum: LINE_AGGREGATIONS,
  description:
    'Over all samples of the bucket [t, t + step), t being the time of the point; default avg. `rate` and `increase` have the semantics of Prometheus at t + step, summed over the group.'
} as const

/** Members of a response that holds one metric's series. */
export const SERIES_ITEMS = {
  metric: TEXT,
  type: { type: ['string', 'null'], enum: ['gauge', 'counter', null] },
  unit: NULLABLE_TEXT,
  step_s: NUMBER,
  series: list(object({ labels: LABELS, points: POINTS }))
} as const

/** A series of a service. */
export const APM_SERIES = object({
  name: TEXT,
  type: { enum: ['gauge', 'counter'] } as const,
  service: TEXT,
  labels: LABELS,
  first_seen: TEXT,
  last_seen: TEXT
  /** Series of services without the members of every list. */
})
export const APM_SERIES_MEMBERS = { metrics: list(APM_SERIES) }

/** `POST /api/v1/query`. */
export const QUERY_METRIC = {
  operationId: 'queryMetric',
  tags: ['metrics'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  body: requiring(['metric'], {
    namespace: TEXT,
    metric: { ...TEXT, minLength: 1 },
    start: INSTANT,
    end: INSTANT,
    labels: typed<Readonly<Record<string, OneOrMany>>>({ type: 'object', additionalProperties: ONE_OR_MANY, maxProperties: 20 }),
    agg: AGG,
    group_by: {
      type: 'array',
      items: TEXT,
      maxItems: 20,
      description: 'Absent: one group per series; empty: one group of all series.'
    } as const,
    step: STEP,
    fill: { type: 'string', enum: FILLS, description: 'Value of an empty bucket; default none.' } as const,
    limit: { type: 'integer', minimum: 1, description: 'Series; default 100.' } as const
  }),
  response: { 200: written(listSchema('Series, sorted by their labels.', SERIES_ITEMS)) }
}

/** `GET /api/v1/apm/metrics`. */
export const APM_METRICS = {
  operationId: 'listApmMetrics',
  tags: ['apm'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: optional({
    ...WINDOW_QUERY,
    service: TEXT,
    name: TEXT,
    agg: AGG,
    step: TEXT,
    fill: { type: 'string', enum: FILLS } as const,
    limit: { type: 'integer', minimum: 1 } as const
  }),
  response: {
    200: {
      description: 'Series or points.',
      content: {
        'application/json': {
          schema: anyOf(
            listSchema('The points of a metric.', SERIES_ITEMS),
            listSchema('Series of services.', APM_SERIES_MEMBERS)
          )
        }
      }
    }
  }
}
