import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { exportOtlp } from '../../ingest/export-otlp.js'
import type { OtlpSignal } from '../../ingest/otlp-status.js'
import type { AcceptRecords, BodyForm } from '../../ingest/ingest-request.js'
import type { Ingest } from '../../ingest/ingest.js'
import type { Authenticator } from '../authenticate.js'
import { authenticateFirst } from '../authenticate-first.js'
import { toProblem } from '../error-reply.js'
import { toGatewayError } from '../error-translation.js'
import { logFault } from '../log-fault.js'
import { exportResponse, otlpMediaType, type RejectedMember, rpcStatus } from '../../otlp/reply.js'
import { BodyReceiver } from '../body-receiver.js'
import { readBody, takeRawBodies } from '../request-body.js'
import { namedNamespaces, observerOf } from './ingest-route.js'
import { NAMESPACE_HEADER, NAMESPACE_PARAMETER } from './ingest-schemas.js'
import { addScope } from '../scope.js'

/** The dependencies of the OTLP routes. */
export interface OtlpRouteDeps {
  readonly ingest: Ingest
  readonly authenticator: Pick<Authenticator, 'ingestKey'>
}

interface OtlpRoute {
  readonly signal: OtlpSignal
  readonly operationId: string
  readonly rejected: RejectedMember
  readonly useCase: AcceptRecords
}

/** Where exporters send: the first is canonical, the second what they append to an endpoint without a path. */
const PREFIXES = ['/api/v1/otlp/v1', '/v1'] as const

/** How a response is to be written: in the request's own encoding, in JSON where that is not known. */
function formOf(req: FastifyRequest): BodyForm {
  return /^application\/x-protobuf\b/i.test(req.headers['content-type'] ?? '') ? 'protobuf' : 'json'
}

function schemaOf({ operationId }: OtlpRoute): FastifySchema {
  const message = { type: 'string', format: 'binary' }
  const object = { type: 'object', additionalProperties: true }
  const content = { 'application/x-protobuf': { schema: message }, 'application/json': { schema: object } }
  const failed = { description: 'google.rpc.Status in the encoding of the request.', content }
  return {
    operationId,
    tags: ['otlp'],
    security: [{ api_key: [] }],
    querystring: { type: 'object', properties: { namespace: NAMESPACE_PARAMETER } },
    headers: {
      type: 'object',
      properties: {
        'X-Service-Namespace': NAMESPACE_HEADER,
        'Content-Encoding': { type: 'string', enum: ['gzip', 'deflate', 'br', 'identity'] }
      }
    },
    body: { content },
    response: {
      200: { description: 'Stored; partial_success reports rejected records.', content },
      '4XX': failed,
      '5XX': failed
    }
  }
}

/** JSON keeps to the limit of all JSON bodies. */
function maxBytesOf(req: FastifyRequest, { ingest: { limits } }: OtlpRouteDeps): number {
  return formOf(req) === 'protobuf' ? limits.otlpBodyBytes : limits.bodyBytes
}

async function handle(
  req: FastifyRequest,
  reply: FastifyReply,
  route: OtlpRoute,
  deps: OtlpRouteDeps & { readonly receiver: BodyReceiver }
): Promise<FastifyReply> {
  const principal = await deps.authenticator.ingestKey(req)
  const form = formOf(req)
  const body = await readBody(req, deps.receiver, { maxBytes: maxBytesOf(req, deps), takesProtobuf: true })
  const request = {
    principal,
    signal: route.signal,
    protocol: form === 'protobuf' ? 'http/protobuf' : 'http/json',
    body: body.bytes,
    form: body.form,
    named: namedNamespaces(req)
  } as const
  const receiver = { useCase: route.useCase, status: deps.ingest.otlpStatus }
  const partial = await exportOtlp(receiver, request, observerOf(reply))
  return reply.header('content-type', otlpMediaType(body.form)).send(exportResponse(body.form, route.rejected, partial))
}

/** An error as `google.rpc.Status`, in the encoding of the request, with the headers of every error response. */
function sendStatus(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toGatewayError(thrown)
  const problem = toProblem(error, request.id)
  const form = formOf(request)
  if (problem.status >= 500)
    logFault(request.log, { request_id: request.id, route: request.routeOptions.url }, error, 'request failed')
  const message = `${problem.body.code}: ${problem.body.detail}`
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'content-type': otlpMediaType(form) })
    .send(rpcStatus(form, problem.status, message))
}

/** Requests with another method, or to another path below the receiver's, get an error of OTLP too. */
function rejectOtherRequests(app: FastifyInstance, signals: readonly OtlpSignal[]): void {
  const paths = new Set(PREFIXES.flatMap(prefix => signals.map(signal => `${prefix}/${signal}`)))
  for (const prefix of PREFIXES) {
    const response = async (scope: FastifyInstance): Promise<void> => {
      scope.setNotFoundHandler((request, reply) => {
        if (!paths.has(request.url.split('?', 1)[0]!))
          return sendStatus(new GatewayError('not_found', 'no such route'), request, reply)
        void reply.header('allow', 'OPTIONS, POST')
        if (request.method === 'OPTIONS') return reply.code(204).send()
        return sendStatus(new GatewayError('method_not_allowed', `${request.method} is not POST`), request, reply)
      })
    }
    void app.register(response, { prefix })
  }
}

/** Registers the OTLP/HTTP receiver (OTLP specification 1.11) for logs, metrics and traces. */
export function otlpRoutes(app: FastifyInstance, deps: OtlpRouteDeps): void {
  const { ingest, authenticator } = deps
  const routes: readonly OtlpRoute[] = [
    { signal: 'logs', operationId: 'exportLogs', rejected: 'rejectedLogRecords', useCase: ingest.otlpLogs },
    { signal: 'metrics', operationId: 'exportMetrics', rejected: 'rejectedDataPoints', useCase: ingest.otlpMetrics },
    { signal: 'traces', operationId: 'exportTraces', rejected: 'rejectedSpans', useCase: ingest.otlpTraces }
  ]
  const bodyLimit = ingest.limits.otlpBodyBytes
  addScope(app, 'otlp', scope => {
    takeRawBodies(scope, req => maxBytesOf(req, deps))
    authenticateFirst(scope, req => authenticator.ingestKey(req))
    scope.setErrorHandler(sendStatus)
    for (const route of routes) {
      for (const prefix of PREFIXES) {
        const schema = prefix === PREFIXES[0] ? schemaOf(route) : { hide: true }
        scope.post(`${prefix}/${route.signal}`, { schema, bodyLimit }, (req, reply) =>
          handle(req, reply, route, { ...deps, receiver: BodyReceiver.of(scope) })
        )
      }
    }
  })
  rejectOtherRequests(
    app,
    routes.map(({ signal }) => signal)
  )
}
