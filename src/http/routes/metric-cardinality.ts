import type { FastifyInstance } from 'fastify'
import type { SeriesGrowth } from '../../ports/metric-store.js'
import type { CardinalityResult, CardinalityQuery, CardinalityReport } from '../../query/cardinality-report.js'
import { tookJson } from '../read-json/facts-json.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

export interface CardinalityDeps extends ReadAccess {
  readonly cardinalityReport: CardinalityReport
}

const TEXT = { type: 'string' } as const
const COUNT = { type: 'integer', minimum: 0 } as const
const NEW = { new_1h: COUNT, new_1d: COUNT } as const

function objectOf(properties: Readonly<Record<string, unknown>>, description?: string): Record<string, unknown> {
  const required = Object.keys(properties)
  return { type: 'object', required, additionalProperties: false, properties, ...(description !== undefined && { description }) }
}

const SCHEMA = {
  operationId: 'getCardinality',
  tags: ['metrics'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      namespace: WINDOW_QUERY.namespace,
      metric: { ...TEXT, description: 'Only the series of this metric.' },
      order: {
        enum: ['series', 'hour', 'day'],
        description: 'Order: most series (labels: most values; default), or most new series in the last hour or day.'
      },
      limit: { type: 'integer', minimum: 1, description: 'Entries of each list; default 10.' }
    }
  },
  response: {
    200: objectOf({
      series: objectOf({ max: COUNT, active: COUNT, counted: COUNT, overflow: COUNT, ...NEW }),
      metrics: { type: 'array', items: objectOf({ metric: TEXT, series: COUNT, ...NEW }) },
      services: { type: 'array', items: objectOf({ service: TEXT, series: COUNT, ...NEW }) },
      labels: {
        type: 'array',
        items: objectOf({
          ...{ label: TEXT, values: COUNT, new_values_1h: COUNT, new_values_1d: COUNT, series: COUNT, ...NEW },
          series_without: { ...COUNT, description: 'Number of series if the label were removed.' },
          saved: COUNT
        })
      },
      found: objectOf({ metrics: COUNT, services: COUNT, labels: COUNT }, 'Entries of each list without the limit.'),
      limit: COUNT,
      stats: objectOf({ took_ms: { type: 'number' } })
    })
  }
}

function growthJson({ series, newHour, newDay }: SeriesGrowth): Record<string, number> {
  return { series, new_1h: newHour, new_1d: newDay }
}

function cardinalityJson(response: CardinalityResult): Record<string, unknown> {
  const { maxSeries, activeSeries, series: counted, overflowSeries, newHour, newDay } = response
  return {
    series: { max: maxSeries, active: activeSeries, counted, overflow: overflowSeries, new_1h: newHour, new_1d: newDay },
    metrics: response.metrics.map(({ name, ...growth }) => ({ metric: name, ...growthJson(growth) })),
    services: response.services.map(({ name, ...growth }) => ({ service: name, ...growthJson(growth) })),
    labels: response.labels.map(({ name, values, newValuesHour, newValuesDay, seriesWithout, ...growth }) => ({
      ...{ label: name, values, new_values_1h: newValuesHour, new_values_1d: newValuesDay, ...growthJson(growth) },
      ...{ series_without: seriesWithout ?? counted, saved: counted - (seriesWithout ?? counted) }
    })),
    found: response.found,
    limit: response.limit,
    stats: { took_ms: tookJson(response.tookMs) }
  }
}

/** `GET /api/v1/metrics/cardinality`. */
export function cardinalityRoute(app: FastifyInstance, deps: CardinalityDeps): void {
  app.get<{ Querystring: CardinalityQuery }>('/api/v1/metrics/cardinality', { schema: SCHEMA }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) =>
      cardinalityJson(await deps.cardinalityReport.of(namespace, req.query, signal))
    )
  )
}
