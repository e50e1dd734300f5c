import { ApolloServer } from '@apollo/server'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { type Context, signedIn, type UseCases } from '../../resolvers/context.js'
import {
  createLoaders,
  createMetricFactsLoader,
  createNewestLoader,
  createOverlayLoader,
  createSlosLoader
} from '../../resolvers/loaders.js'
import { createHostLoaders } from '../../resolvers/host-loaders.js'
import { createTraceLoaders } from '../../resolvers/trace-loaders.js'
import { createSchema } from '../../schema/build.js'
import type { SessionPrincipal } from '../access/sessions.js'
import { GatewayError, isGatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { QueryLimits } from '../query/query-limits.js'
import type { Timers } from '../ports/timers.js'
import type { EventLoopSlices } from '../threads/event-loop-slices.js'
import { BodyReceiver } from './body-receiver.js'
import { clientSignal } from './client-signal.js'
import { compressResponse } from './compress-response.js'
import { namedMediaType } from './accept.js'
import { sendGraphqlError } from './graphql-errors.js'
import { apolloOptions } from './graphql-apollo.js'
import { GraphqlGate } from './graphql-gate.js'
import { DEFAULT_GRAPHQL_LIMITS, type GraphqlLimits } from './graphql-limits.js'
import { loadOperations } from './graphql-operations.js'
import { resolveListsInSlices } from './graphql-slices.js'
import { ROUTE_SCHEMA } from './graphql-openapi.js'
import { OwnOrigins, parseOrigin } from './own-origin.js'
import type { CallerDeps } from './subscriptions/caller.js'
import { SocketCounts } from './subscriptions/socket-counts.js'
import { DEFAULT_SUBSCRIPTION_LIMITS, type SubscriptionLimits } from './subscriptions/subscription-limits.js'
import { SubscriptionServer } from './subscriptions/subscription-server.js'
import type { Upgrades } from './upgrades.js'
import { type SandboxReply, sandboxReply } from './sandbox-page.js'

/** The dependencies of the GraphQL edge. */
export interface GraphqlDeps {
  readonly authenticator: CallerDeps['authenticator']
  readonly useCases: UseCases
  readonly queryLimits: Pick<QueryLimits, 'run' | 'admit'>
  /** Shares the event loop among large results. */
  readonly slices: EventLoopSlices
  readonly nowMs: () => number
  /** Whether clients may read the schema. */
  readonly introspection: boolean
  /** Whether a browser gets a page to try queries. */
  readonly sandbox: boolean
  /** Of the server that has the routes. */
  readonly upgrades: Pick<Upgrades, 'has' | 'takeOver'>
  readonly timers: Timers
  /** Address under which users reach the service; null when it is not configured. */
  readonly publicUrl: string | null
  /** Default: `DEFAULT_SUBSCRIPTION_LIMITS`. */
  readonly subscriptionLimits?: SubscriptionLimits
  /** Default: counts of its own, by `subscriptionLimits`. */
  readonly socketCounts?: SocketCounts
  /** Called once with what can be shown about sockets. */
  readonly onSubscriptions?: (subscriptions: Pick<SubscriptionServer, 'state'>) => void
  /** Limit of a response, in bytes of JSON. */
  readonly maxResponseBytes: number
  /** Default: `DEFAULT_GRAPHQL_LIMITS`. */
  readonly limits?: GraphqlLimits
}

/** The path of GraphQL in the OpenAPI document, which has an alias ("Paths" in docs/conventions.md). */
const PATH = '/api/v1/graphql'
const ALIAS = '/graphql'
/** Far above any query with its variables. */
const BODY_LIMIT_BYTES = 256 * 1024

type Principal = SessionPrincipal | KeyPrincipal

/** `X-Namespace-ID`, else the caller's active namespace; the latter may be deleted, which is then an error of single fields. */
async function findNamespace(
  deps: GraphqlDeps,
  principal: Principal,
  request: FastifyRequest
): Promise<() => Promise<Namespace>> {
  const requested = request.headers['x-namespace-id']
  const { authorizer } = deps.useCases
  if (typeof requested === 'string') {
    const namespace = await authorizer.readNamespace(principal, { id: requested })
    return async () => namespace
  }
  try {
    const namespace = await authorizer.readNamespace(principal, {})
    return async () => namespace
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return async () => Promise.reject(error)
  }
}

function newContext(
  deps: GraphqlDeps,
  requested: Pick<Context, 'principal' | 'namespace' | 'signal' | 'requestId' | 'address'>
): Context {
  const { useCases, nowMs } = deps
  const loaders = createLoaders(useCases, () => signedIn(requested))
  const metricFacts = createMetricFactsLoader(useCases.metricFacts, requested.namespace)
  const traceLoaders = createTraceLoaders({ ...requested, use: useCases })
  const newest = createNewestLoader(useCases.newestRecord, requested)
  const alertOverlays = createOverlayLoader(useCases.alertOverlays, requested.namespace)
  const slos = createSlosLoader(useCases.slos, requested.namespace)
  const hostLoaders = createHostLoaders({ ...requested, use: useCases })
  return { ...requested, use: useCases, loaders, metricFacts, traceLoaders, hostLoaders, newest, alertOverlays, slos, nowMs }
}

/** Runs one operation under the caller's query limits; in a namespace that is gone, no telemetry is read. */
async function underLimits<T>(
  deps: GraphqlDeps,
  requested: { principal: Principal; namespace: () => Promise<Namespace>; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const { principal, signal } = requested
  // A resolver that needs the namespace resolves it again and returns the failure.
  const namespace = await requested.namespace().catch(() => null)
  if (!namespace) return work(signal)
  return deps.queryLimits.run({ principal, namespace: namespace.id, signal }, work)
}

function handler(apollo: ApolloServer<Context>, gate: GraphqlGate, deps: GraphqlDeps): RouteHandlerMethod {
  const contexts = new WeakMap<FastifyRequest, Context>()
  const execute = fastifyApolloHandler(apollo, { context: async request => contexts.get(request)! })
  return async function (request, reply) {
    const principal = await deps.authenticator.reader(request)
    const namespace = await findNamespace(deps, principal, request)
    request.body = gate.admit(request.body)
    const requested = { principal, namespace, signal: clientSignal(reply), requestId: request.id, address: request.ip }
    // As above: only the header is left out.
    const resolved = await namespace().catch(() => null)
    if (resolved) void reply.header('x-resolved-namespace', resolved.name)
    return underLimits(deps, requested, async signal => {
      contexts.set(request, newContext(deps, { ...requested, signal }))
      return execute.call(this, request, reply)
    })
  }
}

const HTML = 'text/html'

/** Hands the connection of a WebSocket over; browsers need a page of this installation. */
async function openSocket(
  { subscriptions, upgrades, origins }: SocketDeps,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { origin } = request.headers
  if (origin !== undefined) {
    const page = parseOrigin(origin)
    // Browsers let pages of any origin open sockets: without this check they would act for whoever visits them.
    if (page === null || !origins.has(page, request.host))
      throw new GatewayError(
        'origin_not_allowed',
        'sockets are for pages of this installation: Origin must be that of public_url or Host'
      )
  }
  const take = subscriptions.admit({ requestId: request.id, ip: request.ip })
  upgrades.takeOver(request, reply, take)
  return reply
}

/** A browser that accepts HTML gets the page; other clients use POST (queries by GET are not supported). */
async function handleGet(request: FastifyRequest, reply: FastifyReply, page: SandboxReply | null): Promise<FastifyReply> {
  const named = namedMediaType(request.headers.accept, [HTML, 'application/json', 'application/graphql-response+json'])
  if (page !== null && named === HTML) return reply.headers(page.headers).header('vary', 'accept').send(page.html)
  void reply.headers({ allow: 'OPTIONS, POST', vary: 'accept' })
  throw new GatewayError('method_not_allowed', 'GraphQL requests are sent by POST')
}

interface SocketDeps {
  readonly subscriptions: SubscriptionServer
  readonly upgrades: Pick<Upgrades, 'has' | 'takeOver'>
  readonly origins: OwnOrigins
}

function subscriptionsOf(app: FastifyInstance, schema: GraphQLSchema, gate: GraphqlGate, deps: GraphqlDeps): SubscriptionServer {
  const limits = deps.subscriptionLimits ?? DEFAULT_SUBSCRIPTION_LIMITS
  const subscriptions = new SubscriptionServer({
    schema,
    gate,
    authenticator: deps.authenticator,
    authorizer: deps.useCases.authorizer,
    introspection: deps.introspection,
    queryLimits: deps.queryLimits,
    limits,
    counts: deps.socketCounts ?? new SocketCounts(limits),
    timers: deps.timers,
    log: app.log,
    newContext: ({ namespace, ip, ...requested }) =>
      newContext(deps, { ...requested, namespace: async () => namespace, address: ip })
  })
  app.addHook('preClose', () => subscriptions.close())
  deps.onSubscriptions?.(subscriptions)
  return subscriptions
}

/** Serves GraphQL on both of its paths. */
export async function graphqlRoutes(app: FastifyInstance, deps: GraphqlDeps): Promise<void> {
  const schema = createSchema()
  const gate = new GraphqlGate(schema, deps.limits ?? DEFAULT_GRAPHQL_LIMITS, loadOperations())
  resolveListsInSlices(schema, deps.slices)
  const apollo = new ApolloServer<Context>(apolloOptions(schema, deps.introspection, app.log, deps))
  await apollo.start()
  app.addHook('onClose', async () => apollo.stop())
  // Before a byte of the body is stored; the handler authenticates again.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    BodyReceiver.of(app).identify(request, await deps.authenticator.reader(request))
  }
  const post = {
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest,
    onSend: compressResponse,
    errorHandler: sendGraphqlError,
    handler: handler(apollo, gate, deps)
  }
  const page = deps.sandbox ? sandboxReply(PATH) : null
  const origins = new OwnOrigins(deps.publicUrl)
  const sockets = { subscriptions: subscriptionsOf(app, schema, gate, deps), upgrades: deps.upgrades, origins }
  const get = {
    errorHandler: sendGraphqlError,
    schema: { hide: true },
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      deps.upgrades.has(request) ? openSocket(sockets, request, reply) : handleGet(request, reply, page)
  }
  for (const [url, hide] of [
    [PATH, false],
    [ALIAS, true]
  ] as const) {
    app.post(url, { ...post, schema: { ...ROUTE_SCHEMA, hide } })
    app.get(url, get)
  }
}
