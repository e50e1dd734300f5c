import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { MetricQuery } from '../../query/metric-query.js'
import { FORM_BODY, readQuestionBodies } from '../read-bodies.js'
import { answerRead, type ReadAccess } from '../reader.js'
import { QUERY_METRIC } from './metric-query-schemas.js'
import { type MetricQueryBody, seriesJson, toRangeQuery } from './metric-series.js'

export interface MetricRoutesDeps extends ReadAccess {
  readonly metricQuery: MetricQuery
}

/** Endpoint 12. */
export function metricQueryRoutes(app: FastifyInstance, deps: MetricRoutesDeps): void {
  app.register(async scope => {
    readQuestionBodies(scope)
    scope.addHook('preValidation', async req => {
      if (req.body === FORM_BODY) throw new GatewayError('not_implemented', 'PromQL on this path is planned and not there yet')
    })
    scope.post<{ Body: MetricQueryBody }>('/api/v1/query', { schema: QUERY_METRIC }, async (req, reply) =>
      answerRead(req, reply, deps, async (namespace, signal) => {
        const answer = await deps.metricQuery.range(namespace, toRangeQuery(req.body), signal)
        return seriesJson(req.body, answer)
      })
    )
  })
}
