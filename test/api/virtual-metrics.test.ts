import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, type Tenant } from '../support/tenants.js'

let service: RunningService
let tenants: readonly [Tenant, Tenant]

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  tenants = [await createTenant(service, 'virtuala'), await createTenant(service, 'virtualb')]
}, 120_000)
afterAll(() => service.close())

async function request(tenant: Tenant, path: string): Promise<string> {
  const response = await service.api(`/api/v1/prometheus/api/v1/${path}`, {
    headers: { authorization: `Bearer ${tenant.viewer}` }
  })
  expect([response.status, response.text]).toEqual([200, expect.any(String)])
  return response.text
}

/** Counted an hour after their time, when all steps that they are in are over. */
const LATER = `time=${Math.ceil(Date.now() / 1000) + 1_800}`
const WITHIN = encodeURIComponent('[2h]')

it.each([
  ['log_records_total', 'service'],
  ['spans_total', 'service'],
  ['span_duration_seconds_count', 'service'],
  ['span_duration_seconds_sum', 'service'],
  ['rum_page_views_total', 'page_group'],
  ['rum_lcp_seconds_count', 'page_group']
])('counts %s of the own namespace only', async (metric, label) => {
  for (const [i, tenant] of tenants.entries()) {
    const other = tenants[1 - i]!
    const series = await request(tenant, `series?match[]=${metric}`)
    const value = label === 'service' ? `${tenant.marker}-svc"` : `https://${tenant.marker}.example/`
    expect(series).toContain(`"${label}":"${value}`)
    expect(series).not.toContain(other.marker)
    expect(await request(tenant, 'label/__name__/values')).toContain(`"${metric}"`)
    const values = await request(tenant, `label/${label}/values?match[]=${metric}`)
    expect([values.includes(tenant.marker), values.includes(other.marker)]).toEqual([true, false])
    const response = await request(tenant, `query?query=${metric}${WITHIN}&${LATER}`)
    expect(response).not.toContain(other.marker)
    expect(JSON.parse(response)).toMatchObject({ status: 'success' })
  }
})
