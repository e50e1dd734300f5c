import type { FastifyInstance } from 'fastify'
import type { MetricQuery } from '../../query/metric-query.js'
import type { ReadAccess } from '../reader.js'

export interface MetricRoutesDeps extends ReadAccess {
  readonly metricQuery: MetricQuery
}

/** Endpoint 12. */
export function metricQueryRoutes(_app: FastifyInstance, _deps: MetricRoutesDeps): void {
  // Registered with their use cases.
}
