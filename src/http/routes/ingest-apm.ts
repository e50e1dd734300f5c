import type { FastifyInstance } from 'fastify'
import type { IngestRouteDeps } from './ingest-deps.js'

/** Registers endpoints 15 and 16. */
export function ingestApmRoutes(_app: FastifyInstance, _deps: IngestRouteDeps): void {
  throw new Error('unbuilt')
}
