import type { FastifyInstance } from 'fastify'
import type { ErrorReport } from '../../query/error-report.js'
import type { MetricQuery } from '../../query/metric-query.js'
import type { ReadAccess } from '../reader.js'

export interface ApmQueryDeps extends ReadAccess {
  readonly metricQuery: MetricQuery
  readonly errorReport: ErrorReport
}

/** What endpoints 15 and 16 wrote, read back. */
export function apmQueryRoutes(_app: FastifyInstance, _deps: ApmQueryDeps): void {
  // Registered with their use cases.
}
