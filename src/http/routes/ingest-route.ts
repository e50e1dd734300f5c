import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { nearest } from '../../domain/nearest.js'
import type { Principal } from '../../domain/principal.js'
import type {
  AcceptRecords,
  BodyForm,
  IngestResponse,
  IngestRequest,
  IngestObserver,
  NamedNamespaces
} from '../../ingest/ingest-request.js'
import type { Ingest } from '../../ingest/ingest.js'
import type { RateState } from '../../threads/rate-limits.js'
import type { Authenticator } from '../authenticate.js'
import type { Authenticate } from '../authenticate-first.js'
import { authenticateFirst } from '../authenticate-first.js'
import { BodyReceiver } from '../body-receiver.js'
import { readBody, takeRawBodies, type ReceivedBody } from '../request-body.js'
import { addScope } from '../scope.js'

/** The dependencies of the write routes. */
export interface IngestRouteDeps {
  readonly ingest: Ingest
  readonly authenticator: Pick<Authenticator, 'apiKey' | 'rumWriter'>
}

/** One write route: its path, its input and its use case. */
export interface WriteRoute {
  readonly url: string
  /** POST when absent. */
  readonly method?: 'POST' | 'PUT'
  readonly schema: FastifySchema
  readonly useCase: AcceptRecords
  readonly authenticate: Authenticate
  readonly takesNdjson?: boolean
  readonly takesPlainText?: boolean
  /** Set if it is below the limit of the bodies of all routes. */
  readonly maxBodyBytes?: number
  /** How the body is to be read, on routes that take no JSON. Throws `unsupported_media_type`. */
  readonly formOf?: (req: FastifyRequest) => BodyForm
  /** Members of the request that only this route knows. */
  readonly facts?: (req: FastifyRequest) => Partial<IngestRequest>
  readonly send?: (reply: FastifyReply, response: IngestResponse, body: ReceivedBody) => FastifyReply
}

const DRY_RUN = 'dry_run'

/** Members of the query string; each may come once. */
export function queryParameter(req: FastifyRequest, name: string): string | undefined {
  const value = (req.query as Readonly<Record<string, unknown>>)[name]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw new GatewayError('invalid_field', `${name} must not be repeated`, { field: name })
}

/** A header that is there once and not empty. */
export function headerValue(req: FastifyRequest, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The namespaces that a write names outside of its body. Throws `invalid_field` for a parameter that is repeated. */
export function namedNamespaces(req: FastifyRequest): NamedNamespaces {
  return {
    headerNamespace: headerValue(req, 'x-service-namespace'),
    queryNamespace: queryParameter(req, 'namespace'),
    headerNamespaceId: headerValue(req, 'x-namespace-id')
  }
}

// Other parameters that are not known are the senders' own affair; this one misspelt would store what was only to be shown.
function refuseMisspeltDryRun(query: object): void {
  for (const name in query) {
    if (name === DRY_RUN || nearest(name.toLowerCase(), [DRY_RUN]) === null) continue
    throw new GatewayError('invalid_field', `the parameter ${name} is unknown`, { field: name, suggestions: [DRY_RUN] })
  }
}

function isDryRun(req: FastifyRequest): boolean {
  const query = req.query as Readonly<Record<string, unknown>>
  refuseMisspeltDryRun(query)
  // One without a value is refused: `?dry_run` most likely means true.
  const value = query[DRY_RUN]
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new GatewayError('invalid_field', 'dry_run must be true or false', { field: DRY_RUN })
}

function ackOf(req: FastifyRequest): IngestRequest['ack'] {
  const value = queryParameter(req, 'ack') ?? 'durable'
  if (value === 'durable' || value === 'searchable') return value
  throw new GatewayError('invalid_field', 'ack must be durable or searchable', { field: 'ack' })
}

/** A request as write use cases take it. Throws `invalid_field` for parameters of all writes that are not valid. */
export function toRequest(
  req: FastifyRequest,
  route: Pick<WriteRoute, 'url' | 'facts'>,
  principal: Principal,
  body: ReceivedBody
): IngestRequest {
  return {
    principal,
    body: body.bytes,
    form: body.form,
    route: route.url,
    isDryRun: isDryRun(req),
    ack: ackOf(req),
    ...namedNamespaces(req),
    idempotencyKey: headerValue(req, 'idempotency-key'),
    ...route.facts?.(req)
  }
}

/** RateLimit header fields (IETF draft-ietf-httpapi-ratelimit-headers). */
function setRate(reply: FastifyReply, state: RateState): void {
  void reply.header('ratelimit-policy', `"${state.policy}";q=${state.quota};w=${state.windowS};qu="${state.unit}"`)
  void reply.header('ratelimit', `"${state.policy}";r=${state.remaining};t=${state.resetS}`)
}

/** Puts what becomes known of a write into the headers of its response, whatever that will be. */
export function observerOf(reply: FastifyReply): IngestObserver {
  return {
    namespaceResolved: namespace => void reply.header('x-resolved-namespace', namespace.name),
    rateTaken: state => setRate(reply, state)
  }
}

async function handle(
  req: FastifyRequest,
  reply: FastifyReply,
  route: WriteRoute,
  { receiver, maxBytes }: { readonly receiver: BodyReceiver; readonly maxBytes: number }
): Promise<FastifyReply> {
  const principal = await route.authenticate(req)
  const body = await readBody(req, receiver, {
    maxBytes,
    takesNdjson: route.takesNdjson === true,
    takesPlainText: route.takesPlainText === true,
    ...(route.formOf && { form: route.formOf(req) })
  })
  const response = await route.useCase.accept(toRequest(req, route, principal, body), observerOf(reply))
  if (response.isReplay) void reply.header('idempotency-replayed', 'true')
  if (route.send) return route.send(reply, response, body)
  return reply.send(response.reply)
}

function postRoute(scope: FastifyInstance, route: WriteRoute, maxBytesOfAll: number): void {
  const maxBytes = Math.min(maxBytesOfAll, route.maxBodyBytes ?? maxBytesOfAll)
  const receiver = BodyReceiver.of(scope)
  addScope(scope, 'write-route', own => {
    authenticateFirst(own, route.authenticate)
    own.route({
      method: route.method ?? 'POST',
      url: route.url,
      schema: route.schema,
      bodyLimit: maxBytes,
      handler: (req, reply) => handle(req, reply, route, { receiver, maxBytes })
    })
  })
}

/** Registers write routes in a scope of their own, where bodies are raw bytes. */
export function writeRoutes(
  app: FastifyInstance,
  ingest: Ingest,
  routes: readonly WriteRoute[],
  more?: (scope: FastifyInstance) => void
): void {
  const maxBytes = ingest.limits.bodyBytes
  addScope(app, 'ingest', scope => {
    takeRawBodies(scope, req => req.routeOptions.bodyLimit)
    more?.(scope)
    for (const route of routes) postRoute(scope, route, maxBytes)
  })
}
