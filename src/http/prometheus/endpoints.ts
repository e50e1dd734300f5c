import type { FastifyRequest } from 'fastify'
import type { AlertReport } from '../../alerting/rules/alert-report.js'
import { bareObject } from '../../domain/bare-object.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricFactsQuery } from '../../query/metric-facts.js'
import type { PromqlExemplars } from '../../query/promql/promql-exemplars.js'
import type { PromqlQuery } from '../../query/promql/promql-query.js'
import type { PromqlRequest } from '../../query/promql/promql-request.js'
import type { PromqlSeries, SelectedSeriesRequest } from '../../query/promql/promql-series.js'
import { exprJson } from '../../query/promql/syntax/ast-json.js'
import { printPretty } from '../../query/promql/syntax/print.js'
import type { ReadAccess } from '../reader.js'
import { badData, type PrometheusParams, labelNameOf } from './params.js'
import { alertsResponse, rulesResponse } from './rules.js'
import { exemplarsJson, writeData } from './write-data.js'

/** The dependencies of the Prometheus-compatible routes. */
export interface PrometheusDeps extends ReadAccess {
  readonly promql: PromqlQuery
  readonly promqlSeries: PromqlSeries
  readonly promqlExemplars: PromqlExemplars
  readonly metricFacts: MetricFactsQuery
  readonly alertReport: AlertReport
  readonly clock: Clock
}

// What 64 bits of nanoseconds hold.
const [EARLIEST_MS, LATEST_MS] = [-9_223_372_036_854, 9_223_372_036_853]
const NS_PER_MS = 1_000_000n

/** Runs one query of a namespace and returns the JSON of the body: a string, or UTF-8. */
type Handler = (params: PrometheusParams, requested: RequestContext) => Promise<string | Uint8Array>

/** The namespace and the caller of a query. */
interface RequestContext {
  readonly deps: PrometheusDeps
  readonly namespace: Namespace
  readonly signal: AbortSignal
  readonly req: FastifyRequest
}

/** One endpoint of Prometheus's HTTP API below `/api/v1`. */
export interface Endpoint {
  readonly path: string
  readonly operationId: string
  readonly takesForm: boolean
  readonly run: Handler
}

function requestOf(params: PrometheusParams, steps: PromqlRequest['steps'], isRange: boolean): PromqlRequest {
  const requested = params.durationMs('lookback_delta')
  // An invalid length is ignored.
  const lookbackMs = requested !== undefined && requested > 0 ? Math.round(requested) : undefined
  const timeoutMs = params.durationMs('timeout')
  const limit = params.limit()
  return {
    query: params.query,
    steps,
    isRange,
    ...(Number.isFinite(limit) && { limit }),
    ...(lookbackMs !== undefined && { lookbackMs }),
    ...(timeoutMs !== undefined && { timeoutMs })
  }
}

const instant: Handler = (params, { deps, namespace, signal }) => {
  const atMs = params.timeMs('time') ?? deps.clock.nowMs()
  return deps.promql.run(namespace, requestOf(params, { startMs: atMs, stepMs: 1, count: 1 }, false), signal)
}

const range: Handler = (params, { deps, namespace, signal }) => {
  const steps = rangeSteps(params, deps.promql.maxPoints)
  return deps.promql.run(namespace, requestOf(params, steps, true), signal)
}

function rangeSteps(params: PrometheusParams, maxPoints: number): PromqlRequest['steps'] {
  const [startMs, endMs] = [params.requiredTimeMs('start'), params.requiredTimeMs('end')]
  if (endMs < startMs) throw badData('end', 'end timestamp must not be before start time')
  const stepMs = Math.round(params.requiredDurationMs('step'))
  if (stepMs <= 0) {
    throw badData('step', 'zero or negative query resolution step widths are not accepted. Try a positive integer')
  }
  // Prometheus counts the steps between the points.
  const between = Math.floor((endMs - startMs) / stepMs)
  if (between <= maxPoints) return { startMs, stepMs, count: between + 1, endMs }
  const most = maxPoints.toLocaleString('en-US')
  const detail = `exceeded maximum resolution of ${most} points per timeseries. Try decreasing the query resolution (?step=XX)`
  throw new GatewayError('invalid_field', detail, { field: 'step' })
}

/** All times by default, as far back as samples are kept. */
function rangeOf(params: PrometheusParams): TimeRange {
  const [startMs, endMs] = [params.timeMs('start') ?? EARLIEST_MS, params.timeMs('end') ?? LATEST_MS]
  return { startNs: BigInt(startMs) * NS_PER_MS, endNs: BigInt(endMs + 1) * NS_PER_MS }
}

function seriesRequest(params: PrometheusParams): SelectedSeriesRequest {
  return { selectors: params.all('match[]'), range: rangeOf(params) }
}

const series: Handler = async (params, requested) => {
  if (params.all('match[]').length === 0)
    throw new GatewayError('missing_field', 'no match[] parameter provided', { field: 'match[]' })
  const { deps, namespace, signal } = requested
  const { series: found, hasMore } = await deps.promqlSeries.find(namespace, seriesRequest(params), signal)
  return writeData(
    found.map(labels => labels.toObject()),
    params.limit(),
    hasMore ? ['there are more series than the limit of one read'] : []
  )
}

async function labelStrings(
  params: PrometheusParams,
  { deps, namespace, signal }: RequestContext,
  label?: string
): Promise<string> {
  const { values, hasMore } = await deps.promqlSeries.labels(namespace, seriesRequest(params), label, signal)
  return writeData([...values], params.limit(), hasMore ? ['there are more labels than the limit of one read'] : [])
}

const labelNames: Handler = (params, requested) => labelStrings(params, requested)
const labelValues: Handler = (params, requested) => {
  const label = labelNameOf((requested.req.params as { readonly label: string }).label)
  if (label === '') throw new GatewayError('invalid_field', 'invalid label name: ""', { field: 'label' })
  return labelStrings(params, requested, label)
}

const metadata: Handler = async (params, { deps, namespace, signal }) => {
  const limit = params.whole('limit') ?? -1
  // Each metric has one entry, so that any such limit is kept.
  params.whole('limit_per_metric')
  const { families, hasMore } = await deps.metricFacts.families(namespace, params.text('metric'), signal)
  const shown = limit < 0 ? families : families.slice(0, limit)
  const isCut = hasMore || shown.length < families.length
  const data = bareObject<readonly object[]>()
  for (const { name, kind, help, unit } of shown) data[name] = [{ type: kind, help, unit }]
  return writeData(data, Infinity, isCut ? ['there are more metrics than the limit of the response'] : [])
}

const exemplars: Handler = async (params, { deps, namespace }) => {
  const range = rangeOf(params)
  if (range.endNs <= range.startNs)
    throw new GatewayError('invalid_time_range', 'end timestamp must not be before start timestamp', { field: 'end' })
  const { series: found, hasMore } = await deps.promqlExemplars.find(namespace, params.query, range)
  return writeData(found.map(exemplarsJson), Infinity, hasMore ? ['there are more exemplars than the limit of the response'] : [])
}

/** Of the members that Prometheus has, clients read the version, which determines the routes that they use. */
const BUILD = {
  ...{ version: '3.0.0', revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' },
  ...{ application: 'Alidade', features: {} }
}
const buildInfo: Handler = async () => writeData(BUILD, Infinity)
const formatQuery: Handler = async (params, { deps }) => {
  return writeData(printPretty(deps.promql.parse(params.query)), Infinity)
}
const parseQuery: Handler = async (params, { deps }) => writeData(exprJson(deps.promql.parse(params.query)), Infinity)
const rules: Handler = (params, { deps, namespace }) => rulesResponse(params, deps.alertReport, namespace)
const alerts: Handler = (_, { deps, namespace }) => alertsResponse(deps.alertReport, namespace)

/** `query`, which also takes forms on `/api/v1/query`. */
export const INSTANT_QUERY: Endpoint = {
  path: 'query',
  operationId: 'promqlQuery',
  takesForm: true,
  run: instant
}

/** The endpoints, by path. */
export const ENDPOINTS: readonly Endpoint[] = [
  INSTANT_QUERY,
  { path: 'query_range', operationId: 'promqlQueryRange', takesForm: true, run: range },
  { path: 'series', operationId: 'promqlSeries', takesForm: true, run: series },
  { path: 'labels', operationId: 'promqlLabels', takesForm: true, run: labelNames },
  {
    path: 'label/:label/values',
    operationId: 'promqlLabelValues',
    takesForm: false,
    run: labelValues
  },
  {
    path: 'metadata',
    operationId: 'promqlMetadata',
    takesForm: false,
    run: metadata
  },
  {
    path: 'format_query',
    operationId: 'promqlFormat',
    takesForm: true,
    run: formatQuery
  },
  {
    path: 'parse_query',
    operationId: 'promqlParse',
    takesForm: true,
    run: parseQuery
  },
  {
    path: 'query_exemplars',
    operationId: 'promqlExemplars',
    takesForm: true,
    run: exemplars
  },
  { path: 'rules', operationId: 'promqlRules', takesForm: false, run: rules },
  { path: 'alerts', operationId: 'promqlAlerts', takesForm: false, run: alerts },
  { path: 'status/buildinfo', operationId: 'promqlBuildInfo', takesForm: false, run: buildInfo }
]
