import type { FastifyInstance } from 'fastify'
import type { RumRouteDeps } from './ingest-deps.js'

/** Registers endpoint 13 POST and its CORS preflight. */
export function ingestRumRoutes(_app: FastifyInstance, _deps: RumRouteDeps): void {
  throw new Error('unbuilt')
}
