import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { IngestObserver, IngestRequest } from '../../ingest/ingest-request.js'
import { authenticateFirst } from '../authenticate-first.js'
import { BodyReceiver } from '../body-receiver.js'
import { readBody, takeRawBodies } from '../request-body.js'
import { addScope } from '../scope.js'
import { type IngestRouteDeps, observerOf, toRequest } from './ingest-route.js'

/** A write of one JSON object by an ingest key. */
export interface ReportRoute {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly schema: FastifySchema
  readonly maxBytes: number
  readonly accept: (request: IngestRequest, req: FastifyRequest, observer: IngestObserver) => Promise<unknown>
}

/** Registers the route in a scope of its own, where bodies are raw bytes. */
export function reportRoute(
  app: FastifyInstance,
  { authenticator }: Pick<IngestRouteDeps, 'authenticator'>,
  { method, url, schema, maxBytes, accept }: ReportRoute
): void {
  const authenticate = authenticator.apiKey.bind(authenticator)
  addScope(app, `report ${url}`, scope => {
    takeRawBodies(scope, maxBytes)
    authenticateFirst(scope, authenticate)
    const receiver = BodyReceiver.of(scope)
    scope.route({
      ...{ method, url, schema, bodyLimit: maxBytes },
      handler: async (req, reply) => {
        const principal = await authenticate(req)
        const body = await readBody(req, receiver, { maxBytes })
        return accept(toRequest(req, { url }, principal, body), req, observerOf(reply))
      }
    })
  })
}
