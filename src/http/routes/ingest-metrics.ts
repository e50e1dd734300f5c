import type { FastifyInstance } from 'fastify'
import { type IngestRouteDeps, writeRoutes } from './ingest-route.js'
import { batchOf, METRIC, writeSchema } from './ingest-schemas.js'

const JSON_TYPE = 'application/json'

/** Registers `POST /api/v1/ingest` and `/api/v1/ingest/batch`. */
export function ingestMetricsRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  const authenticate = authenticator.apiKey.bind(authenticator)
  const one = { operationId: 'ingestMetric', tag: 'metrics', body: { [JSON_TYPE]: METRIC } }
  const many = {
    operationId: 'ingestMetrics',
    tag: 'metrics',
    body: { [JSON_TYPE]: batchOf('metrics', METRIC), 'application/x-ndjson': { type: 'string' } }
  }
  writeRoutes(app, ingest, [
    { url: '/api/v1/ingest', schema: writeSchema(one), useCase: ingest.point, authenticate },
    { url: '/api/v1/ingest/batch', schema: writeSchema(many), useCase: ingest.points, authenticate, takesNdjson: true }
  ])
}
