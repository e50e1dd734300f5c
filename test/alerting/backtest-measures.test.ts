import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, type Tenant } from '../support/tenants.js'

const MINUTE_MS = 60_000
const QUERY = `query ($rule: AlertRuleInput!) {
  alertBacktest(rule: $rule, range: { from: "now-1h", to: "now" }) {
    instances { labels { name value } intervals { state peak } }
    stats { complete warnings }
  }
}`
const RULE = {
  alert: 'LargeSums',
  op: 'GT',
  threshold: 50,
  noData: 'ok',
  condition: { logs: { query: 'refused', group_by: ['service', 'host'], agg: 'sum', field: 'amount', window: '10m' } }
}

interface Data {
  readonly alertBacktest: {
    readonly instances: readonly {
      readonly labels: readonly { readonly name: string; readonly value: string }[]
      readonly intervals: readonly { readonly state: string; readonly peak: number }[]
    }[]
    readonly stats: { readonly complete: boolean; readonly warnings: readonly string[] }
  }
}

let service: RunningService
let tenant: Tenant

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  tenant = await createTenant(service, 'zqsums')
  const logs = [20, 19, 18].map(minutes => ({
    ...{ message: 'payment refused', service: 'payments', host: 'web-1', log_fields: { amount: minutes } },
    timestamp: new Date(Date.now() - minutes * MINUTE_MS).toISOString()
  }))
  const headers = { 'x-api-key': tenant.ingestKey }
  await service.ingest('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
}, 240_000)
afterAll(() => service?.close())

describe('a backtest of a condition that measures a field', () => {
  it('has an alert for each group of several fields', async () => {
    const request = { query: QUERY, variables: { rule: RULE } }
    const { data } = await postGraphql<Data>(service.url, request, { authorization: `Bearer ${tenant.viewer}` })
    const { instances, stats } = data!.alertBacktest
    expect(stats).toEqual({ complete: true, warnings: [] })
    const groups = instances.map(({ labels }) => labels.filter(({ name }) => name === 'service' || name === 'host'))
    expect(groups).toEqual([
      [
        { name: 'host', value: 'web-1' },
        { name: 'service', value: 'payments' }
      ]
    ])
    expect(instances[0]!.intervals).toEqual([{ state: 'FIRING', peak: 57 }])
  })
})
