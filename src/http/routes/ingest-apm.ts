import type { FastifyInstance } from 'fastify'
import { type IngestRouteDeps, writeRoutes } from './ingest-route.js'
import { APM_ERROR, APM_METRIC, writeSchema } from './ingest-schemas.js'

const JSON_TYPE = 'application/json'

/** Registers `POST /api/v1/apm/metrics` and `/api/v1/apm/errors`. */
export function ingestApmRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  const authenticate = authenticator.apiKey.bind(authenticator)
  const metric = {
    operationId: 'ingestApmMetric',
    tag: 'apm',
    body: { [JSON_TYPE]: APM_METRIC }
  }
  const error = {
    operationId: 'ingestApmError',
    tag: 'apm',
    body: { [JSON_TYPE]: APM_ERROR }
  }
  writeRoutes(app, ingest, [
    { url: '/api/v1/apm/metrics', schema: writeSchema(metric), useCase: ingest.apmMetric, authenticate },
    { url: '/api/v1/apm/errors', schema: writeSchema(error), useCase: ingest.apmError, authenticate }
  ])
}
