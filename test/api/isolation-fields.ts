import type { ApiFetch } from '../support/api-fetch.js'
import type { Walk } from './isolation-field-walk.js'
import { NOTIFICATION_MUTATIONS, NOTIFICATION_QUERIES } from './isolation-notification-fields.js'
import { MEASURE_MUTATIONS, MEASURE_QUERIES } from './isolation-measures.js'
import { SLO_MUTATIONS, SLO_QUERIES } from './isolation-slos.js'
import { spareInvitation, spareKey, spareMember, spareNamespace, spareRule, spareView } from '../support/spare-things.js'
import { freshName, OTHER_SHARED_TRACE, passwordOf, SHARED_METRIC, SHARED_TRACE, type Tenant } from '../support/tenants.js'

/** The last hour, as an argument. */
export const RANGE = 'range: { from: "now-1h" }'

const key = async (tenant: Tenant, api: ApiFetch): Promise<string> => `id: "${await spareKey(api, tenant)}"`
const user = async (tenant: Tenant, api: ApiFetch): Promise<string> => `userId: "${await spareMember(api, tenant)}"`
const namespace = async (tenant: Tenant, api: ApiFetch): Promise<string> => {
  const { id, name } = await spareNamespace(api, tenant)
  return `id: "${id}", confirmName: "${name}"`
}

const rule = async (tenant: Tenant, api: ApiFetch): Promise<string> => `id: "${(await spareRule(api, tenant)).id}"`
const group = async (tenant: Tenant, api: ApiFetch): Promise<string> => `id: "${(await spareRule(api, tenant)).groupId}"`
const ruleInput = ({ marker }: Tenant): string => `input: { alert: "${marker}", expr: "vector(1)", for: "1h" }`

/** Root fields of queries. */
export const QUERIES: Readonly<Record<string, Walk>> = {
  ...NOTIFICATION_QUERIES,
  ...SLO_QUERIES,
  ...MEASURE_QUERIES,
  aggregate: { args: () => `input: { signal: LOGS, ${RANGE}, measures: [{ fn: COUNT }], groupBy: ["owner"] }` },
  compare: {
    args: () => `input: { signal: LOGS, base: { ${RANGE}, query: "owner:*" }, other: { ${RANGE} } }`,
    sees: () => '"field":"log_fields.owner"'
  },
  correlate: { args: () => `input: { traceId: "${SHARED_TRACE}" }` },
  exception: { args: tenant => `id: "${tenant.ids['fingerprint']!}"` },
  exceptionGroups: { args: () => `first: 2, ${RANGE}` },
  exceptions: { args: () => `first: 2, ${RANGE}` },
  service: { args: tenant => `name: "${tenant.marker}-svc"` },
  serviceMap: { args: tenant => `service: "${tenant.marker}-svc", ${RANGE}` },
  services: { args: () => `first: 3, ${RANGE}` },
  serviceList: { args: () => `first: 3, ${RANGE}` },
  host: { args: tenant => `id: "${tenant.marker}-host"` },
  hostPage: { args: () => 'first: 3' },
  hosts: { args: () => 'first: 3' },
  listeners: { args: tenant => `host: "${tenant.marker}-host"` },
  listenerPage: { args: tenant => `service: "${tenant.marker}-svc"` },
  log: { args: tenant => `id: "${tenant.ids['log']!}"` },
  logStream: { args: tenant => `id: "${tenant.ids['stream']!}"` },
  logStreams: { args: () => 'first: 3' },
  logPattern: { args: tenant => `id: "${tenant.ids['pattern']!}"` },
  logFieldValues: { args: () => `field: "owner", ${RANGE}` },
  logFields: { args: () => RANGE, sees: () => '"log_fields.owner"' },
  logs: { args: () => `first: 5, ${RANGE}` },
  metric: { args: () => `name: "${SHARED_METRIC}"`, sees: () => `"${SHARED_METRIC}"` },
  metricLabels: { args: () => `metric: "${SHARED_METRIC}", ${RANGE}`, sees: () => '"owner"' },
  metricRange: { args: () => `queries: [{ metric: "${SHARED_METRIC}", by: ["owner"] }], ${RANGE}` },
  metrics: { args: () => RANGE, sees: () => `"${SHARED_METRIC}"` },
  namespace: { args: () => '' },
  promql: { args: () => `query: "sum by (owner) ({owner=~'.+'})"` },
  otlpStatus: { args: () => '' },
  rum: { args: () => RANGE },
  compareTraces: { args: () => `base: "${SHARED_TRACE}", other: "${OTHER_SHARED_TRACE}"` },
  span: { args: () => `traceId: "${SHARED_TRACE}", spanId: "1"` },
  trace: { args: () => `traceId: "${SHARED_TRACE}"` },
  traceFieldValues: { args: () => `field: "owner", ${RANGE}` },
  traceFields: { args: () => RANGE, sees: () => '"attributes.owner"' },
  traces: { args: () => `first: 5, ${RANGE}` },
  validateQuery: { args: () => 'language: SEARCH, text: "level:error"', sees: () => '"ok":true' },
  alertBacktest: { args: () => `rule: { alert: "Walk", expr: "last_over_time({owner=~'.+'}[1h])" }, ${RANGE}` },
  alertEvents: { args: () => RANGE, sees: () => '"alertEvents":{' },
  alertGroups: {
    args: async (tenant, api) => {
      await spareRule(api, tenant)
      return ''
    }
  },
  alertRule: { args: rule },
  alertRules: {
    args: async (tenant, api) => {
      await spareRule(api, tenant)
      return 'states: [UNKNOWN, PENDING]'
    }
  },
  serviceEvents: { args: () => RANGE },
  savedView: { args: async (tenant, api) => `id: "${await spareView(api, tenant)}"` },
  savedViews: {
    args: async (tenant, api) => {
      await spareView(api, tenant)
      return 'signal: LOGS'
    }
  },
  logRules: { args: () => '', sees: () => '"detectors"' },
  viewer: { args: () => '' }
}
/** Fields that lead to what other root fields have, and those of searches that have tests of their own. */
export const OF_OTHER_FIELDS = new Set([
  ...['Host.services', 'Listener.host', 'Service.hosts', 'LogConnection.patterns', 'LogConnection.gaps'],
  ...['LogConnection.suggestedFacets', 'Slo.rules']
])
/** Of the installation, not of a namespace; for operators. */
export const OF_THE_INSTALLATION = new Set(['stores', 'failingJobs'])

/** Root fields of mutations. */
export const MUTATIONS: Readonly<Record<string, Walk>> = {
  ...NOTIFICATION_MUTATIONS,
  ...SLO_MUTATIONS,
  ...MEASURE_MUTATIONS,
  acceptInvitation: {
    args: async (tenant, api) => `token: "${(await spareInvitation(api, tenant)).token}"`,
    isForAll: true
  },
  changePassword: {
    args: ({ marker }) => {
      const password = passwordOf(`${marker}@example.com`)
      return `currentPassword: "${password}", newPassword: "${password}"`
    },
    isForAll: true
  },
  createAlertRule: { args: ruleInput, isForMembers: true },
  deleteAlertGroup: { args: group, sees: () => '"data":{', isForMembers: true },
  deleteAlertRule: { args: rule, sees: () => '"data":{', isForMembers: true },
  saveAlertGroup: {
    args: async (tenant, api) => `input: { name: "${freshName(tenant.marker)}" }, ${await group(tenant, api)}`,
    isForMembers: true
  },
  setAlertRuleEnabled: { args: async (tenant, api) => `enabled: false, ${await rule(tenant, api)}`, isForMembers: true },
  updateAlertRule: {
    args: async (tenant, api) => `version: 1, ${ruleInput(tenant)}, ${await rule(tenant, api)}`,
    isForMembers: true
  },
  createApiKey: { args: tenant => `input: { name: "${freshName(tenant.marker)}", kind: QUERY }` },
  createNamespace: { args: tenant => `name: "${freshName(tenant.marker)}"`, isForAll: true },
  deleteView: {
    args: async (tenant, api) => `id: "${await spareView(api, tenant)}"`,
    sees: () => '"data":{',
    isForMembers: true
  },
  saveView: {
    args: ({ marker }) => `input: { name: "${marker}", signal: LOGS, state: { q: "${marker}" } }`,
    isForMembers: true
  },
  setPreferences: { args: ({ marker }) => `preferences: { theme: "${marker}" }`, isForAll: true },
  deleteNamespace: { args: namespace, sees: () => '"data":{' },
  inviteMember: { args: () => 'role: MEMBER', sees: () => '"data":{' },
  removeMember: { args: user, sees: () => '"data":{' },
  revokeApiKey: { args: key },
  revokeInvitation: {
    args: async (tenant, api) => `id: "${(await spareInvitation(api, tenant)).id}"`,
    sees: () => '"data":{'
  },
  rotateApiKey: { args: key },
  sendTestSpan: { args: () => '', sees: () => '"readable":true', isForMembers: true },
  setExceptionState: { args: tenant => `id: "${tenant.ids['fingerprint']!}", state: IGNORED`, isForMembers: true },
  setMemberRole: { args: async (tenant, api) => `role: MEMBER, ${await user(tenant, api)}` },
  setRetention: { args: () => 'input: { logs: "20d" }' },
  setLogRules: { args: () => 'input: { redact: { keys: ["walk"] } }', sees: () => '"walk"' },
  setSubstringSearch: { args: () => 'search: APPROXIMATE' },
  updatePattern: { args: tenant => `id: "${tenant.ids['pattern']!}", muted: true`, isForMembers: true },
  switchNamespace: { args: tenant => `id: "${tenant.namespaceId}"`, isForAll: true }
}
