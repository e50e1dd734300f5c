import type { ApiFetch } from '../support/api-fetch.js'
import type { RunningService } from '../support/running-service.js'
import { anySlo, sloOf, spareSlo } from '../support/spare-things.js'
import type { Tenant } from '../support/tenants.js'
import type { Walk as FieldWalk } from './isolation-field-walk.js'
import type { Call, Walk } from './isolation-walk.js'

const DELETED = (): string => ''
const slo = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({ path: { id: (await anySlo(api, tenant)).id } })
const spent = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({ path: { id: await spareSlo(api, tenant) } })
const reported = (): string => '"state":'
const backtested = (): string => '"instances":'
const fileOf = ({ marker }: Tenant): string =>
  `{version: prometheus/v1, service: ${marker}, slos: [{name: a, objective: 99, sli: {events: {error_query: e, total_query: t}}}]}`

/** SLOs in REST. */
export const SLO_WALKS: Readonly<Record<string, Walk>> = {
  listSlos: {
    as: 'reader',
    call: async (tenant, service) => {
      await slo(tenant, service)
      return {}
    }
  },
  createSlo: { as: 'admin', call: tenant => ({ body: sloOf(tenant) }), isForMembers: true },
  getSlo: { as: 'reader', call: slo },
  replaceSlo: {
    as: 'admin',
    call: async (tenant, { api }) => {
      const { id: stored, version } = await anySlo(api, tenant)
      return { path: { id: stored }, body: { ...sloOf(tenant), version } }
    },
    isForMembers: true
  },
  deleteSlo: { as: 'admin', call: spent, sees: DELETED, isForMembers: true },
  listSloVersions: { as: 'reader', call: slo },
  getSloReport: { as: 'reader', call: slo, sees: reported },
  importSlos: { as: 'admin', call: tenant => ({ body: { file: fileOf(tenant) } }), isForMembers: true },
  backtestSlo: { as: 'reader', call: tenant => ({ body: { slo: sloOf(tenant), start: 'now-1h' } }) }
}

const literal = (value: object): string =>
  `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${typeof member === 'object' ? literal(member as object) : JSON.stringify(member)}`)
    .join(', ')} }`
const document = (tenant: Tenant): string => `document: ${literal(sloOf(tenant))}`
const id = async (tenant: Tenant, api: ApiFetch): Promise<string> => `id: "${(await anySlo(api, tenant)).id}"`

/** Root fields of queries of SLOs. */
export const SLO_QUERIES: Readonly<Record<string, FieldWalk>> = {
  slos: {
    args: async (tenant, api) => {
      await anySlo(api, tenant)
      return ''
    }
  },
  slo: { args: id },
  // Alerts of the walk are pending.
  alertIntervals: { args: ({ marker }) => `range: { from: "now-1h" }, service: "${marker}"`, sees: () => '"intervals":[' },
  sloBacktest: { args: tenant => `${document(tenant)}, range: { from: "now-1h" }`, sees: backtested }
}

/** Root fields of mutations of SLOs. */
export const SLO_MUTATIONS: Readonly<Record<string, FieldWalk>> = {
  saveSlo: {
    args: async (tenant, api) => {
      const { id: stored, version } = await anySlo(api, tenant)
      return `version: ${version}, ${document(tenant)}, id: "${stored}"`
    },
    isForMembers: true
  },
  deleteSlo: { args: async (tenant, api) => `id: "${await spareSlo(api, tenant)}"`, sees: () => '"data":{', isForMembers: true }
}
