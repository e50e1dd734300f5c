import type { RunningService } from '../support/running-service.js'
import type { Tenant } from '../support/tenants.js'
import { snappyBlock, writeRequest } from '../support/remote-write.js'
import type { Call, Walk } from './isolation-walk.js'
import { ALERT_WALKS, lastHour, withRule } from './isolation-alerts.js'
import { NOTIFICATION_WALKS } from './isolation-notifications.js'
import { MEASURE_WALKS } from './isolation-measures.js'
import { SLO_WALKS } from './isolation-slos.js'
import { VIEW_WALKS } from './isolation-views.js'
import { spareInvitation, spareKey, spareMember, spareNamespace } from '../support/spare-things.js'
import { freshName, OTHER_SHARED_TRACE, passwordOf, SHARED_METRIC, SHARED_TRACE } from '../support/tenants.js'

const byNamespace = (tenant: Tenant): Call => ({ path: { id: tenant.namespaceId } })

async function member(tenant: Tenant, { api }: RunningService): Promise<Call> {
  return { path: { id: tenant.namespaceId, user_id: await spareMember(api, tenant) } }
}

async function key(tenant: Tenant, { api }: RunningService): Promise<Call> {
  return { path: { id: await spareKey(api, tenant) } }
}

/** Each endpoint of the Prometheus API by GET, and by POST where it takes a form. */
function promqlWalks(): Record<string, Walk> {
  const query = 'last_over_time({__name__=~".+"}[1h])'
  const ofData: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    promqlQuery: () => ({ query }),
    promqlQueryRange: () => ({ query, ...lastHour(), step: '600' }),
    promqlSeries: () => ({ 'match[]': '{__name__=~".+"}', ...lastHour() }),
    promqlExemplars: () => ({ query: '{__name__=~".+"}', ...lastHour() })
  }
  const reads = Object.entries(ofData).flatMap(([operation, params]) =>
    [operation, `${operation}Form`].map(name => [name, { as: 'reader', call: () => ({ query: params() }) }] as const)
  )
  const others = ['promqlLabels', 'promqlLabelsForm']
  const strings = ['promqlFormat', 'promqlFormatForm', 'promqlParse', 'promqlParseForm'].map(
    name => [name, { as: 'reader', call: () => ({ query: { query: 'up' } }), sees: () => '"success"' }] as const
  )
  const plain = [...others, 'promqlAlerts', 'promqlBuildInfo'].map(
    name => [name, { as: 'reader', call: () => ({ query: lastHour() }), sees: () => '"success"' }] as const
  )
  const values: Walk = { as: 'reader', call: () => ({ path: { label: 'owner' }, query: lastHour() }) }
  const metadata: Walk = { as: 'reader', call: () => ({}) }
  const rules: Walk = { as: 'reader', call: withRule }
  return Object.fromEntries<Walk>([
    ...reads,
    ...plain,
    ['promqlRules', rules],
    ...strings,
    ['promqlLabelValues', values],
    ['promqlMetadata', metadata]
  ])
}

/** Metrics as text and line protocol. */
function textWalks(): Record<string, Walk> {
  const of = (text: string, path: Call['path'] = {}): Walk['call'] => {
    return () => ({ path, raw: { bytes: Buffer.from(text), headers: { 'content-type': 'text/plain' } } })
  }
  const stored = (): string => '"status":"ok"'
  const nothing = (): string => ''
  return {
    importMetricText: { as: 'key', call: of('walk_text 1\n'), sees: stored },
    pushMetrics: { as: 'key', call: of('walk_text 1\n', { job: 'walk' }), sees: stored },
    putMetrics: { as: 'key', call: of('walk_text 1\n', { job: 'walk' }), sees: stored },
    writeInflux2: { as: 'key', call: of('walk line=1\n'), sees: nothing },
    writeInflux1: { as: 'key', call: of('walk line=1\n'), sees: nothing }
  }
}

const NO_RULES = { redact: { detectors: [], keys: ['walk'], literals: [] }, drop: [], fields: [] }

const DELETED = (): string => ''

/** Every operation that touches what belongs to a namespace, by its id in the OpenAPI document. */
export const WALKS: Readonly<Record<string, Walk>> = {
  ...NOTIFICATION_WALKS,
  ...SLO_WALKS,
  ...MEASURE_WALKS,
  ...VIEW_WALKS,
  listLogLevels: { as: 'reader', call: () => ({}) },
  listLogServices: { as: 'reader', call: () => ({}) },
  listLogHosts: { as: 'reader', call: () => ({}) },
  searchLogs: { as: 'reader', call: tenant => ({ body: { around: tenant.ids['log']! } }) },
  tailLogs: { as: 'reader', call: () => ({ query: { duration: '100ms' } }), sees: () => '"dropped":0' },
  listLogPatterns: { as: 'reader', call: () => ({}) },
  getLogPattern: { as: 'reader', call: tenant => ({ path: { pattern_id: tenant.ids['pattern']! } }) },
  updateLogPattern: {
    as: 'admin',
    call: tenant => ({ path: { pattern_id: tenant.ids['pattern']! }, body: { note: tenant.marker } }),
    isForMembers: true
  },
  listStreams: { as: 'reader', call: () => ({}) },
  listHosts: { as: 'reader', call: () => ({}) },
  getHost: { as: 'reader', call: tenant => ({ path: { id: tenant.ids['machine']! } }) },
  listListeners: { as: 'reader', call: tenant => ({ query: { host: `${tenant.marker}-host` } }) },
  putHost: {
    as: 'key',
    call: ({ marker }) => ({ path: { id: 'walk' }, body: { name: `${marker}-walk`, interval_s: 60, listeners: [] } })
  },
  reportEvent: { as: 'key', call: ({ marker }) => ({ body: { type: 'deploy', id: freshName(marker), service: marker } }) },
  proveStream: { as: 'reader', call: tenant => ({ path: { id: tenant.ids['stream']! } }) },
  listLogFields: { as: 'reader', call: () => ({}) },
  facetLogs: { as: 'reader', call: () => ({ body: { fields: ['service', 'owner'] } }) },
  exportLogRecords: { as: 'reader', call: () => ({ body: { format: 'csv' } }) },
  exportSpans: { as: 'reader', call: () => ({ body: {} }) },
  aggregateRecords: { as: 'reader', call: () => ({ body: { group_by: ['owner'] } }) },
  compareRecords: {
    as: 'reader',
    call: () => ({ body: { base: { query: 'owner:*' }, other: {} } }),
    sees: () => '"field":"log_fields.owner"'
  },
  correlateTraceLogs: { as: 'reader', call: () => ({ path: { trace_id: SHARED_TRACE } }) },
  correlateMetrics: { as: 'reader', call: () => ({ body: { anchor: { trace_id: SHARED_TRACE } } }) },
  queryMetric: { as: 'reader', call: () => ({ body: { metric: SHARED_METRIC, group_by: ['owner'] } }) },
  getCardinality: { as: 'reader', call: () => ({ query: { limit: '100' } }) },
  ...promqlWalks(),
  ...ALERT_WALKS,
  searchTraces: { as: 'reader', call: () => ({ query: { facets: 'owner' } }) },
  queryTraces: { as: 'reader', call: () => ({ body: { facets: ['owner'] } }) },
  getTrace: { as: 'reader', call: () => ({ path: { trace_id: SHARED_TRACE } }) },
  compareTraces: { as: 'reader', call: () => ({ path: { trace_id: SHARED_TRACE }, query: { other: OTHER_SHARED_TRACE } }) },
  reportRum: { as: 'reader', call: () => ({ query: { group_by: 'page' } }) },
  listApmMetrics: { as: 'reader', call: () => ({ query: { service: 'shared', name: 'latency' } }) },
  getErrorGroup: { as: 'reader', call: tenant => ({ path: { fingerprint: tenant.ids['fingerprint']! } }) },
  setErrorGroupState: {
    as: 'admin',
    call: tenant => ({ path: { fingerprint: tenant.ids['fingerprint']! }, body: { state: 'ignored' } }),
    isForMembers: true
  },
  getOtlpStatus: { as: 'reader', call: () => ({}) },
  sendTestSpan: { as: 'admin', call: () => ({}), sees: () => '"readable":true', isForMembers: true },
  listServices: { as: 'reader', call: () => ({}) },
  getService: { as: 'reader', call: tenant => ({ path: { name: `${tenant.marker}-svc` } }) },
  getServiceMap: { as: 'reader', call: tenant => ({ query: { service: `${tenant.marker}-svc` } }) },
  listApmErrors: { as: 'reader', call: () => ({}) },
  getUsage: { as: 'reader', call: byNamespace, sees: () => '"stored":5' },
  listNamespaces: { as: 'admin', call: () => ({}), isForAll: true },
  getNamespace: { as: 'admin', call: byNamespace, isForAll: true },
  listMembers: { as: 'admin', call: byNamespace, isForAll: true },
  listInvitations: { as: 'admin', call: byNamespace, sees: tenant => tenant.ids['invitation']! },
  listKeys: { as: 'admin', call: () => ({}) },
  listAudit: { as: 'admin', call: byNamespace, sees: tenant => tenant.ids['user']! },
  ingestLog: { as: 'key', call: tenant => ({ body: { message: `${tenant.marker} written` } }) },
  ingestLogs: { as: 'key', call: tenant => ({ body: { logs: [{ message: `${tenant.marker} written` }] } }) },
  ingestMetric: { as: 'key', call: () => ({ body: { name: 'walk.point', value: 1 } }), sees: () => '"status":"ok"' },
  ingestMetrics: { as: 'key', call: () => ({ body: { metrics: [{ name: 'walk.point', value: 1 }] } }) },
  exportLogs: {
    as: 'key',
    call: tenant => ({
      body: { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: `${tenant.marker} exported` } }] }] }] }
    }),
    sees: () => '{}'
  },
  exportMetrics: {
    as: 'key',
    call: () => ({
      body: { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'walk', gauge: { dataPoints: [{ asDouble: 1 }] } }] }] }] }
    }),
    sees: () => '{}'
  },
  exportTraces: {
    as: 'key',
    call: tenant => {
      const ids = { traceId: '5bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
      const span = { ...ids, name: `${tenant.marker} exported`, startTimeUnixNano: `${Date.now()}000000` }
      return { body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] } }
    },
    sees: () => '{}'
  },
  remoteWrite: {
    as: 'key',
    call: () => ({
      raw: {
        bytes: snappyBlock(writeRequest({ __name__: 'walk_written' }, [Date.now(), 1])),
        headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
      }
    }),
    sees: () => ''
  },
  ...textWalks(),
  ingestRum: { as: 'key', call: () => ({ body: { page_url: 'https://walk.example/' } }), isForMembers: true },
  ingestApmMetric: { as: 'key', call: () => ({ body: { service: 'walk', name: 'walk.apm', value: 1 } }) },
  ingestApmError: { as: 'key', call: () => ({ body: { service: 'walk', message: 'walk' } }) },
  changePassword: {
    as: 'admin',
    call: ({ marker }) => {
      const password = passwordOf(`${marker}@example.com`)
      return { body: { current_password: password, new_password: password } }
    },
    sees: () => '',
    isForAll: true
  },
  switchNamespace: { as: 'admin', call: tenant => ({ body: { namespace_id: tenant.namespaceId } }), isForAll: true },
  createNamespace: { as: 'admin', call: tenant => ({ body: { name: freshName(tenant.marker) } }), isForAll: true },
  changeNamespace: { as: 'admin', call: tenant => ({ ...byNamespace(tenant), body: { retention: { logs: '20d' } } }) },
  getLogRules: { as: 'admin', call: byNamespace, sees: () => '"detectors"' },
  putLogRules: {
    as: 'admin',
    call: tenant => ({ ...byNamespace(tenant), body: NO_RULES }),
    sees: () => '"detectors"'
  },
  deleteNamespace: { as: 'admin', call: async (tenant, { api }) => ({ path: { id: (await spareNamespace(api, tenant)).id } }) },
  changeMember: {
    as: 'admin',
    call: async (tenant, service) => ({ ...(await member(tenant, service)), body: { role: 'member' } })
  },
  removeMember: { as: 'admin', call: member, sees: DELETED },
  createInvitation: {
    as: 'admin',
    call: tenant => ({ ...byNamespace(tenant), body: { role: 'member' } }),
    sees: tenant => tenant.namespaceId
  },
  revokeInvitation: {
    as: 'admin',
    call: async (tenant, { api }) => ({
      path: { id: tenant.namespaceId, invitation_id: (await spareInvitation(api, tenant)).id }
    }),
    sees: DELETED
  },
  acceptInvitation: {
    as: 'admin',
    call: async (tenant, { api }) => ({ body: { invitation_token: (await spareInvitation(api, tenant)).token } }),
    sees: tenant => tenant.namespaceId,
    isForAll: true
  },
  createKey: { as: 'admin', call: tenant => ({ body: { name: freshName(tenant.marker), kind: 'query' } }) },
  rotateKey: { as: 'admin', call: async (tenant, service) => ({ ...(await key(tenant, service)), body: { grace: '1m' } }) },
  revokeKey: { as: 'admin', call: key, sees: DELETED }
}

/** Operations that hold nothing of any namespace, or that need the caller's own password or token. */
export const WITHOUT_NAMESPACE: ReadonlySet<string> = new Set([
  ...[
    'getLiveness',
    'getReadiness',
    'promqlHealthy',
    'promqlReady',
    'getServiceMetrics',
    'getLimits',
    'getOpenApi',
    'getJwks',
    'preflightRum'
  ],
  ...['register', 'login', 'refreshSession', 'logout']
])
