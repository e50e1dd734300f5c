import type { FastifyInstance } from 'fastify'
import type { ServiceEvent } from '../../domain/service-event.js'
import type { ServiceEventReport } from '../../query/service-events/service-event-report.js'
import { typedRoutes } from '../json-schema.js'
import { labelsJson } from '../read-json/alert-json.js'
import { factsJson, pageJson } from '../read-json/facts-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { LIST_SERVICE_EVENTS, type ServiceEventJson } from './service-events-schemas.js'

/** Dependencies of `serviceEventsRoutes`. */
export interface ServiceEventsDeps extends ReadAccess {
  readonly serviceEvents: ServiceEventReport
}

function eventJson({ id, type, atMs, service, version, environment, title, url, attributes }: ServiceEvent): ServiceEventJson {
  const at = new Date(atMs).toISOString()
  return { id, type, at, service, version, environment, title, url, attributes: labelsJson(attributes) }
}

/** Registers `GET /api/v1/events`. */
export function serviceEventsRoutes(app: FastifyInstance, deps: ServiceEventsDeps): void {
  typedRoutes(app).get('/api/v1/events', { schema: LIST_SERVICE_EVENTS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const { start, end, type: types, service, environment, limit, cursor: after } = req.query
      const page = await deps.serviceEvents.list(namespace, { start, end, types, service, environment, limit, after })
      const facts = factsJson({ complete: true, window: page.window, warnings: [], tookMs: page.tookMs })
      return { events: page.events.map(eventJson), ...pageJson(page, null), ...facts }
    })
  )
}
