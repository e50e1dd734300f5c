import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../src/domain/errors.js'
import type { KeyId, NamespaceId, UserId } from '../../src/domain/ids.js'
import type { LogRules } from '../../src/domain/log-rules.js'
import { DEFAULT_RETENTION, type Namespace, type NamespaceState } from '../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import type { KeyPrincipal, Principal } from '../../src/domain/principal.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { influxWriteRoutes } from '../../src/http/routes/influx-write.js'
import { ingestApmRoutes } from '../../src/http/routes/ingest-apm.js'
import { ingestEventsRoutes } from '../../src/http/routes/ingest-events.js'
import { ingestHostsRoutes } from '../../src/http/routes/ingest-hosts.js'
import { ingestLogsRoutes } from '../../src/http/routes/ingest-logs.js'
import { ingestMetricsRoutes } from '../../src/http/routes/ingest-metrics.js'
import { ingestRumRoutes } from '../../src/http/routes/ingest-rum.js'
import { otlpRoutes } from '../../src/http/routes/otlp.js'
import type { SessionPrincipal } from '../../src/access/sessions.js'
import { createIngest, type Ingest } from '../../src/ingest/ingest.js'
import { DEFAULT_INGEST_LIMITS, type IngestLimits } from '../../src/ingest/limits.js'
import { STREAM_LIMITS, type StreamLimits } from '../../src/ingest/streams/stream-limits.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { Stores } from '../../src/ports/stores.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { type ApiFetch, createApiFetch } from './api-fetch.js'
import { ClockAhead } from './clock-ahead.js'
import { type ServedRoutes, serveRoutes } from './serve-routes.js'
import { openTempFolder } from './temp-folder.js'
import { quietJobs, SILENT_LOGGER } from './quiet-jobs.js'

/** The write routes alone over real HTTP and real stores; the caller and the list of namespaces are given. */
export interface IngestService {
  readonly api: ApiFetch
  readonly url: string
  readonly stores: Stores
  readonly control: ControlStore
  readonly ingest: Ingest
  /** Moves the service's clock. */
  readonly clock: ClockAhead
  close(): Promise<void>
}

export const namespaceId = (name: string): NamespaceId => `${name.replaceAll('-', '')}0000000000` as NamespaceId

function namespace(name: string, state: NamespaceState = 'active'): Namespace {
  return {
    id: namespaceId(name),
    name,
    kind: 'team',
    state,
    retention: DEFAULT_RETENTION,
    storage: DEFAULT_STORAGE.team,
    createdAtMs: 0
  }
}

const NAMESPACES = [
  namespace('prod'),
  namespace('stage'),
  namespace('foreign'),
  namespace('default'),
  namespace('gone', 'deleted')
]

function key(id: string, keyKind: KeyPrincipal['keyKind'], ...names: string[]): KeyPrincipal {
  return { kind: 'key', keyId: id as KeyId, keyKind, namespaces: names.map(namespaceId), allowedOrigins: [] }
}

/** The valid values of `X-API-Key`. */
const KEYS: ReadonlyMap<unknown, KeyPrincipal> = new Map([
  ['ingest', key('k1', 'ingest', 'prod', 'stage', 'gone')],
  ['other', key('k2', 'ingest', 'prod')],
  ['bare', key('k3', 'ingest')],
  ['rum', key('k4', 'rum', 'prod')]
])
const USER = {
  kind: 'user',
  userId: 'u1' as UserId,
  isOperator: false,
  activeNamespace: namespaceId('stage')
} as SessionPrincipal

const authenticator = {
  apiKey: async (req: FastifyRequest): Promise<KeyPrincipal> => {
    const found = KEYS.get(req.headers['x-api-key'])
    if (!found) throw new GatewayError('missing_credential', 'no key')
    if (found.keyKind !== 'ingest') throw new GatewayError('scope_required', 'not this kind')
    return found
  },
  rumWriter: async (req: FastifyRequest): Promise<KeyPrincipal | SessionPrincipal> => {
    if (req.headers.authorization === 'Bearer user') return USER
    const found = KEYS.get(req.headers['x-api-key'] ?? (req.query as { key?: string }).key)
    if (!found) throw new GatewayError('missing_credential', 'no key')
    return found
  }
}

const directory = {
  byId: (id: NamespaceId) => NAMESPACES.find(ns => ns.id === id) ?? null,
  byName: (name: string) => NAMESPACES.find(ns => ns.name === name) ?? null,
  isNamed: (ns: Namespace, name: string) => ns.name === name
}

const authorizer = {
  writeNamespace: async (principal: Principal, { id }: { id?: string }): Promise<Namespace> => {
    if (principal.kind !== 'user') throw new Error('keys are not expected')
    const found = directory.byId((id ?? principal.activeNamespace) as NamespaceId)
    if (found?.name === 'stage' || found?.name === 'prod') return found
    throw new GatewayError('namespace_not_allowed', 'no member')
  }
}

async function serve(ingest: Ingest): Promise<ServedRoutes> {
  return serveRoutes(app => {
    const deps = { ingest, authenticator }
    ingestLogsRoutes(app, deps)
    ingestMetricsRoutes(app, deps)
    ingestHostsRoutes(app, deps)
    ingestEventsRoutes(app, deps)
    ingestRumRoutes(app, deps)
    ingestApmRoutes(app, deps)
    influxWriteRoutes(app, { ingest, authenticator: { pushKey: authenticator.apiKey } })
    otlpRoutes(app, { ingest, authenticator: { ingestKey: authenticator.apiKey } })
  })
}

/** Opens the stores and serves the write routes. */
export async function openIngestService(
  limits: Partial<IngestLimits> = {},
  wrap: (stores: Stores) => Pick<Stores, 'logs' | 'metrics' | 'events'> = stores => stores,
  streamLimits: StreamLimits = STREAM_LIMITS
): Promise<IngestService> {
  const folder = await openTempFolder()
  const clock = new ClockAhead()
  const stores = await openDuckDbStores({
    logger: SILENT_LOGGER,
    jobs: quietJobs(),
    dataDir: join(folder.path, 'data'),
    clock
  })
  const control = await openSqliteControlStore({ file: join(folder.path, 'control.db') })
  const { logs, metrics, events, traces } = { ...stores, ...wrap(stores) }
  const ingest = createIngest({
    jobs: quietJobs(),
    clock,
    newIngestId: createUlidSource(() => clock.nowMs(), randomBytes),
    directory,
    authorizer,
    openRules: (_ns, stored) => JSON.parse(stored) as LogRules,
    logs,
    metrics,
    events,
    traces,
    idempotency: control.idempotency,
    metricFacts: control.metricFacts,
    exemplars: control.exemplars,
    patternCatalog: control.patterns,
    patternSeed: 1,
    usage: control.usage,
    ...{ streams: control, hosts: control, serviceEvents: control.serviceEvents },
    streamLimits,
    limits: { ...DEFAULT_INGEST_LIMITS, ...limits },
    onError: error => {
      throw error
    }
  })
  const served = await serve(ingest)
  return {
    api: await createApiFetch(served.url),
    url: served.url,
    stores,
    control,
    ingest,
    clock,
    close: async () => {
      await served.close()
      await ingest.close()
      await stores.close()
      await control.close()
      await folder.remove()
    }
  }
}
