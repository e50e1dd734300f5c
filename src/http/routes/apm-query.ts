import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import { formatNs } from '../../domain/timestamp.js'
import type { ErrorReport } from '../../query/error-report.js'
import type { SeriesSummary } from '../../query/metric-result.js'
import type { MetricQuery } from '../../query/metric-query.js'
import { parseFilters } from '../field-filters.js'
import { errorEventJson, errorGroupJson } from '../read-json/event-json.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { labelsJson } from '../read-json/metric-json.js'
import { type All, type Static, typedRoutes } from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import type { ListFacts } from '../read-schemas.js'
import { APM_ERRORS } from './apm-query-schemas.js'
import { APM_METRICS, type APM_SERIES, type APM_SERIES_MEMBERS } from './metric-query-schemas.js'
import { seriesJson, toRangeQuery } from './metric-series.js'

/** Dependencies of `apmQueryRoutes`. */
export interface ApmQueryDeps extends ReadAccess {
  readonly metricQuery: MetricQuery
  readonly errorReport: ErrorReport
}

function metricSeriesJson({ name, type, labels, firstSeenNs, lastSeenNs }: SeriesSummary): Static<typeof APM_SERIES> {
  const { service = '', ...rest } = labelsJson(labels)
  return { name, type, service, labels: rest, first_seen: formatNs(firstSeenNs), last_seen: formatNs(lastSeenNs) }
}

/** Series of services; a series without the label `service` was not written as an APM metric. */
async function listMetrics(
  metrics: MetricQuery,
  namespace: Namespace,
  { service, start, end, limit }: Static<typeof APM_METRICS.querystring>,
  signal: AbortSignal
): Promise<All<typeof APM_SERIES_MEMBERS> & ListFacts> {
  const match = [
    service ? ({ name: 'service', op: 'eq', value: service } as const) : ({ name: 'service', op: 'neq', value: '' } as const)
  ]
  const response = await metrics.series(namespace, { start, end, match, limit }, signal)
  return {
    metrics: response.series.map(metricSeriesJson),
    ...pageJson(wholePage(response.hasMore, response.limit), null),
    ...factsJson(response)
  }
}

function metricsRoute(app: FastifyInstance, deps: ApmQueryDeps): void {
  typedRoutes(app).get('/api/v1/apm/metrics', { schema: APM_METRICS }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { name, service, ...rest } = req.query
      if (name === undefined || name === '') return listMetrics(deps.metricQuery, namespace, req.query, signal)
      const body = { ...rest, metric: name, ...(service && { labels: { service } }) }
      return seriesJson(body, await deps.metricQuery.range(namespace, toRangeQuery(body), signal))
    })
  )
}

function errorsRoute(app: FastifyInstance, deps: ApmQueryDeps): void {
  typedRoutes(app).get('/api/v1/apm/errors', { schema: APM_ERRORS }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { start, end, service, type, trace_id: traceId, release, state, fingerprint, query, limit, cursor } = req.query
      const conditions = { service, type, traceId, release, fingerprint, query, filters: parseFilters(req.query.filters) }
      if (fingerprint) {
        const response = await deps.errorReport.events(namespace, { start, end, conditions, limit, cursor, total: true }, signal)
        const events = response.rows.map(error => errorEventJson(error, namespace.name))
        return { events, ...pageJson(response.page, response.total), ...factsJson(response) }
      }
      if (cursor)
        throw new GatewayError('invalid_field', 'cursor continues the errors of a fingerprint: groups have no cursor', {
          field: 'cursor'
        })
      const response = await deps.errorReport.groups(namespace, { start, end, conditions, states: state, limit }, signal)
      const page = pageJson(wholePage(response.hasMore, response.limit), null)
      return { groups: response.groups.map(errorGroupJson), ...page, ...factsJson(response) }
    })
  )
}

/** Reads of service metrics and errors. */
export function apmQueryRoutes(app: FastifyInstance, deps: ApmQueryDeps): void {
  metricsRoute(app, deps)
  errorsRoute(app, deps)
}
