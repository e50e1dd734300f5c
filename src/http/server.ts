import { createServer, type Server } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { GatewayError } from '../domain/errors.js'
import type { ByteBudget } from '../ingest/byte-budget.js'
import type { Timers } from '../ports/timers.js'
import type { ShortRequests } from '../threads/short-requests.js'
import { BodyReceiver } from './body-receiver.js'
import { brokenRequestHandler } from './broken-request.js'
import type { ConnectionLimit } from './connection-limit.js'
import { sendProblem } from './error-reply.js'
import { toGatewayError } from './error-translation.js'
import type { KeyPrefixOf, RequestLog } from './request-log.js'
import { logRequests } from './request-log.js'
import { readJsonBodies } from './json-parser.js'
import { LingeringRequests } from './linger.js'
import { logFault } from './log-fault.js'
import { describeRoutes, SHARED_SCHEMAS } from './openapi.js'
import { closeQueuedResponses } from './queued-responses.js'
import { paceRequests } from './request-pace.js'
import { KnownPaths } from './known-paths.js'
import { Upgrades } from './upgrades.js'
import { createValidatorCompiler } from './validation.js'

/** One finished request, for the service's own metrics. */
export interface FinishedRequest {
  readonly method: string
  /** The pattern of the route, never the path itself; `unmatched` when none was found. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

/** What a server needs besides its routes. */
export interface ServerDeps {
  readonly logger: FastifyBaseLogger
  /** Makes request ids (ULIDs). */
  readonly newRequestId: () => string
  /** Largest body of routes that set none of their own. */
  readonly bodyLimitBytes: number
  /** Addresses whose `X-Forwarded-*` headers count; none when empty. */
  readonly trustedProxies: readonly string[]
  /** Version of the product, for the OpenAPI document. */
  readonly version: string
  /** Null when it is off. */
  readonly requestLog: RequestLog | null
  readonly keyPrefixOf: KeyPrefixOf
  readonly onResponse?: (finished: FinishedRequest) => void
  /** Notified of each request, so that long work of other threads pauses for it. */
  readonly shortRequests?: Pick<ShortRequests, 'begin'>
  /** What all bodies share that are received and worked on at once. */
  readonly budget: ByteBudget
  readonly timers: Timers
  /** Of all servers together. */
  readonly connections: Pick<ConnectionLimit, 'guard' | 'admit'>
}

/** A server without routes yet, and the table that gathers them. */
export interface BuiltServer {
  readonly app: FastifyInstance
  readonly routes: KnownPaths
  readonly upgrades: Upgrades
}

// Longer than the idle timeout of the usual load balancers (60 s), so that it is they who close.
const KEEP_ALIVE_MS = 72_000
// A client that needs longer for 64 MiB sends slower than 4 Mbit/s.
const REQUEST_TIMEOUT_MS = 120_000
// Headers are small: who needs longer holds a connection for nothing.
const HEADERS_TIMEOUT_MS = 20_000
const MAX_PARAM_LENGTH = 512
const SLOW_REQUEST_MS = 5_000
/** The fields of a request in the log; the path without its query, which may contain keys. */
function facts(request: FastifyRequest): Record<string, unknown> {
  return { request_id: request.id, method: request.method, path: request.url.split('?', 1)[0] }
}

function logError(logger: FastifyBaseLogger, request: FastifyRequest, error: GatewayError, status: number): void {
  if (status >= 500 && error.code !== 'not_implemented') logFault(logger, facts(request), error, 'request failed')
  else logger.debug({ ...facts(request), code: error.code, detail: error.message }, 'request refused')
}

function handleErrors(app: FastifyInstance, logger: FastifyBaseLogger): void {
  app.setErrorHandler((thrown, request, reply) => {
    if (request.raw.socket.destroyed) {
      logger.debug(facts(request), 'client closed the connection before the response')
      // Never read; Fastify requires the exchange to end.
      return reply.code(499).send()
    }
    const error = toGatewayError(thrown)
    const response = sendProblem(request, reply, error)
    logError(logger, request, error, reply.statusCode)
    return response
  })
}

function nothingAt(url: string, routes: KnownPaths): GatewayError {
  const detail = 'no such route; /api/v1/openapi.json lists all routes'
  return new GatewayError('not_found', detail, { suggestions: routes.pathsLike(url) })
}

function handleUnknownPaths(app: FastifyInstance, routes: KnownPaths): void {
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const methods = routes.methodsAt(request.url)
    if (methods.length === 0) return sendProblem(request, reply, nothingAt(request.url, routes))
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
    void reply.header('allow', allow)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    return sendProblem(request, reply, new GatewayError('method_not_allowed', `${request.method} is not one of ${allow}`))
  })
}

function setHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
}

function goFirst(app: FastifyInstance, shortRequests: Pick<ShortRequests, 'begin'>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    // Of a client that has left, too.
    reply.raw.once('close', shortRequests.begin())
    done()
  })
}

/** Whether a response lasts as long as its client stays. */
function isOpenEnded(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}

function observe(app: FastifyInstance, deps: ServerDeps, lingering: LingeringRequests): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    const durationMs = reply.elapsedTime
    deps.onResponse?.({ method: request.method, route, status: reply.statusCode, durationMs })
    if (durationMs > SLOW_REQUEST_MS && !lingering.has(request) && !isOpenEnded(reply)) {
      deps.logger.warn(
        { ...facts(request), route, status: reply.statusCode, duration_ms: Math.round(durationMs) },
        'slow request'
      )
    }
    done()
  })
}

/** Makes each server that a host name needs (`localhost` has two addresses), with the limit of connections. */
function guardedServers(connections: ServerDeps['connections'], route: (server: Server) => void): FastifyServerFactory {
  const timeouts = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS }
  return handler => {
    const server = createServer(timeouts, paceRequests(handler))
    connections.guard(server)
    route(server)
    return server
  }
}

/**
 * A server that handles errors, unknown paths and wrong methods, and that describes in OpenAPI every route
 * which is registered on it. Handlers throw `GatewayError`; responses are written by plain JSON.stringify.
 */
export async function buildServer(deps: ServerDeps): Promise<BuiltServer> {
  const upgrades = new Upgrades()
  const serveUpgrades = (server: Server): void => upgrades.serve(server, (request, response) => app.routing(request, response))
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.logger,
    // Making a child logger for each request costs more than parsing a small body; ids are given explicitly.
    childLoggerFactory: logger => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => deps.newRequestId(),
    bodyLimit: deps.bodyLimitBytes,
    serverFactory: guardedServers(deps.connections, serveUpgrades),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: brokenRequestHandler(deps.newRequestId),
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id)
      sendProblem(request, reply, toGatewayError(error))
    }
  })
  const routes = new KnownPaths()
  routes.watch(app)
  app.setValidatorCompiler(createValidatorCompiler(SHARED_SCHEMAS))
  app.setSerializerCompiler(() => (data: unknown) => JSON.stringify(data))
  closeQueuedResponses(app)
  if (deps.shortRequests) goFirst(app, deps.shortRequests)
  if (deps.requestLog) logRequests(app, deps.requestLog, deps.keyPrefixOf)
  setHeaders(app)
  const lingering = new LingeringRequests(deps.timers)
  BodyReceiver.serve(app, deps)
  lingering.serve(app)
  observe(app, deps, lingering)
  handleErrors(app, deps.logger)
  handleUnknownPaths(app, routes)
  readJsonBodies(app)
  await describeRoutes(app, deps.version)
  return { app, routes, upgrades }
}
