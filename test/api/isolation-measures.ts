import { spareMeasure } from '../support/spare-things.js'
import { freshName, type Tenant } from '../support/tenants.js'
import type { Walk as FieldWalk } from './isolation-field-walk.js'
import type { Walk } from './isolation-walk.js'

const SPENT = (): string => ''
const RANGE = 'range: { from: "now-2h" }'

function newName({ marker }: Tenant): string {
  return freshName(marker).replaceAll('-', '_')
}

/** Saved measures in REST. */
export const MEASURE_WALKS: Readonly<Record<string, Walk>> = {
  listMeasures: {
    as: 'reader',
    call: async (tenant, { api }) => {
      await spareMeasure(api, tenant)
      return {}
    }
  },
  createMeasure: { as: 'admin', call: tenant => ({ body: { name: newName(tenant), fn: 'count' } }), isForMembers: true },
  deleteMeasure: {
    as: 'admin',
    call: async (tenant, { api }) => ({ path: { name: await spareMeasure(api, tenant) } }),
    sees: SPENT,
    isForMembers: true
  },
  backfillMeasure: {
    as: 'admin',
    call: async (tenant, { api }) => ({ path: { name: await spareMeasure(api, tenant) }, body: { start: 'now-2h' } }),
    isForMembers: true
  }
}

/** Root fields of queries of saved measures. */
export const MEASURE_QUERIES: Readonly<Record<string, FieldWalk>> = {
  savedMeasures: {
    args: async (tenant, api) => {
      await spareMeasure(api, tenant)
      return ''
    }
  }
}

/** Root fields of mutations of saved measures. */
export const MEASURE_MUTATIONS: Readonly<Record<string, FieldWalk>> = {
  saveMeasure: { args: tenant => `input: { name: "${newName(tenant)}", signal: LOGS, fn: COUNT }`, isForMembers: true },
  backfillMeasure: {
    args: async (tenant, api) => `name: "${await spareMeasure(api, tenant)}", ${RANGE}`,
    isForMembers: true
  },
  deleteMeasure: {
    args: async (tenant, api) => `name: "${await spareMeasure(api, tenant)}"`,
    sees: () => '"data":{',
    isForMembers: true
  }
}
