import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { BodyForm } from '../../ingest/ingest-request.js'
import type { Ingest } from '../../ingest/ingest.js'
import type { Authenticator } from '../authenticate.js'
import { labelsOfPush } from '../push-labels.js'
import { type WriteRoute, writeRoutes } from './ingest-route.js'
import { writeSchema } from './ingest-schemas.js'

/** Dependencies of the routes for text formats of metrics and line protocol. */
export interface PushRouteDeps {
  readonly ingest: Ingest
  readonly authenticator: Pick<Authenticator, 'pushKey'>
}

const OPENMETRICS = /^application\/openmetrics-text\b/i
/** The content type that curl sends by default is accepted too. */
const TEXT = /^(?:text\/plain|application\/x-www-form-urlencoded|application\/octet-stream)\b/i
const PROTOBUF = /^application\/vnd\.google\.protobuf\b/i

/** Pushes whose path has further labels, or base64, or the prefix of VictoriaMetrics. */
const PUSH_PATHS = [
  '/api/v1/metrics/job/*',
  '/api/v1/metrics/job@base64/*',
  '/api/v1/import/prometheus/metrics/job/*',
  '/metrics/job/*',
  '/metrics/job@base64/*'
] as const

function formOf(req: FastifyRequest): BodyForm {
  const type = req.headers['content-type'] ?? ''
  if (OPENMETRICS.test(type)) return 'openmetrics'
  if (type === '' || TEXT.test(type)) return 'prometheus-text'
  const advice = PROTOBUF.test(type) ? ': make the client push the text format' : ''
  throw new GatewayError('unsupported_media_type', `Content-Type must be text/plain or application/openmetrics-text${advice}`, {
    field: 'Content-Type'
  })
}

const BODY = {
  'text/plain': { type: 'string', description: "Prometheus's text format 0.0.4." },
  'application/openmetrics-text': { type: 'string', description: 'OpenMetrics 1.0.' }
}

/** Registers writing of metrics as text: `/api/v1/import/prometheus`, and the paths of Pushgateway by POST and PUT. */
export function metricTextRoutes(app: FastifyInstance, { ingest, authenticator }: PushRouteDeps): void {
  const common = { useCase: ingest.metricText, authenticate: authenticator.pushKey.bind(authenticator), formOf }
  // An `Idempotency-Key` belongs to the path with its labels.
  const facts: WriteRoute['facts'] = req => ({ route: req.url, shared: { labels: labelsOfPush(req.url), timeUnitNs: 1n } })
  const documented = (operationId: string): WriteRoute['schema'] => {
    return writeSchema({ operationId, tag: 'metrics', body: BODY })
  }
  const routes: WriteRoute[] = [
    { ...common, url: '/api/v1/import/prometheus', schema: documented('importMetricText') },
    { ...common, facts, url: '/api/v1/metrics/job/:job', schema: documented('pushMetrics') },
    { ...common, facts, url: '/api/v1/metrics/job/:job', method: 'PUT', schema: documented('putMetrics') }
  ]
  for (const url of PUSH_PATHS) {
    for (const method of ['POST', 'PUT'] as const) routes.push({ ...common, facts, url, method, schema: { hide: true } })
  }
  writeRoutes(app, ingest, routes)
}
