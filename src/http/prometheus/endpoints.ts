import type { FastifyRequest } from 'fastify'
import { bareObject } from '../../domain/bare-object.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricFactsQuery } from '../../query/metric-facts.js'
import type { PromqlExemplars } from '../../query/promql/promql-exemplars.js'
import type { PromqlQuery } from '../../query/promql/promql-query.js'
import type { PromqlQuestion } from '../../query/promql/promql-question.js'
import type { PromqlSeries, SeriesQuestion } from '../../query/promql/promql-series.js'
import { exprJson } from '../../query/promql/syntax/ast-json.js'
import { printPretty } from '../../query/promql/syntax/print.js'
import type { ReadAccess } from '../reader.js'
import { badData, type PrometheusParams } from './params.js'
import { exemplarsJson } from './exemplars-json.js'
import { labelNameOf } from './label-name.js'
import { writeData } from './write-data.js'

/** What the Prometheus-compatible routes stand on. */
export interface PrometheusDeps extends ReadAccess {
  readonly promql: PromqlQuery
  readonly promqlSeries: PromqlSeries
  readonly promqlExemplars: PromqlExemplars
  readonly metricFacts: MetricFactsQuery
  readonly clock: Clock
}

// What 64 bits of nanoseconds hold.
const [EARLIEST_MS, LATEST_MS] = [-9_223_372_036_854, 9_223_372_036_853]
const NS_PER_MS = 1_000_000n

/** Answers one question of a namespace with the JSON of the body: text, or UTF-8. */
type Answer = (params: PrometheusParams, asked: Asked) => Promise<string | Uint8Array>

/** Where and for whom a question is answered. */
interface Asked {
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
  readonly answer: Answer
}

function questionOf(params: PrometheusParams, steps: PromqlQuestion['steps'], isRange: boolean): PromqlQuestion {
  const asked = params.durationMs('lookback_delta')
  // What is no length is not heeded.
  const lookbackMs = asked !== undefined && asked > 0 ? Math.round(asked) : undefined
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

const instant: Answer = (params, { deps, namespace, signal }) => {
  const atMs = params.timeMs('time') ?? deps.clock.nowMs()
  return deps.promql.answer(namespace, questionOf(params, { startMs: atMs, stepMs: 1, count: 1 }, false), signal)
}

const range: Answer = (params, { deps, namespace, signal }) => {
  const steps = rangeSteps(params, deps.promql.maxPoints)
  return deps.promql.answer(namespace, questionOf(params, steps, true), signal)
}

function rangeSteps(params: PrometheusParams, maxPoints: number): PromqlQuestion['steps'] {
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

/** All times unless told, as far back as samples are kept. */
function rangeOf(params: PrometheusParams): TimeRange {
  const [startMs, endMs] = [params.timeMs('start') ?? EARLIEST_MS, params.timeMs('end') ?? LATEST_MS]
  return { startNs: BigInt(startMs) * NS_PER_MS, endNs: BigInt(endMs + 1) * NS_PER_MS }
}

function seriesQuestion(params: PrometheusParams): SeriesQuestion {
  return { selectors: params.all('match[]'), range: rangeOf(params) }
}

const series: Answer = async (params, asked) => {
  if (params.all('match[]').length === 0)
    throw new GatewayError('missing_field', 'no match[] parameter provided', { field: 'match[]' })
  const { deps, namespace, signal } = asked
  const { series: found, hasMore } = await deps.promqlSeries.find(namespace, seriesQuestion(params), signal)
  return writeData(
    found.map(labels => labels.toObject()),
    params.limit(),
    hasMore ? ['there are more series than are read at once'] : []
  )
}

async function labelTexts(params: PrometheusParams, { deps, namespace, signal }: Asked, label?: string): Promise<string> {
  const { values, hasMore } = await deps.promqlSeries.labels(namespace, seriesQuestion(params), label, signal)
  return writeData([...values], params.limit(), hasMore ? ['there are more labels than are read at once'] : [])
}

const labelNames: Answer = (params, asked) => labelTexts(params, asked)
const labelValues: Answer = (params, asked) => {
  const label = labelNameOf((asked.req.params as { readonly label: string }).label)
  if (label === '') throw new GatewayError('invalid_field', 'invalid label name: ""', { field: 'label' })
  return labelTexts(params, asked, label)
}

const metadata: Answer = async (params, { deps, namespace, signal }) => {
  const limit = params.whole('limit') ?? -1
  // Each metric has one entry, so that any such limit is kept.
  params.whole('limit_per_metric')
  const { families, hasMore } = await deps.metricFacts.families(namespace, params.text('metric'), signal)
  const shown = limit < 0 ? families : families.slice(0, limit)
  const isCut = hasMore || shown.length < families.length
  const data = bareObject<readonly object[]>()
  for (const { name, kind, help, unit } of shown) data[name] = [{ type: kind, help, unit }]
  return writeData(data, Infinity, isCut ? ['there are more metrics than are shown'] : [])
}

const exemplars: Answer = async (params, { deps, namespace }) => {
  const range = rangeOf(params)
  if (range.endNs <= range.startNs)
    throw new GatewayError('invalid_time_range', 'end timestamp must not be before start timestamp', { field: 'end' })
  const { series: found, hasMore } = await deps.promqlExemplars.find(namespace, params.query, range)
  return writeData(found.map(exemplarsJson), Infinity, hasMore ? ['there are more exemplars than are shown'] : [])
}

/** Of the members that Prometheus has, clients look at the version: what they may ask depends on it. */
const BUILD = {
  ...{ version: '3.0.0', revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' },
  ...{ application: 'Alidade', features: {} }
}
const buildInfo: Answer = async () => writeData(BUILD, Infinity)
const formatQuery: Answer = async (params, { deps }) => {
  return writeData(printPretty(deps.promql.parse(params.query)), Infinity)
}
const parseQuery: Answer = async (params, { deps }) => writeData(exprJson(deps.promql.parse(params.query)), Infinity)
const noGroups: Answer = async params => {
  const type = params.text('type') ?? ''
  if (!['', 'alert', 'record'].includes(type)) throw badData('type', `not supported value ${JSON.stringify(type)}`)
  return writeData({ groups: [] }, Infinity)
}
const noAlerts: Answer = async () => writeData({ alerts: [] }, Infinity)

/** `query`, which also answers forms on `/api/v1/query`. */
export const INSTANT_QUERY: Endpoint = {
  path: 'query',
  operationId: 'promqlQuery',
  takesForm: true,
  answer: instant
}

/** The endpoints, by path. */
export const ENDPOINTS: readonly Endpoint[] = [
  INSTANT_QUERY,
  { path: 'query_range', operationId: 'promqlQueryRange', takesForm: true, answer: range },
  { path: 'series', operationId: 'promqlSeries', takesForm: true, answer: series },
  { path: 'labels', operationId: 'promqlLabels', takesForm: true, answer: labelNames },
  {
    path: 'label/:label/values',
    operationId: 'promqlLabelValues',
    takesForm: false,
    answer: labelValues
  },
  {
    path: 'metadata',
    operationId: 'promqlMetadata',
    takesForm: false,
    answer: metadata
  },
  {
    path: 'format_query',
    operationId: 'promqlFormat',
    takesForm: true,
    answer: formatQuery
  },
  {
    path: 'parse_query',
    operationId: 'promqlParse',
    takesForm: true,
    answer: parseQuery
  },
  {
    path: 'query_exemplars',
    operationId: 'promqlExemplars',
    takesForm: true,
    answer: exemplars
  },
  { path: 'rules', operationId: 'promqlRules', takesForm: false, answer: noGroups },
  { path: 'alerts', operationId: 'promqlAlerts', takesForm: false, answer: noAlerts },
  { path: 'status/buildinfo', operationId: 'promqlBuildInfo', takesForm: false, answer: buildInfo }
]
