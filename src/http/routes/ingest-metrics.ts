import type { FastifyInstance } from 'fastify'
import type { IngestRouteDeps } from './ingest-deps.js'

/** Registers endpoints 3 and 4. */
export function ingestMetricsRoutes(_app: FastifyInstance, _deps: IngestRouteDeps): void {
  throw new Error('unbuilt')
}
