import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { PUT_HOST } from './ingest-host-schemas.js'
import { type IngestRouteDeps, queryParameter } from './ingest-route.js'
import { reportRoute } from './report-route.js'

/** The page of streams that is requested; null without one. */
function streamsAfter(req: FastifyRequest): string | null {
  const value = queryParameter(req, 'streams') ?? 'false'
  if (value !== 'true' && value !== 'false')
    throw new GatewayError('invalid_field', 'streams must be true or false', { field: 'streams' })
  return value === 'true' ? (queryParameter(req, 'after') ?? '') : null
}

/** Registers `PUT /api/v1/hosts/{id}`. */
export function ingestHostsRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  reportRoute(
    app,
    { authenticator },
    {
      method: 'PUT',
      url: '/api/v1/hosts/:id',
      schema: PUT_HOST,
      maxBytes: ingest.hosts.limits.bodyBytes,
      accept: (request, req, observer) => {
        const { id } = req.params as { readonly id: string }
        return ingest.hosts.accept(request, { id, streamsAfter: streamsAfter(req) }, observer)
      }
    }
  )
}
