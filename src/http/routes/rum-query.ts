import type { FastifyInstance } from 'fastify'
import type { RumReport } from '../../query/rum-report.js'
import type { ReadAccess } from '../reader.js'

export interface RumQueryDeps extends ReadAccess {
  readonly rumReport: RumReport
}

/** Endpoint 14. */
export function rumQueryRoutes(_app: FastifyInstance, _deps: RumQueryDeps): void {
  // Registered with their use cases.
}
