import type { FastifyInstance } from 'fastify'
import type { RumReport } from '../../query/rum-report.js'
import { parseFilters } from '../field-filters.js'
import { vitalsJson } from '../read-json/event-json.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { REPORT_RUM } from './rum-query-schemas.js'

/** Dependencies of `rumQueryRoutes`. */
export interface RumQueryDeps extends ReadAccess {
  readonly rumReport: RumReport
}

/** `GET /api/v1/apm/rum`. */
export function rumQueryRoutes(app: FastifyInstance, deps: RumQueryDeps): void {
  typedRoutes(app).get('/api/v1/apm/rum', { schema: REPORT_RUM }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { start, end, group_by: groupBy, limit, ...rest } = req.query
      const { page_url: pageUrl, browser, country, os, release, query } = rest
      const { device_type: deviceType, connection_type: connectionType, session_id: sessionId } = rest
      const strings = { pageUrl, browser, deviceType, country, os, connectionType, release, sessionId, query }
      const conditions = { ...strings, filters: parseFilters(rest.filters) }
      const response = await deps.rumReport.vitals(namespace, { start, end, groupBy, limit, conditions }, signal)
      return {
        group_by: groupBy ?? null,
        groups: response.groups.map(vitalsJson),
        ...pageJson(wholePage(response.hasMore, response.limit), null),
        ...factsJson(response)
      }
    })
  )
}
