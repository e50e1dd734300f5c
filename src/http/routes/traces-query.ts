import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { TraceLogs } from '../../query/traces/trace-logs.js'
import type { TraceQuery } from '../../query/traces/trace-query.js'
import type { ReadTrace, TraceReading } from '../../query/traces/trace-reading.js'
import type { TraceSearch } from '../../query/traces/trace-search.js'
import type { EventLoopSlices } from '../../threads/event-loop-slices.js'
import { readQueryBodies } from '../read-bodies.js'
import { factsJson, pageJson } from '../read-json/facts-json.js'
import { facetJson } from '../read-json/log-json.js'
import { nsJson } from '../read-json/time-json.js'
import { comparisonJson, durationsJson, histogramJson, summaryJson, traceText } from '../read-json/trace-json.js'
import { type Static, typedRoutes } from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { requestOfBody, requestOfQuery } from './traces-query-requests.js'
import { COMPARE_TRACES, GET_TRACE, QUERY_TRACES, SEARCH_TRACES, type SIDE } from './traces-query-schemas.js'
import { addScope } from '../scope.js'
import { distinctWarnings, warningSentence } from '../../domain/warning.js'

/** Dependencies of `tracesQueryRoutes`. */
export interface TracesQueryDeps extends ReadAccess {
  readonly traceSearch: TraceSearch
  readonly traceReading: TraceReading
  readonly traceLogs: TraceLogs
  readonly slices: EventLoopSlices
}

/** Searching, reading and comparing traces. */
export function tracesQueryRoutes(app: FastifyInstance, deps: TracesQueryDeps): void {
  typedRoutes(app).get('/api/v1/traces', { schema: SEARCH_TRACES }, async (req, reply) =>
    sendSearch(req, reply, deps, requestOfQuery(req.query))
  )
  addScope(app, 'traces-query', scope => {
    readQueryBodies(scope)
    typedRoutes(scope).post('/api/v1/traces/query', { schema: QUERY_TRACES }, async (req, reply) =>
      sendSearch(req, reply, deps, requestOfBody(req.body ?? {}))
    )
  })
  readRoute(app, deps)
  compareRoute(app, deps)
}

async function sendSearch(
  req: FastifyRequest,
  reply: FastifyReply,
  deps: TracesQueryDeps,
  query: TraceQuery
): Promise<Static<(typeof SEARCH_TRACES)['response'][200]>> {
  return sendRead(req, reply, deps, async (namespace, signal) => {
    const response = await deps.traceSearch.search(namespace, query, signal)
    const [histogram] = response.histograms
    const [durations] = response.durations
    return {
      traces: response.rows.map(summaryJson),
      histogram: histogram ? histogramJson(histogram) : null,
      durations: durations ? durationsJson(durations) : null,
      facets: response.facets.map(facetJson),
      ...pageJson(response.page, response.total),
      ...factsJson(response)
    }
  })
}

function readRoute(app: FastifyInstance, deps: TracesQueryDeps): void {
  typedRoutes(app).get('/api/v1/traces/:trace_id', { schema: GET_TRACE }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const trace = await deps.traceReading.get(namespace, req.params.trace_id, signal)
      if (!trace) throw new GatewayError('not_found', 'no trace of this id is stored in this namespace')
      const shown = deps.traceReading.shown(trace, req.query.limit)
      const { startNs, durationNs } = trace.view
      const logs = await deps.traceLogs.bySpan(namespace, { traceId: trace.traceId, startNs, durationNs }, signal)
      void reply.type('application/json; charset=utf-8')
      return deps.slices.run(traceText(trace, shown, logs), signal)
    })
  )
}

function sideJson({ traceId, view, isTruncated }: ReadTrace): Static<typeof SIDE> {
  const { durationNs, spans } = view
  return { trace_id: traceId, duration_ns: nsJson(durationNs), span_count: spans.length, truncated: isTruncated }
}

function compareRoute(app: FastifyInstance, deps: TracesQueryDeps): void {
  typedRoutes(app).get('/api/v1/traces/:trace_id/compare', { schema: COMPARE_TRACES }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { base, other, operations } = await deps.traceReading.compare(namespace, req.params.trace_id, req.query.other, signal)
      const warnings = distinctWarnings([...base.warnings, ...other.warnings]).map(warningSentence)
      return { base: sideJson(base), other: sideJson(other), operations: operations.map(comparisonJson), warnings }
    })
  )
}
