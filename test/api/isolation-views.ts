import type { RunningService } from '../support/running-service.js'
import { spareView } from '../support/spare-things.js'
import type { Tenant } from '../support/tenants.js'
import type { Call, Walk } from './isolation-walk.js'

const DELETED = (): string => '"deleted"'
const body = ({ marker }: Tenant): Readonly<Record<string, unknown>> => ({ name: marker, signal: 'logs', state: { q: marker } })
const view = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({ path: { id: await spareView(api, tenant) } })

/** Saved views in REST. */
export const VIEW_WALKS: Readonly<Record<string, Walk>> = {
  listViews: {
    as: 'reader',
    call: async (tenant, { api }) => {
      await spareView(api, tenant)
      return { query: { signal: 'logs' } }
    }
  },
  createView: { as: 'admin', call: tenant => ({ body: body(tenant) }), isForMembers: true },
  getView: { as: 'reader', call: view },
  replaceView: {
    as: 'admin',
    call: async (tenant, service) => ({ ...(await view(tenant, service)), body: body(tenant) }),
    isForMembers: true
  },
  deleteView: { as: 'admin', call: view, sees: DELETED, isForMembers: true }
}
