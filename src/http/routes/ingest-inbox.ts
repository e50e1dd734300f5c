import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { Authenticator } from '../authenticate.js'

const PLANNED = [
  { method: 'GET', url: '/api/v1/ingest/receipts/:id', operationId: 'getReceipt', what: 'reading the receipt of a write' },
  { method: 'GET', url: '/api/v1/ingest/rejected', operationId: 'listRejected', what: 'listing rejected records' },
  { method: 'POST', url: '/api/v1/ingest/rejected/replay', operationId: 'replayRejected', what: 'replaying rejected records' }
] as const

const PARAMS = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }

/** Registers the receipts and the rejected inbox, which are planned and return 501. */
export function ingestInboxRoutes(app: FastifyInstance, authenticator: Pick<Authenticator, 'apiKey'>): void {
  for (const { method, url, operationId, what } of PLANNED) {
    const schema = {
      operationId,
      tags: ['ingest'],
      security: [{ api_key: [] }],
      ...(url.includes(':id') ? { params: PARAMS } : {}),
      response: {
        501: { description: 'Not implemented yet.', content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } } }
      }
    }
    app.route({
      method,
      url,
      schema,
      handler: async req => {
        await authenticator.apiKey(req)
        throw new GatewayError('not_implemented', `${what} is not implemented`)
      }
    })
  }
}
