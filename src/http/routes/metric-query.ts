import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MetricQuery } from '../../query/metric-query.js'
import { handleEndpoint } from '../prometheus/handle-endpoint.js'
import { sendPrometheusError } from '../prometheus/send-errors.js'
import { INSTANT_QUERY, type PrometheusDeps } from '../prometheus/endpoints.js'
import { readFormBodies } from '../prometheus/params.js'
import { readQueryBodies } from '../read-bodies.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead } from '../reader.js'
import { QUERY_METRIC } from './metric-query-schemas.js'
import { seriesText, toRangeQuery } from './metric-series.js'
import { addScope } from '../scope.js'

/** Dependencies of `metricQueryRoutes`. */
export interface MetricRoutesDeps extends PrometheusDeps {
  readonly metricQuery: MetricQuery
}

/** A form on this path is Prometheus's own call, for clients whose base URL is the service's. */
async function handleForm(req: FastifyRequest, reply: FastifyReply, deps: PrometheusDeps): Promise<FastifyReply> {
  try {
    return await handleEndpoint(req, reply, deps, INSTANT_QUERY)
  } catch (error) {
    return sendPrometheusError(error, req, reply)
  }
}

/** `POST /api/v1/query`. */
export function metricQueryRoutes(app: FastifyInstance, deps: MetricRoutesDeps): void {
  addScope(app, 'metric-query', scope => {
    readQueryBodies(scope)
    readFormBodies(scope)
    scope.addHook('preValidation', async (req, reply) => {
      return req.body instanceof URLSearchParams ? handleForm(req, reply, deps) : undefined
    })
    typedRoutes(scope).post('/api/v1/query', { schema: QUERY_METRIC }, async (req, reply) => {
      const text = await sendRead(req, reply, deps, async (namespace, signal) => {
        return seriesText(req.body, await deps.metricQuery.range(namespace, toRangeQuery(req.body), signal))
      })
      // Sent as text: it is written already.
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    })
  })
}
