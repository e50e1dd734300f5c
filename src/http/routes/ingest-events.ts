import type { FastifyInstance } from 'fastify'
import { type IngestRouteDeps } from './ingest-route.js'
import { reportRoute } from './report-route.js'
import { POST_EVENT } from './service-events-schemas.js'

/** Registers `POST /api/v1/events`. */
export function ingestEventsRoutes(app: FastifyInstance, { ingest, authenticator }: IngestRouteDeps): void {
  const { serviceEvent } = ingest
  reportRoute(
    app,
    { authenticator },
    {
      method: 'POST',
      url: '/api/v1/events',
      schema: POST_EVENT,
      maxBytes: serviceEvent.limits.bodyBytes,
      accept: (request, _req, observer) => serviceEvent.accept(request, observer)
    }
  )
}
