import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { FailingJob, StoreState, UseCases } from '../../resolvers/context.js'
import type { Access } from '../access/access.js'
import { GrpcServer } from '../grpc/server.js'
import { Authenticator } from '../http/authenticate.js'
import { graphqlRoutes } from '../http/graphql.js'
import type { MetricsAccess } from '../http/metrics-guard.js'
import { basePathOf, type ConsoleSite } from '../http/console/console-site.js'
import { CookieSessions } from '../http/cookie-session.js'
import { openapiRoute } from '../http/openapi.js'
import { countryOfProxy } from '../http/came-through-proxy.js'
import { consoleRoutes } from '../http/routes/console.js'
import type { HealthDeps } from '../http/routes/health.js'
import { healthRoutes } from '../http/routes/health.js'
import { identityRoutes } from '../http/routes/identity.js'
import { influxWriteRoutes } from '../http/routes/influx-write.js'
import { ingestApmRoutes } from '../http/routes/ingest-apm.js'
import { ingestEventsRoutes } from '../http/routes/ingest-events.js'
import { ingestHostsRoutes } from '../http/routes/ingest-hosts.js'
import { ingestLogsRoutes } from '../http/routes/ingest-logs.js'
import { ingestMetricsRoutes } from '../http/routes/ingest-metrics.js'
import { ingestRumRoutes } from '../http/routes/ingest-rum.js'
import type { LimitsInForce } from '../http/routes/limits.js'
import { limitsRoutes } from '../http/routes/limits.js'
import { metricTextRoutes } from '../http/routes/metric-text.js'
import { metricsRoutes } from '../http/routes/metrics.js'
import { otlpRoutes } from '../http/routes/otlp.js'
import { readRoutes } from '../http/routes/read-routes.js'
import { remoteWriteRoutes } from '../http/routes/remote-write.js'
import type { BuiltServer, ServerDeps } from '../http/server.js'
import { buildServer } from '../http/server.js'
import { SocketCounts } from '../http/subscriptions/socket-counts.js'
import { DEFAULT_SUBSCRIPTION_LIMITS } from '../http/subscriptions/subscription-limits.js'
import type { Ingest } from '../ingest/ingest.js'
import { otlpReport, type OtlpUrls } from '../ingest/otlp-report.js'
import { TestSpans } from '../ingest/test-span.js'
import type { Clock } from '../ports/clock.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'
import { systemTimers } from '../threads/system-timers.js'
import type { Alerting } from './alerting.js'
import type { NotificationUseCases } from './notifications.js'
import { showSubscriptions } from './own-gauges.js'
import { CONTROL_STORE } from './store-health.js'
import type { ReadUseCases } from './use-cases.js'

/** The dependencies of the routes. */
export interface RouteDeps {
  readonly access: Access
  readonly ingest: Ingest
  readonly reads: ReadUseCases
  readonly alerting: Omit<Alerting, 'start' | 'stop'>
  readonly health: HealthDeps
  readonly metrics: SelfMetrics
  readonly metricsAccess: MetricsAccess
  readonly limits: LimitsInForce
  readonly graphql: GraphqlSettings
  /** Null when it is off or not installed. */
  readonly site: ConsoleSite | null
  readonly clock: Clock
  /** Address under which users reach the service; null when it is not configured. */
  readonly publicUrl: string | null
  /** Called on each use: ports are bound last. */
  readonly otlpUrls: () => OtlpUrls
}

/** How GraphQL shows itself. */
interface GraphqlSettings {
  readonly introspection: boolean
  readonly sandbox: boolean
  readonly maxResponseBytes: number
}

/** The server of the API and, when it has a port of its own, that of ingest. */
export interface Servers {
  readonly api: BuiltServer
  readonly ingest: BuiltServer | null
  /** OTLP over HTTP on a port of its own. */
  readonly otlp: BuiltServer | null
  readonly grpc: GrpcServer | null
}

/** The servers that the settings enable in addition to that of the API. */
export interface RequestedServers {
  readonly ingest: boolean
  readonly otlp: boolean
  readonly grpc: boolean
}

function operationRoutes(app: FastifyInstance, parts: RouteDeps): void {
  healthRoutes(app, parts.health)
  metricsRoutes(app, { scrape: () => parts.metrics.scrape(), access: parts.metricsAccess })
  limitsRoutes(app, parts.limits)
  openapiRoute(app)
}

/** Ingest of logs, metrics and OTLP: the routes that only the ingest port serves if there is one. */
function ingestRoutes(app: FastifyInstance, parts: RouteDeps, authenticator: Authenticator): void {
  ingestLogsRoutes(app, { ingest: parts.ingest, authenticator })
  ingestMetricsRoutes(app, { ingest: parts.ingest, authenticator })
  ingestHostsRoutes(app, { ingest: parts.ingest, authenticator })
  ingestEventsRoutes(app, { ingest: parts.ingest, authenticator })
  otlpRoutes(app, { ingest: parts.ingest, authenticator })
  remoteWriteRoutes(app, { ingest: parts.ingest, authenticator })
  metricTextRoutes(app, { ingest: parts.ingest, authenticator })
  influxWriteRoutes(app, { ingest: parts.ingest, authenticator })
}

/** Whether OTLP arrives, and a span to try it. */
function otlpUseCases({ ingest, reads, clock, otlpUrls }: RouteDeps): Pick<UseCases, 'otlpReport' | 'testSpans'> {
  return {
    otlpReport: ns => otlpReport(ingest.otlpStatus, otlpUrls, ns),
    testSpans: new TestSpans({
      useCase: ingest.testSpan,
      isReadable: async (ns, traceId, signal) => (await reads.traceReading.get(ns, traceId, signal)) !== null,
      clock,
      randomBytes
    })
  }
}

function alertUseCases({ alerting }: RouteDeps): Omit<Alerting, 'start' | 'stop' | 'notifications'> & NotificationUseCases {
  const { notifications, ...useCases } = alerting
  return { ...useCases, ...notifications }
}

async function graphql(
  { app, upgrades }: BuiltServer,
  parts: RouteDeps,
  { authenticator, socketCounts }: { readonly authenticator: Authenticator; readonly socketCounts: SocketCounts }
): Promise<void> {
  const { access, reads, health, clock } = parts
  const storeStates = async (): Promise<readonly StoreState[]> => {
    const stores = await health.stores()
    return stores.map(store => ({ ...store, kind: store.name === CONTROL_STORE ? 'control' : 'telemetry' }))
  }
  const failingJobs = (): readonly FailingJob[] =>
    health.failingJobs().map(({ job, failuresInARow: failures, failingSinceMs }) => ({
      job,
      failures,
      failingSince: new Date(failingSinceMs!).toISOString()
    }))
  await graphqlRoutes(app, {
    authenticator,
    useCases: {
      ...access,
      ...reads,
      ...alertUseCases(parts),
      ...otlpUseCases(parts),
      ingestRates: parts.ingest.rates,
      storeStates,
      failingJobs
    },
    queryLimits: reads.limits,
    slices: reads.slices,
    nowMs: () => clock.nowMs(),
    upgrades,
    timers: systemTimers,
    publicUrl: parts.publicUrl,
    socketCounts,
    onSubscriptions: subscriptions => showSubscriptions(parts.metrics, subscriptions),
    ...parts.graphql
  })
}

async function apiRoutes(server: BuiltServer, parts: RouteDeps, authenticator: Authenticator): Promise<void> {
  const { app } = server
  const { access, ingest, reads, clock } = parts
  ingestRumRoutes(app, { ingest, authenticator, countryOf: countryOfProxy })
  ingestApmRoutes(app, { ingest, authenticator })
  const socketCounts = new SocketCounts(DEFAULT_SUBSCRIPTION_LIMITS)
  readRoutes(app, {
    authenticator,
    socketCounts,
    authorizer: access.authorizer,
    errorGroups: access.errorGroups,
    savedViews: access.savedViews,
    patterns: access.patterns,
    ...reads,
    ...alertUseCases(parts),
    ...otlpUseCases(parts),
    clock,
    timers: systemTimers
  })
  const cookies = new CookieSessions(parts.publicUrl, basePathOf(parts.publicUrl))
  identityRoutes(app, { access, authenticator, cookies })
  await graphql(server, parts, { authenticator, socketCounts })
  consoleRoutes(app, { site: parts.site, sandbox: parts.graphql.sandbox })
}

async function ownServer(deps: ServerDeps, parts: RouteDeps, routes: (app: FastifyInstance) => void): Promise<BuiltServer> {
  const server = await buildServer(deps)
  routes(server.app)
  operationRoutes(server.app, parts)
  return server
}

/** Builds the servers with all routes of the service. */
export async function buildServers(
  given: Omit<ServerDeps, 'keyPrefixOf'>,
  parts: RouteDeps,
  requested: RequestedServers
): Promise<Servers> {
  const { access, ingest } = parts
  const authenticator = new Authenticator({ sessions: access.sessions, keys: access.keys })
  const deps: ServerDeps = { ...given, keyPrefixOf: req => authenticator.keyPrefixOf(req) }
  const api = await buildServer(deps)
  await apiRoutes(api, parts, authenticator)
  operationRoutes(api.app, parts)
  if (!requested.ingest) ingestRoutes(api.app, parts, authenticator)
  return {
    api,
    ingest: requested.ingest ? await ownServer(deps, parts, app => ingestRoutes(app, parts, authenticator)) : null,
    otlp: requested.otlp ? await ownServer(deps, parts, app => otlpRoutes(app, { ingest, authenticator })) : null,
    grpc: requested.grpc ? new GrpcServer({ ...deps, ingest, keys: access.keys }) : null
  }
}
