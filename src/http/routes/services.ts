import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { ServiceMap } from '../../query/apm/service-map.js'
import type { ServiceReport } from '../../query/apm/service-report.js'
import { parseFilters } from '../field-filters.js'
import { serviceResultJson, serviceMapJson, servicesJson } from '../read-json/apm-json.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { SERVICE_BY_NAME, SERVICE_MAP, SERVICES } from './services-schemas.js'

/** Dependencies of `servicesRoutes`. */
export interface ServicesDeps extends ReadAccess {
  readonly serviceReport: ServiceReport
  readonly serviceMap: ServiceMap
}

function servicesRoute(app: FastifyInstance, deps: ServicesDeps): void {
  typedRoutes(app).get('/api/v1/apm/services', { schema: SERVICES }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { apdex_ms: apdexMs, filters, ...rest } = req.query
      const query = { ...rest, apdexMs, filters: parseFilters(filters) }
      const response = await deps.serviceReport.list(namespace, query, signal)
      const total = { value: response.total, relation: 'eq' } as const
      return {
        ...servicesJson(response),
        ...pageJson(wholePage(response.hasMore, response.limit), total),
        ...factsJson(response)
      }
    })
  )
}

function serviceRoute(app: FastifyInstance, deps: ServicesDeps): void {
  typedRoutes(app).get('/api/v1/apm/services/:name', { schema: SERVICE_BY_NAME }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { apdex_ms: apdexMs, ...rest } = req.query
      const response = await deps.serviceReport.get(namespace, req.params.name, { ...rest, apdexMs }, signal)
      if (!response) throw new GatewayError('not_found', 'the service has no spans in the window')
      const page = pageJson(wholePage(false, 1), { value: 1, relation: 'eq' })
      return { ...serviceResultJson(response), ...page, ...factsJson(response) }
    })
  )
}

function mapRoute(app: FastifyInstance, deps: ServicesDeps): void {
  typedRoutes(app).get('/api/v1/apm/service-map', { schema: SERVICE_MAP }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { service, ...rest } = req.query
      const query = { ...rest, service: service === '' ? undefined : service }
      const response = await deps.serviceMap.map(namespace, query, signal)
      return {
        ...serviceMapJson(response),
        ...pageJson(wholePage(response.hasMore, response.limit), null),
        ...factsJson(response)
      }
    })
  )
}

/** Services and who calls whom, out of spans. */
export function servicesRoutes(app: FastifyInstance, deps: ServicesDeps): void {
  servicesRoute(app, deps)
  serviceRoute(app, deps)
  mapRoute(app, deps)
}
