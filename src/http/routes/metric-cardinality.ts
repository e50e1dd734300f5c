import type { FastifyInstance } from 'fastify'
import type { SeriesGrowth } from '../../ports/metric-store.js'
import type { CardinalityResult, CardinalityReport } from '../../query/cardinality-report.js'
import { tookJson } from '../read-json/facts-json.js'
import {
  type All,
  COUNT,
  list,
  type Members,
  NUMBER,
  optional,
  type Static,
  TEXT,
  typed,
  type Typed,
  typedRoutes
} from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

/** Dependencies of `cardinalityRoute`. */
export interface CardinalityDeps extends ReadAccess {
  readonly cardinalityReport: CardinalityReport
}

const NEW = { new_1h: COUNT, new_1d: COUNT }

/** An object of this response: without further members. */
function whole<P extends Members>(properties: P, options: object = {}): Typed<All<P>> {
  return typed({ type: 'object', required: Object.keys(properties), additionalProperties: false, properties, ...options })
}

const SCHEMA = {
  operationId: 'getCardinality',
  tags: ['metrics'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    metric: { ...TEXT, description: 'Only the series of this metric.' },
    order: {
      enum: ['series', 'hour', 'day'],
      description: 'Order: most series (labels: most values; default), or most new series in the last hour or day.'
    } as const,
    limit: { type: 'integer', minimum: 1, description: 'Entries of each list; default 10.' } as const
  }),
  response: {
    200: whole({
      series: whole({ max: COUNT, active: COUNT, counted: COUNT, overflow: COUNT, ...NEW }),
      metrics: list(whole({ metric: TEXT, series: COUNT, ...NEW })),
      services: list(whole({ service: TEXT, series: COUNT, ...NEW })),
      labels: list(
        whole({
          ...{ label: TEXT, values: COUNT, new_values_1h: COUNT, new_values_1d: COUNT, series: COUNT, ...NEW },
          series_without: { ...COUNT, description: 'Number of series if the label were removed.' },
          saved: COUNT
        })
      ),
      found: whole(
        { metrics: COUNT, services: COUNT, labels: COUNT },
        { description: 'Entries of each list without the limit.' }
      ),
      limit: COUNT,
      stats: whole({ took_ms: NUMBER })
    })
  }
}

function growthJson({ series, newHour, newDay }: SeriesGrowth): All<typeof NEW & { series: typeof COUNT }> {
  return { series, new_1h: newHour, new_1d: newDay }
}

function cardinalityJson(response: CardinalityResult): Static<(typeof SCHEMA)['response'][200]> {
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
  typedRoutes(app).get('/api/v1/metrics/cardinality', { schema: SCHEMA }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) =>
      cardinalityJson(await deps.cardinalityReport.of(namespace, req.query, signal))
    )
  )
}
