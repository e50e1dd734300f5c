import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type GraphqlResult, postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, type Tenant } from '../support/tenants.js'

const MINUTE_MS = 60_000
const QUERY = `query ($rule: AlertRuleInput!, $range: TimeRange!) {
  alertBacktest(rule: $rule, range: $range) {
    instances { labels { name value } intervals { state from to peak } }
    notifications flaps evaluations
    stats { complete warnings }
  }
}`
const REFUSED = {
  alert: 'PaymentsRefused',
  op: 'GT',
  threshold: 0,
  condition: { logs: { query: 'refused', group_by: ['service'] } }
}

let service: RunningService
let mine: Tenant
let other: Tenant

interface Data {
  readonly alertBacktest: {
    readonly instances: readonly {
      readonly labels: readonly { readonly name: string; readonly value: string }[]
      readonly intervals: readonly { readonly state: string; readonly peak: number }[]
    }[]
    readonly notifications: number
    readonly evaluations: number
    readonly stats: { readonly complete: boolean; readonly warnings: readonly string[] }
  } | null
}

function backtest(of: Tenant, rule: object, range: object = { from: 'now-1h', to: 'now' }): Promise<GraphqlResult<Data>> {
  return postGraphql<Data>(service.url, { query: QUERY, variables: { rule, range } }, { authorization: `Bearer ${of.viewer}` })
}

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  ;[mine, other] = [await createTenant(service, 'zqmine'), await createTenant(service, 'zqother')]
  const logs = [20, 19, 18].map(minutes => ({
    message: 'payment refused',
    service: 'payments',
    timestamp: new Date(Date.now() - minutes * MINUTE_MS).toISOString()
  }))
  await service.ingest('/api/v1/logs/batch?ack=searchable', {
    method: 'POST',
    headers: { 'x-api-key': mine.ingestKey },
    json: { logs }
  })
}, 240_000)
afterAll(() => service?.close())

describe('a backtest over GraphQL', () => {
  it('shows when a rule would have fired, to viewers too', async () => {
    const { data } = await backtest(mine, { ...REFUSED, for: '1m' })
    const { instances, notifications, evaluations, stats } = data!.alertBacktest!
    expect(instances.map(({ labels }) => labels.find(({ name }) => name === 'service')?.value)).toEqual(['payments'])
    expect(instances[0]!.intervals.map(({ state }) => state)).toEqual(['PENDING', 'FIRING'])
    expect(instances[0]!.intervals[1]!.peak).toBe(3)
    expect(notifications).toBe(1)
    expect(evaluations).toBeGreaterThanOrEqual(60)
    expect(stats).toEqual({ complete: true, warnings: [] })
  })

  it('sees nothing of another namespace', async () => {
    const { data } = await backtest(other, REFUSED)
    expect(data!.alertBacktest!.instances).toEqual([])
  })

  it('refuses what it cannot evaluate, by field', async () => {
    const long = await backtest(mine, REFUSED, { from: 'now-32d', to: 'now' })
    expect(long.errors[0]?.message).toMatch(/must not exceed 31 days/)
    const group = await backtest(mine, { ...REFUSED, groupId: 'nothing' })
    expect(group.errors[0]?.message).toMatch(/no alert group of this namespace has this id/)
    const query = await backtest(mine, { ...REFUSED, condition: { logs: { query: '(refused' } } })
    expect(query.errors[0]?.message).toMatch(/parenthesis is not closed/)
  })
})
