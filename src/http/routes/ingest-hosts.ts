import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { authenticateFirst } from '../authenticate-first.js'
import { BodyReceiver } from '../body-receiver.js'
import { readBody, takeRawBodies } from '../request-body.js'
import { addScope } from '../scope.js'
import { PUT_HOST } from './ingest-host-schemas.js'
import { type IngestRouteDeps, observerOf, queryParameter, toRequest } from './ingest-route.js'

const URL = '/api/v1/hosts/:id'

/** The page of streams that is requested; null without one. */
function streamsAfter(req: FastifyRequest): string | null {
  const value = queryParameter(req, 'streams') ?? 'false'
  if (value !== 'true' && value !== 'false')
    throw new GatewayError('invalid_field', 'streams must be true or false', { field: 'streams' })
  return value === 'true' ? (queryParameter(req, 'after') ?? '') : null
}

/** Registers `PUT /api/v1/hosts/{id}`. */
export function ingestHostsRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  const authenticate = authenticator.apiKey.bind(authenticator)
  const { bodyBytes: maxBytes } = ingest.hosts.limits
  addScope(app, 'ingest-hosts', scope => {
    takeRawBodies(scope, maxBytes)
    authenticateFirst(scope, authenticate)
    const receiver = BodyReceiver.of(scope)
    scope.route({
      method: 'PUT',
      url: URL,
      schema: PUT_HOST,
      bodyLimit: maxBytes,
      handler: async (req, reply) => {
        const principal = await authenticate(req)
        const body = await readBody(req, receiver, { maxBytes })
        const { id } = req.params as { readonly id: string }
        const request = toRequest(req, { url: URL }, principal, body)
        return ingest.hosts.accept(request, { id, streamsAfter: streamsAfter(req) }, observerOf(reply))
      }
    })
  })
}
