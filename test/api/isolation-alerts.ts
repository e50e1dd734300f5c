import type { RunningService } from '../support/running-service.js'
import { spareRule } from '../support/spare-things.js'
import { freshName, type Tenant } from '../support/tenants.js'
import type { Call, Walk } from './isolation-walk.js'

/** The last hour, as of the call: it includes what was written meanwhile. */
export function lastHour(): { readonly start: string; readonly end: string } {
  const end = Math.ceil(Date.now() / 1000)
  return { start: String(end - 3600), end: String(end) }
}

const alertRule = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({
  path: { id: (await spareRule(api, tenant)).id }
})
const alertGroup = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({
  path: { id: (await spareRule(api, tenant)).groupId },
  body: { name: freshName(tenant.marker) }
})
/** Finds nothing of its own until the tenant has a rule. */
export const withRule = async (tenant: Tenant, { api }: RunningService): Promise<Call> => {
  await spareRule(api, tenant)
  return {}
}
const ruleBody = ({ marker }: Tenant): Readonly<Record<string, unknown>> => ({ alert: marker, expr: 'vector(1)', for: '1h' })

/** Alert rules, their groups and events. */
export const ALERT_WALKS: Readonly<Record<string, Walk>> = {
  listAlertGroups: { as: 'reader', call: withRule },
  createAlertGroup: { as: 'admin', call: tenant => ({ body: { name: freshName(tenant.marker) } }), isForMembers: true },
  updateAlertGroup: { as: 'admin', call: alertGroup, isForMembers: true },
  deleteAlertGroup: { as: 'admin', call: alertGroup, sees: () => '"deleted"', isForMembers: true },
  listAlertRules: { as: 'reader', call: withRule },
  getAlertRule: { as: 'reader', call: alertRule },
  createAlertRule: { as: 'admin', call: tenant => ({ body: ruleBody(tenant) }), isForMembers: true },
  updateAlertRule: {
    as: 'admin',
    call: async (tenant, service) => ({ ...(await alertRule(tenant, service)), body: { ...ruleBody(tenant), version: 1 } }),
    isForMembers: true
  },
  setAlertRuleEnabled: {
    as: 'admin',
    call: async (tenant, service) => ({ ...(await alertRule(tenant, service)), body: { enabled: false } }),
    isForMembers: true
  },
  deleteAlertRule: { as: 'admin', call: alertRule, sees: () => '"deleted"', isForMembers: true },
  backtestAlertRule: {
    as: 'reader',
    call: () => ({ body: { rule: { alert: 'Walk', expr: 'last_over_time({__name__=~".+"}[1h])' }, ...lastHour() } })
  },
  importAlertRules: {
    as: 'admin',
    call: ({ marker }) => ({ body: { file: `groups: [{ name: ${marker}, rules: [{ alert: ${marker}, expr: vector(1) }] }]` } }),
    isForMembers: true
  },
  exportAlertRules: { as: 'reader', call: withRule },
  testAlertRules: { as: 'reader', call: () => ({ body: { tests: 'tests: []' } }), sees: () => '"ok":true' },
  listAlertRuleVersions: { as: 'reader', call: alertRule },
  listEvents: { as: 'reader', call: () => ({}) },
  listAlerts: { as: 'reader', call: () => ({}), sees: () => '"alerts"' },
  listAlertEvents: { as: 'reader', call: () => ({}), sees: () => '"events"' }
}
