import { LINE_AGGREGATIONS } from '../../query/metric-line.js'
import { FILLS } from '../read-json/metric-json.js'
import { INSTANT, listSchema, ONE_OR_MANY, POINTS, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

// OpenAPI schemas of `POST /api/v1/query` and `GET /api/v1/apm/metrics`.

const TEXT = { type: 'string' } as const
const LABELS = { type: 'object', additionalProperties: TEXT }
const STEP = { type: ['string', 'number'], description: 'Seconds or a duration (15s); default: about 300 points.' }
const AGG = {
  type: 'string',
  enum: LINE_AGGREGATIONS,
  description:
    'Over all samples of the bucket [t, t + step), t being the time of the point; default avg. `rate` and `increase` have the semantics of Prometheus at t + step, summed over the group.'
}

/** Members of a response that holds one metric's series. */
export const SERIES_ITEMS = {
  metric: TEXT,
  type: { type: ['string', 'null'], enum: ['gauge', 'counter', null] },
  unit: { type: ['string', 'null'] },
  step_s: { type: 'number' },
  series: {
    type: 'array',
    items: { type: 'object', required: ['labels', 'points'], properties: { labels: LABELS, points: POINTS } }
  }
}

/** `POST /api/v1/query`. */
export const QUERY_METRIC = {
  operationId: 'queryMetric',
  tags: ['metrics'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  body: {
    type: 'object',
    required: ['metric'],
    additionalProperties: false,
    properties: {
      namespace: TEXT,
      metric: { ...TEXT, minLength: 1 },
      start: INSTANT,
      end: INSTANT,
      labels: { type: 'object', additionalProperties: ONE_OR_MANY, maxProperties: 20 },
      agg: AGG,
      group_by: {
        type: 'array',
        items: TEXT,
        maxItems: 20,
        description: 'Absent: one group per series; empty: one group of all series.'
      },
      step: STEP,
      fill: { type: 'string', enum: FILLS, description: 'Value of an empty bucket; default none.' },
      limit: { type: 'integer', minimum: 1, description: 'Series; default 100.' }
    }
  },
  response: { 200: listSchema('Series, sorted by their labels.', SERIES_ITEMS) }
}

/** `GET /api/v1/apm/metrics`. */
export const APM_METRICS = {
  operationId: 'listApmMetrics',
  tags: ['apm'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      service: TEXT,
      name: TEXT,
      agg: AGG,
      step: TEXT,
      fill: { type: 'string', enum: FILLS },
      limit: { type: 'integer', minimum: 1 }
    }
  },
  response: {
    200: {
      description: 'Series or points.',
      content: {
        'application/json': {
          schema: {
            anyOf: [
              listSchema('The points of a metric.', SERIES_ITEMS),
              listSchema('Series of services.', {
                metrics: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['name', 'type', 'service', 'labels', 'first_seen', 'last_seen'],
                    properties: {
                      name: TEXT,
                      type: { enum: ['gauge', 'counter'] },
                      service: TEXT,
                      labels: LABELS,
                      first_seen: TEXT,
                      last_seen: TEXT
                    }
                  }
                }
              })
            ]
          }
        }
      }
    }
  }
}
