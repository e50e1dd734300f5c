import type { FastifyInstance } from 'fastify'
import { ingestInboxRoutes } from './ingest-inbox.js'
import { parseLogOverrides } from '../../ingest/recognize-log/log-overrides.js'
import { logOverridesOf } from '../log-overrides.js'
import { type IngestRouteDeps, type WriteRoute, writeRoutes } from './ingest-route.js'
import { batchOf, LOG_ITEM } from './ingest-schemas.js'
import { logSchema } from './log-schema.js'
import { LOG_DEFAULTS, STREAM_BATCH } from './ingest-stream-schemas.js'

const JSON_TYPE = 'application/json'

const facts: WriteRoute['facts'] = req => ({ logs: parseLogOverrides(logOverridesOf(req)) })

/** Registers `POST /api/v1/logs` and `/api/v1/logs/batch`, and the planned receipts and rejected inbox (501). */
export function ingestLogsRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  const authenticate = authenticator.apiKey.bind(authenticator)
  const one = { operationId: 'ingestLog', tag: 'logs', body: { [JSON_TYPE]: LOG_ITEM } }
  const many = {
    operationId: 'ingestLogs',
    tag: 'logs',
    body: {
      [JSON_TYPE]: batchOf('logs', LOG_ITEM, { defaults: LOG_DEFAULTS, stream: STREAM_BATCH }),
      'application/x-ndjson': { type: 'string' }
    }
  }
  writeRoutes(app, ingest, [
    { url: '/api/v1/logs', schema: logSchema(one), useCase: ingest.log, authenticate, facts },
    { url: '/api/v1/logs/batch', schema: logSchema(many), useCase: ingest.logs, authenticate, takesNdjson: true, facts }
  ])
  ingestInboxRoutes(app, authenticator)
}
