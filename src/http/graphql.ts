import { ApolloServer } from '@apollo/server'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { type Context, signedIn, type UseCases } from '../../resolvers/context.js'
import { createLoaders } from '../../resolvers/loaders.js'
import { createMetricFactsLoader } from '../../resolvers/metric-facts-loader.js'
import { createTraceLoaders } from '../../resolvers/trace-loaders.js'
import { createSchema } from '../../schema/build.js'
import type { SessionPrincipal } from '../access/sessions.js'
import { GatewayError, isGatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { QueryLimits } from '../query/query-limits.js'
import type { EventLoopSlices } from '../threads/event-loop-slices.js'
import { BodyReceiver } from './body-receiver.js'
import { clientSignal } from './client-signal.js'
import { namedMediaType } from './accept.js'
import { answerGraphqlError } from './graphql-answer-error.js'
import { apolloOptions } from './graphql-apollo.js'
import { GraphqlGate } from './graphql-gate.js'
import { DEFAULT_GRAPHQL_LIMITS, type GraphqlLimits } from './graphql-limits.js'
import { loadOperations } from './graphql-operations.js'
import { resolveListsInSlices } from './graphql-slices.js'
import { ROUTE_SCHEMA } from './graphql-openapi.js'
import { type SandboxReply, sandboxReply } from './sandbox-page.js'

/** What the GraphQL edge stands on. */
export interface GraphqlDeps {
  readonly authenticator: { reader(request: FastifyRequest): Promise<SessionPrincipal | KeyPrincipal> }
  readonly useCases: UseCases
  readonly queryLimits: Pick<QueryLimits, 'run'>
  /** Shares the event loop among large results. */
  readonly slices: EventLoopSlices
  readonly nowMs: () => number
  /** Whether clients may read the schema. */
  readonly introspection: boolean
  /** Whether a browser gets a page to try queries. */
  readonly sandbox: boolean
  /** Default: `DEFAULT_GRAPHQL_LIMITS`. */
  readonly limits?: GraphqlLimits
}

/** Where GraphQL answers: the path of the OpenAPI document and its alias (conventions 1). */
const PATH = '/api/v1/graphql'
const ALIAS = '/graphql'
/** Far above any question with its variables. */
const BODY_LIMIT_BYTES = 256 * 1024

type Principal = SessionPrincipal | KeyPrincipal

/** `X-Namespace-ID`, else the caller's active namespace; the latter may be gone and is then a fault of single fields. */
async function findNamespace(
  deps: GraphqlDeps,
  principal: Principal,
  request: FastifyRequest
): Promise<() => Promise<Namespace>> {
  const asked = request.headers['x-namespace-id']
  const { authorizer } = deps.useCases
  if (typeof asked === 'string') {
    const namespace = await authorizer.readNamespace(principal, { id: asked })
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
  asked: Pick<Context, 'principal' | 'namespace' | 'signal' | 'requestId' | 'address'>
): Context {
  const { useCases, nowMs } = deps
  const loaders = createLoaders(useCases, () => signedIn(asked))
  const metricFacts = createMetricFactsLoader(useCases.metricFacts, asked.namespace)
  return { ...asked, use: useCases, loaders, metricFacts, traceLoaders: createTraceLoaders({ ...asked, use: useCases }), nowMs }
}

/** Runs one operation under the caller's query limits; in a namespace that is gone, no telemetry is read. */
async function underLimits<T>(
  deps: GraphqlDeps,
  asked: { principal: Principal; namespace: () => Promise<Namespace>; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const { principal, signal } = asked
  // A resolver that needs the namespace asks again and answers with the failure.
  const namespace = await asked.namespace().catch(() => null)
  if (!namespace) return work(signal)
  return deps.queryLimits.run({ principal, namespace: namespace.id, signal }, work)
}

function handler(apollo: ApolloServer<Context>, schema: GraphQLSchema, deps: GraphqlDeps): RouteHandlerMethod {
  const gate = new GraphqlGate(schema, deps.limits ?? DEFAULT_GRAPHQL_LIMITS, loadOperations())
  const contexts = new WeakMap<FastifyRequest, Context>()
  const execute = fastifyApolloHandler(apollo, { context: async request => contexts.get(request)! })
  return async function (request, reply) {
    const principal = await deps.authenticator.reader(request)
    const namespace = await findNamespace(deps, principal, request)
    request.body = gate.admit(request.body)
    const asked = { principal, namespace, signal: clientSignal(reply), requestId: request.id, address: request.ip }
    // As above: only the header is left out.
    const resolved = await namespace().catch(() => null)
    if (resolved) void reply.header('x-resolved-namespace', resolved.name)
    return underLimits(deps, asked, async signal => {
      contexts.set(request, newContext(deps, { ...asked, signal }))
      return execute.call(this, request, reply)
    })
  }
}

const HTML = 'text/html'

/** A browser that asks for HTML gets the page; other clients ask by POST (queries by GET are not supported). */
async function answerGet(request: FastifyRequest, reply: FastifyReply, page: SandboxReply | null): Promise<FastifyReply> {
  const named = namedMediaType(request.headers.accept, [HTML, 'application/json', 'application/graphql-response+json'])
  if (page !== null && named === HTML) return reply.headers(page.headers).header('vary', 'accept').send(page.html)
  void reply.headers({ allow: 'OPTIONS, POST', vary: 'accept' })
  throw new GatewayError('method_not_allowed', 'GraphQL requests are sent by POST')
}

/** Who opens the bare address in a browser is shown the page; who asks with curl, where to go on. */
function frontDoor(reply: FastifyReply): FastifyReply {
  const places = { graphql: ALIAS, openapi: '/api/v1/openapi.json', health: '/health/ready' }
  return reply.code(302).header('location', ALIAS).send(places)
}

/** Serves GraphQL on both of its paths, and leads to its page from the root. */
export async function graphqlRoutes(app: FastifyInstance, deps: GraphqlDeps): Promise<void> {
  const schema = createSchema()
  resolveListsInSlices(schema, deps.slices)
  const apollo = new ApolloServer<Context>(apolloOptions(schema, deps.introspection, app.log, deps.slices))
  await apollo.start()
  app.addHook('onClose', async () => apollo.stop())
  // Before a byte of the body is kept; the handler asks again.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    BodyReceiver.of(app).identify(request, await deps.authenticator.reader(request))
  }
  const post = {
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest,
    errorHandler: answerGraphqlError,
    handler: handler(apollo, schema, deps)
  }
  const page = deps.sandbox ? sandboxReply(PATH) : null
  const get = {
    errorHandler: answerGraphqlError,
    schema: { hide: true },
    handler: (request: FastifyRequest, reply: FastifyReply) => answerGet(request, reply, page)
  }
  for (const [url, hide] of [
    [PATH, false],
    [ALIAS, true]
  ] as const) {
    app.post(url, { ...post, schema: { ...ROUTE_SCHEMA, hide } })
    app.get(url, get)
  }
  if (deps.sandbox) app.get('/', { schema: { hide: true } }, async (_request, reply) => frontDoor(reply))
}
