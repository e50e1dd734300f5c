import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Authorizer } from '../../src/access/authorizer.js'
import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import type { KeyId, NamespaceId } from '../../src/domain/ids.js'
import type { KeyPrincipal } from '../../src/domain/principal.js'
import { type GraphqlDeps, graphqlRoutes } from '../../src/http/graphql.js'
import type { Upgrades } from '../../src/http/upgrades.js'
import { systemTimers } from '../../src/threads/system-timers.js'
import type { Stores } from '../../src/ports/stores.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import { openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { createReadUseCases } from '../../src/app/use-cases.js'
import { serveRoutes } from './serve-routes.js'
import { NO_METRIC_NOTES } from './no-metric-notes.js'
import { NO_HOSTS } from './no-hosts.js'
import { NO_STREAMS } from './no-streams.js'
import { openTempFolder } from './temp-folder.js'
import { quietJobs, SILENT_LOGGER } from './quiet-jobs.js'
import { NO_PATTERNS } from './no-patterns.js'

/** One call of a store: `logs.search` and its arguments. */
export interface StoreCall {
  readonly name: string
  readonly args: readonly unknown[]
}

/** GraphQL over real stores whose calls are written down, for one namespace and one query key. */
export interface GraphqlOverStores {
  readonly url: string
  readonly stores: Stores
  readonly namespace: Namespace
  /** Calls since they were last taken. */
  takeCalls(): StoreCall[]
  close(): Promise<void>
}

const NAMESPACE: Namespace = {
  id: 'nsgraphqltest' as NamespaceId,
  name: 'shop',
  kind: 'team',
  state: 'active',
  retention: { ...DEFAULT_RETENTION, logs: null, traces: null },
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
}
const PRINCIPAL: KeyPrincipal = {
  kind: 'key',
  keyId: 'k1' as KeyId,
  keyKind: 'query',
  namespaces: [NAMESPACE.id],
  allowedOrigins: []
}

/** Passes every call on, and writes it down first. */
function watched<Port extends object>(port: Port, prefix: string, calls: StoreCall[]): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        calls.push({ name: `${prefix}.${String(name)}`, args })
        return Reflect.apply(member, target, args)
      }
    }
  })
}

/** Opens stores in a temporary folder and serves GraphQL over them. */
export async function serveGraphql(deps: Partial<GraphqlDeps> = {}, logger?: Logger): Promise<GraphqlOverStores> {
  const folder = await openTempFolder()
  const stores = await openDuckDbStores({
    logger: SILENT_LOGGER,
    jobs: quietJobs(),
    dataDir: folder.path,
    clock: systemClock
  })
  const calls: StoreCall[] = []
  const seen: Stores = {
    ...stores,
    logs: watched(stores.logs, 'logs', calls),
    metrics: watched(stores.metrics, 'metrics', calls),
    events: watched(stores.events, 'events', calls),
    traces: watched(stores.traces, 'traces', calls)
  }
  const settings = { ...DEFAULT_QUERY_SETTINGS, queriesPerSecond: 10_000 }
  const reads = createReadUseCases(seen, systemClock, settings, {
    cursorSecret: 'x'.repeat(32),
    promqlThreads: new PromqlThreads({ count: 2 }),
    errorGroups: { of: async () => [] },
    notes: NO_METRIC_NOTES,
    patterns: NO_PATTERNS,
    streams: NO_STREAMS,
    hosts: NO_HOSTS
  })
  const authorizer: Pick<Authorizer, 'readNamespace' | 'roleIn'> = {
    readNamespace: async () => NAMESPACE,
    roleIn: async () => 'viewer'
  }
  const useCases = {
    ...reads,
    authorizer,
    storeStates: async () => [],
    failingJobs: () => []
  } as unknown as GraphqlDeps['useCases']
  const register = (app: FastifyInstance, upgrades: Upgrades): Promise<void> =>
    graphqlRoutes(app, {
      upgrades,
      timers: systemTimers,
      publicUrl: null,
      authenticator: { reader: async () => PRINCIPAL },
      useCases,
      queryLimits: reads.limits,
      slices: reads.slices,
      nowMs: () => systemClock.nowMs(),
      introspection: true,
      sandbox: true,
      maxResponseBytes: settings.maxRequestBytes,
      ...deps
    })
  const served = await serveRoutes(register, logger)
  return {
    url: served.url,
    stores,
    namespace: NAMESPACE,
    takeCalls: () => calls.splice(0),
    close: async () => {
      await served.close()
      await stores.close()
      await folder.remove()
    }
  }
}
