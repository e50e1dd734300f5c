import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Changes } from '../support/changes.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'
import { BUSY_FLAGS, createTenant, must, type Tenant, textOf } from '../support/tenants.js'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const clock = new ClockAhead()

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: RunningService
let mine: Tenant
let groupId: string
const news = new Changes()

async function start(): Promise<RunningService> {
  return startService({ flags: BUSY_FLAGS, dataDir: folder.path, app: { clock, onAlertEvents: news.notify } })
}

beforeAll(async () => {
  folder = await openTempFolder()
  service = await start()
  mine = await createTenant(service, 'zqmine')
  groupId = textOf(await must(service.api, 'POST /api/v1/alerts/groups', mine.member, { name: 'fast', interval: '10s' }), 'id')
}, 240_000)
afterAll(async () => {
  await service?.close()
  await folder?.remove()
})

interface RuleJson {
  readonly id: string
  readonly version: number
  readonly state: string
  readonly instances: readonly {
    readonly state: string
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

async function create(rule: object): Promise<RuleJson> {
  return (await must(service.api, 'POST /api/v1/alerts/rules', mine.member, { group_id: groupId, ...rule }))
    .json as unknown as RuleJson
}

async function read(id: string): Promise<RuleJson> {
  return (await must(service.api, `GET /api/v1/alerts/rules/${id}`, mine.viewer)).json as unknown as RuleJson
}

interface EventJson {
  readonly from: string
  readonly to: string
  readonly at: string
  readonly late: boolean
  readonly labels: Readonly<Record<string, string>>
}

/** Events of a rule, oldest first. */
async function eventsOf(id: string): Promise<readonly EventJson[]> {
  const query = new URLSearchParams({ rule_id: id, start: 'now-1d', end: 'now+1d', limit: '500' }).toString()
  const { json } = await must(service.api, `GET /api/v1/alerts/events?${query}`, mine.viewer)
  return (json['events'] as readonly EventJson[]).toReversed()
}

async function write(path: string, json: object): Promise<void> {
  const response = await service.ingest(path, { method: 'POST', headers: { 'x-api-key': mine.ingestKey }, json })
  if (response.status !== 200) throw new Error(response.text)
  await service.settle()
}

const logsOf = (count: number): object => ({
  logs: Array.from({ length: count }, (_, at) => ({
    timestamp: new Date(clock.nowMs() - at).toISOString(),
    message: `payment failed ${at}`,
    level: 'error',
    service: 'checkout',
    host: 'web-1'
  }))
})

/** Puts the clock forward, and resolves when the rule has `count` events. */
async function passUntil(ms: number, id: string, count: number): Promise<readonly EventJson[]> {
  clock.aheadMs += ms
  return news.find(async () => {
    const events = await eventsOf(id)
    return events.length >= count ? events : null
  })
}

async function graphql<Data>(token: string, query: string, variables: object = {}): Promise<Data> {
  const { data, text } = await postGraphql<Data>(service.url, { query, variables }, { authorization: `Bearer ${token}` })
  if (data === undefined || data === null) throw new Error(text)
  return data
}

async function prometheus(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await must(service.api, `GET /api/v1/prometheus/api/v1/${path}`, mine.viewer)
  return json['data'] as Readonly<Record<string, unknown>>
}

describe('an alert rule', () => {
  it('on logs is pending, fires and is resolved, as REST, GraphQL and the Prometheus API show, over a restart', async () => {
    const { id } = await create({
      alert: 'CheckoutErrors',
      condition: { logs: { query: 'service:checkout level:error', group_by: ['host'], agg: 'count', window: '1m' } },
      ...{ op: 'gt', threshold: 3, for: '20s', severity: 'critical', labels: { team: 'payments' } },
      annotations: { summary: '{{ $value }} errors on {{ $labels.host }}' }
    })
    expect(await read(id)).toMatchObject({ state: 'unknown', version: 1, instances: [] })
    await write('/api/v1/logs/batch', logsOf(5))
    const fired = await passUntil(MINUTE_MS, id, 2)
    expect(fired.map(({ from, to }) => [from, to])).toEqual([
      ['inactive', 'pending'],
      ['pending', 'firing']
    ])
    expect(Date.parse(fired[1]!.at) - Date.parse(fired[0]!.at)).toBe(20 * SECOND_MS)
    const labels = { alertname: 'CheckoutErrors', host: 'web-1', severity: 'critical', team: 'payments' }
    expect(await read(id)).toMatchObject({ state: 'firing', instances: [{ state: 'firing', labels, value: 5 }] })

    const shown = await graphql<{ alertRules: readonly object[] }>(
      mine.viewer,
      `
        {
          alertRules(states: [FIRING]) {
            id
            state
            alert
            group {
              name
              interval
            }
            severity
            op
            threshold
            for
            instances {
              state
              value
              annotations {
                name
                value
              }
            }
            history {
              nodes {
                from
                to
                late
                rule {
                  id
                }
              }
            }
          }
        }
      `
    )
    expect(shown.alertRules).toMatchObject([
      {
        ...{ id, state: 'FIRING', alert: 'CheckoutErrors', group: { name: 'fast', interval: '10s' } },
        ...{ severity: 'CRITICAL', op: 'GT', threshold: 3, for: '20s' },
        instances: [{ state: 'FIRING', value: 5, annotations: [{ name: 'summary', value: '5 errors on web-1' }] }],
        history: {
          nodes: [
            { from: 'PENDING', to: 'FIRING', rule: { id } },
            { from: 'INACTIVE', to: 'PENDING' }
          ]
        }
      }
    ])
    expect(await prometheus('alerts')).toMatchObject({ alerts: [{ labels, state: 'firing', value: '5e+00' }] })

    await service.close()
    clock.aheadMs += 2 * MINUTE_MS
    service = await start()
    const all = await passUntil(0, id, 3)
    expect(all[2]).toMatchObject({ from: 'firing', to: 'resolved', late: true })
    expect(all).toHaveLength(3)
    expect(await prometheus('alerts')).toEqual({ alerts: [] })
    expect(await read(id)).toMatchObject({ state: 'resolved' })
  })

  it('in PromQL fires on a metric, and shows in the Prometheus API by its filters', async () => {
    const { id } = await create({ alert: 'HighLoad', expr: 'load_now > 0.5' })
    await write('/api/v1/ingest/batch', { metrics: [{ name: 'load_now', value: 0.9, labels: { host: 'web-1' } }] })
    await passUntil(20 * SECOND_MS, id, 1)
    type Groups = { readonly groups: readonly { readonly name: string; readonly rules: readonly { readonly name: string }[] }[] }
    const rules = async (query: string): Promise<readonly string[]> =>
      ((await prometheus(`rules?${query}`)) as unknown as Groups).groups.flatMap(({ rules: all }) => all.map(({ name }) => name))
    expect(await rules('type=alert')).toEqual(expect.arrayContaining(['CheckoutErrors', 'HighLoad']))
    expect(await rules('type=record')).toEqual([])
    expect(await rules('rule_name[]=HighLoad&rule_name[]=Other')).toEqual(['HighLoad'])
    expect(await rules('rule_group[]=other')).toEqual([])
    const { groups } = (await prometheus('rules?rule_name[]=HighLoad')) as unknown as Groups
    expect(groups).toMatchObject([
      {
        ...{ name: 'fast', file: mine.namespaceName, interval: 10 },
        rules: [
          {
            ...{ name: 'HighLoad', query: 'load_now > 0.5', state: 'firing', health: 'ok', type: 'alerting', duration: 0 },
            alerts: [{ state: 'firing', value: '9e-01', labels: { alertname: 'HighLoad', host: 'web-1' } }]
          }
        ]
      }
    ])
    const refused = await service.api('/api/v1/prometheus/api/v1/rules?type=x', {
      headers: { authorization: `Bearer ${mine.viewer}` }
    })
    expect([refused.status, refused.json['errorType']]).toEqual([400, 'bad_data'])
  })

  it('would have fired as it did', async () => {
    const at = (ms: number): string => new Date(clock.nowMs() + ms).toISOString()
    const { json } = await must(service.api, 'POST /api/v1/alerts/backtest', mine.viewer, {
      rule: { alert: 'HighLoad', expr: 'load_now > 0.5', for: '10s' },
      ...{ group_id: groupId, start: at(-10 * MINUTE_MS), end: at(0) }
    })
    expect(json).toMatchObject({
      complete: true,
      notifications: 1,
      instances: [
        { labels: { alertname: 'HighLoad', host: 'web-1' }, intervals: [{ state: 'pending' }, { state: 'firing', peak: 0.9 }] }
      ]
    })
    const query = `query ($rule: AlertRuleInput!, $range: TimeRange!) { alertBacktest(rule: $rule, range: $range) {
      notifications evaluations instances { intervals { state } } stats { complete } } }`
    const rule = { alert: 'HighLoad', expr: 'load_now > 0.5', groupId }
    const shown = await graphql<{ alertBacktest: object }>(mine.viewer, query, {
      rule,
      range: { from: at(-10 * MINUTE_MS), to: at(0) }
    })
    expect(shown.alertBacktest).toMatchObject({
      notifications: 1,
      instances: [{ intervals: [{ state: 'FIRING' }] }],
      stats: { complete: true }
    })
  })

  it('is a series of ALERTS while it fires', async () => {
    const query = new URLSearchParams({ query: 'ALERTS{alertname="HighLoad"}', time: String(clock.nowMs() / SECOND_MS) })
    const { result } = (await prometheus(`query?${query.toString()}`)) as { readonly result: readonly object[] }
    expect(result).toMatchObject([
      { metric: { alertname: 'HighLoad', host: 'web-1', alertstate: 'firing' }, value: [expect.anything(), '1'] }
    ])
  })

  it('may look at what a recording rule writes', async () => {
    await write('/api/v1/ingest/batch', { metrics: [{ name: 'depth', value: 7, labels: { queue: 'a' } }] })
    await create({ record: 'queue:depth:max', expr: 'max by (queue) (depth)', labels: { team: 'mail' } })
    const { id } = await create({ alert: 'Deep', expr: 'queue:depth:max > 5' })
    const [fired] = await passUntil(30 * SECOND_MS, id, 1)
    expect(fired!.labels).toEqual({ alertname: 'Deep', queue: 'a', team: 'mail' })
  })

  it('on deployments fires for each release, while it is in the window', async () => {
    const condition = { event: { type: 'deploy', service: 'checkout', window: '1m' } }
    const { id } = await create({ alert: 'Deployed', condition, annotations: { summary: '{{ $labels.version }}' } })
    await write('/api/v1/events', { type: 'deploy', service: 'checkout', version: '1.4.2' })
    const events = await passUntil(2 * MINUTE_MS, id, 2)
    expect(events.map(({ to }) => to)).toEqual(['firing', 'resolved'])
    expect(events[0]!.labels).toEqual({ alertname: 'Deployed', event: 'deploy', service: 'checkout', version: '1.4.2' })
  })

  it('resolves its alerts when it becomes a recording rule', async () => {
    const { id, version } = await create({ alert: 'Becomes', expr: 'vector(3)' })
    await passUntil(20 * SECOND_MS, id, 1)
    const rule = { version, record: 'becomes:value', expr: 'vector(3)' }
    await must(service.api, `PUT /api/v1/alerts/rules/${id}`, mine.member, rule)
    expect((await eventsOf(id)).map(({ to }) => to)).toEqual(['firing', 'resolved'])
  })

  it('resolves its alerts when it is disabled or deleted, and its events stay', async () => {
    const disabled = await create({ alert: 'Always', expr: 'vector(1)' })
    const deleted = await create({ alert: 'Deleted', expr: 'vector(2)' })
    await passUntil(20 * SECOND_MS, disabled.id, 1)
    await passUntil(0, deleted.id, 1)
    await must(service.api, `PUT /api/v1/alerts/rules/${disabled.id}/enabled`, mine.member, { enabled: false })
    await must(service.api, `DELETE /api/v1/alerts/rules/${deleted.id}`, mine.member)
    expect(await read(disabled.id)).toMatchObject({ state: 'inactive', version: 2, enabled: false, instances: [] })
    for (const { id } of [disabled, deleted]) expect((await eventsOf(id)).map(({ to }) => to)).toEqual(['firing', 'resolved'])
    const history = await graphql<{ alertEvents: { nodes: readonly object[] } }>(
      mine.viewer,
      '{ alertEvents(range: { from: "now-1h", to: "now+1h" }, first: 500) { nodes { ruleId rule { id } } } }'
    )
    expect(history.alertEvents.nodes).toEqual(expect.arrayContaining([{ ruleId: deleted.id, rule: null }]))
  })
})
