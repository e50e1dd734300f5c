import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { LogCorrelation } from '../../query/log-correlation.js'
import type { LogFields } from '../../query/log-fields.js'
import type { LogSearch } from '../../query/log-search.js'
import type { Timers } from '../../ports/timers.js'
import { readQueryBodies } from '../read-bodies.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { facetJson, logJson, spreadJson, valuesJson } from '../read-json/log-json.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead } from '../reader.js'
import { logPatternsRoute, type LogPatternsDeps } from './log-patterns.js'
import { FACETS, FIELD_VALUES, LOG_FIELDS, SEARCH_LOGS, TRACE_LOGS } from './logs-query-schemas.js'
import { conditionsOfBody, conditionsOfQuery } from './logs-query-requests.js'
import { streamLogs } from './logs-stream.js'
import { addScope } from '../scope.js'

/** Dependencies of `logsQueryRoutes`. */
export interface LogsQueryDeps extends LogPatternsDeps {
  readonly logSearch: LogSearch
  readonly logFields: LogFields
  readonly logCorrelation: LogCorrelation
  readonly timers: Timers
}

/** Registers the reads of logs. */
export function logsQueryRoutes(app: FastifyInstance, deps: LogsQueryDeps): void {
  addScope(app, 'logs-query', scope => {
    readQueryBodies(scope)
    searchRoute(scope, deps)
    facetsRoute(scope, deps)
  })
  for (const [path, field] of [
    ['levels', 'level'],
    ['services', 'service'],
    ['hosts', 'host']
  ] as const)
    valuesRoute(app, deps, { path, field })
  fieldsRoute(app, deps)
  traceRoute(app, deps)
  logPatternsRoute(app, deps)
}

/** `POST /api/v1/logs/query`. */
function searchRoute(scope: FastifyInstance, deps: LogsQueryDeps): void {
  typedRoutes(scope).post('/api/v1/logs/query', { schema: SEARCH_LOGS }, async (req, reply) => {
    const { start, end, order, limit, cursor, around, total, ...rest } = req.body ?? {}
    const query = { start, end, order, limit, cursor, around, total, conditions: conditionsOfBody(rest) }
    if (req.headers.accept?.includes('application/x-ndjson')) return streamLogs(req, reply, deps, query)
    return sendRead(req, reply, deps, async (namespace, signal) => {
      const response = await deps.logSearch.search(namespace, query, signal)
      const logs = response.rows.map(log => logJson(log, namespace.name))
      return { logs, ...pageJson(response.page, response.total), ...factsJson(response) }
    })
  })
}

/** `GET /api/v1/logs/levels`, `/services` and `/hosts`. */
function valuesRoute(
  app: FastifyInstance,
  deps: LogsQueryDeps,
  { path, field }: { readonly path: string; readonly field: string }
): void {
  const schema = {
    ...FIELD_VALUES,
    operationId: `listLog${path[0]!.toUpperCase()}${path.slice(1)}`
  }
  typedRoutes(app).get(`/api/v1/logs/${path}`, { schema }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { start, end, prefix, limit } = req.query
      const query = { field, start, end, prefix, limit, conditions: conditionsOfQuery(req.query) }
      const response = await deps.logFields.values(namespace, query, signal)
      const { distinct, values } = response.facet
      const page = wholePage(distinct.value > values.length, response.limit)
      return { ...valuesJson(response.facet), ...pageJson(page, distinct), ...factsJson(response) }
    })
  )
}

/** `GET /api/v1/logs/fields`. */
function fieldsRoute(app: FastifyInstance, deps: LogsQueryDeps): void {
  typedRoutes(app).get('/api/v1/logs/fields', { schema: LOG_FIELDS }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { start, end, contains, limit } = req.query
      const query = { start, end, contains, limit, conditions: conditionsOfQuery(req.query) }
      const response = await deps.logFields.fields(namespace, query, signal)
      return { fields: response.fields, ...pageJson(wholePage(response.hasMore, response.limit), null), ...factsJson(response) }
    })
  )
}

function facetsRoute(scope: FastifyInstance, deps: LogsQueryDeps): void {
  typedRoutes(scope).post('/api/v1/logs/facets', { schema: FACETS }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { start, end, fields, contains, limit, ...rest } = req.body ?? {}
      if (contains && !fields) throw new GatewayError('invalid_field', 'contains needs fields to search in', { field: 'fields' })
      const facets = fields?.map(field => ({ field, contains, limit }))
      const query = { start, end, facets, limit, conditions: conditionsOfBody(rest) }
      const response = await deps.logFields.facets(namespace, query, signal)
      const page = pageJson(wholePage(false, response.facets.length), { value: response.facets.length, relation: 'eq' })
      const { facets: counted, spreads, skipped } = response
      return {
        ...{ facets: counted.map(facetJson), ranges: spreads.map(spreadJson), skipped: [...skipped] },
        ...page,
        ...factsJson(response)
      }
    })
  )
}

/** `GET /api/v1/logs/correlate/traces/{trace_id}`. */
function traceRoute(app: FastifyInstance, deps: LogsQueryDeps): void {
  typedRoutes(app).get('/api/v1/logs/correlate/traces/:trace_id', { schema: TRACE_LOGS }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { span_id: spanId, ...rest } = req.query
      const query = { ...rest, spanId, traceId: req.params.trace_id }
      const response = await deps.logCorrelation.ofTrace(namespace, query, signal)
      return {
        trace_id: response.traceId,
        trace_found: response.traceFound,
        logs: response.logs.rows.map(log => logJson(log, namespace.name)),
        by_span: response.bySpan.map(({ spanId: id, count }) => ({ span_id: id, count })),
        unlinked: response.unlinked,
        ...pageJson(response.logs.page, response.logs.total),
        ...factsJson(response.logs)
      }
    })
  )
}
