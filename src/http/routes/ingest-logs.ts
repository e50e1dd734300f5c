import type { FastifyInstance } from 'fastify'
import { ingestInboxRoutes } from './ingest-inbox.js'
import { type IngestRouteDeps, writeRoutes } from './ingest-route.js'
import { batchOf, LOG, writeSchema } from './ingest-schemas.js'

const JSON_TYPE = 'application/json'

/** Registers endpoints 1 and 2, and the receipts and rejected inbox that are not there yet (501). */
export function ingestLogsRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  const authenticate = authenticator.apiKey.bind(authenticator)
  const one = { operationId: 'ingestLog', summary: 'Write one log record', tag: 'logs', body: { [JSON_TYPE]: LOG } }
  const many = {
    operationId: 'ingestLogs',
    summary: 'Write log records: an envelope, a bare array, or NDJSON with one record per line',
    tag: 'logs',
    body: { [JSON_TYPE]: batchOf('logs', LOG), 'application/x-ndjson': { type: 'string' } }
  }
  writeRoutes(app, ingest, [
    { url: '/api/v1/logs', schema: writeSchema(one), useCase: ingest.log, authenticate },
    { url: '/api/v1/logs/batch', schema: writeSchema(many), useCase: ingest.logs, authenticate, takesNdjson: true }
  ])
  ingestInboxRoutes(app, authenticator)
}
