import type { FastifyInstance } from 'fastify'
import type { IngestRouteDeps } from './ingest-deps.js'

/** Registers endpoints 1 and 2, and the receipts and rejected inbox that are not there yet (501). */
export function ingestLogsRoutes(_app: FastifyInstance, _deps: IngestRouteDeps): void {
  throw new Error('unbuilt')
}
