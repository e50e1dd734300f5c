import type { FastifyInstance } from 'fastify'
import type { MetricCorrelation } from '../../query/correlation/metric-correlation.js'
import { readQueryBodies } from '../read-bodies.js'
import { metricCorrelationJson } from '../read-json/correlation-json.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { CORRELATE_METRICS } from './correlate-metrics-schemas.js'
import { addScope } from '../scope.js'

/** Dependencies of `correlateMetricsRoute`. */
export interface CorrelateMetricsDeps extends ReadAccess {
  readonly metricCorrelation: MetricCorrelation
}

/** `POST /api/v1/logs/correlate/metrics`. */
export function correlateMetricsRoute(app: FastifyInstance, deps: CorrelateMetricsDeps): void {
  addScope(app, 'correlate-metrics', scope => {
    readQueryBodies(scope)
    const path = '/api/v1/logs/correlate/metrics'
    typedRoutes(scope).post(path, { schema: CORRELATE_METRICS }, async (req, reply) =>
      sendRead(req, reply, deps, async (namespace, signal) => {
        const { window_s: windowS, metrics, top, anchor } = req.body
        const { log_id: logId, trace_id: traceId, ...rest } = anchor
        const query = { anchor: { logId, traceId, ...rest }, windowS, metrics, top }
        const response = await deps.metricCorrelation.correlate(namespace, query, signal)
        const page = pageJson(wholePage(response.moved > response.top, response.top), { value: response.moved, relation: 'eq' })
        return { ...metricCorrelationJson(response), ...page, ...factsJson(response) }
      })
    )
  })
}
