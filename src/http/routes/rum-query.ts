import type { FastifyInstance } from 'fastify'
import { VITALS } from '../../domain/records/rum.js'
import type { OneOrMany } from '../../query/conditions.js'
import { RUM_DIMENSIONS, type RumDimension } from '../../query/rum-result.js'
import type { RumReport } from '../../query/rum-report.js'
import { parseFilters } from '../field-filters.js'
import { vitalsJson } from '../read-json/event-json.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'
import { sendRead, type ReadAccess } from '../reader.js'

export interface RumQueryDeps extends ReadAccess {
  readonly rumReport: RumReport
}

interface RumQuerystring {
  readonly start?: string
  readonly end?: string
  readonly group_by?: RumDimension
  readonly page_url?: OneOrMany
  readonly browser?: OneOrMany
  readonly device_type?: OneOrMany
  readonly country?: OneOrMany
  readonly os?: OneOrMany
  readonly connection_type?: OneOrMany
  readonly release?: OneOrMany
  readonly session_id?: OneOrMany
  readonly query?: string
  readonly filters?: string
  readonly limit?: number
}

const COUNT = { type: 'integer', minimum: 0 }
const NUMBER = { type: ['number', 'null'] }
const VITAL = {
  type: 'object',
  required: ['samples', 'p50', 'p75', 'p95', 'rating', 'good', 'needs_improvement', 'poor'],
  properties: {
    samples: COUNT,
    p50: NUMBER,
    p75: NUMBER,
    p95: NUMBER,
    rating: { enum: ['good', 'needs_improvement', 'poor', null], description: 'Of the 75th percentile.' },
    good: COUNT,
    needs_improvement: COUNT,
    poor: COUNT
  }
}
const SCHEMA = {
  operationId: 'reportRum',
  tags: ['rum'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      group_by: { type: 'string', enum: Object.keys(RUM_DIMENSIONS) },
      ...Object.fromEntries(
        ['page_url', 'browser', 'device_type', 'country', 'os', 'connection_type', 'release', 'session_id'].map(name => [
          name,
          MANY
        ])
      ),
      query: QUERY_TEXT,
      filters: FILTERS_TEXT,
      limit: { type: 'integer', minimum: 1, description: 'Groups; default 100.' }
    }
  },
  response: {
    200: listSchema('Groups, most events first; one with key null without group_by.', {
      group_by: { type: ['string', 'null'] },
      groups: {
        type: 'array',
        items: {
          type: 'object',
          required: ['key', 'samples', 'sessions', 'metrics'],
          properties: {
            key: { type: ['string', 'null'] },
            samples: COUNT,
            sessions: COUNT,
            metrics: {
              type: 'object',
              additionalProperties: false,
              properties: Object.fromEntries(Object.values(VITALS).map(({ short }) => [short, VITAL]))
            }
          }
        }
      }
    })
  }
}

/** `GET /api/v1/apm/rum`. */
export function rumQueryRoutes(app: FastifyInstance, deps: RumQueryDeps): void {
  app.get<{ Querystring: RumQuerystring }>('/api/v1/apm/rum', { schema: SCHEMA }, async (req, reply) =>
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
