import type { FastifyInstance } from 'fastify'
import type { LogCorrelation } from '../../query/log-correlation.js'
import type { LogFields } from '../../query/log-fields.js'
import type { LogSearch } from '../../query/log-search.js'
import type { ReadAccess } from '../reader.js'

export interface LogsQueryDeps extends ReadAccess {
  readonly logSearch: LogSearch
  readonly logFields: LogFields
  readonly logCorrelation: LogCorrelation
}

/** Endpoints 5 to 11 and `POST /api/v1/logs/facets`. */
export function logsQueryRoutes(_app: FastifyInstance, _deps: LogsQueryDeps): void {
  // Registered with their use cases.
}
