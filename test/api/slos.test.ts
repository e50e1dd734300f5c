import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Changes } from '../support/changes.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant } from '../support/tenants.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const clock = new ClockAhead()

let service: RunningService
let mine: Tenant
let other: Tenant
const news = new Changes()

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS, app: { clock, onAlertEvents: news.notify } })
  ;[mine, other] = [await createTenant(service, 'zqmine'), await createTenant(service, 'zqother')]
}, 240_000)
afterAll(() => service?.close())

const SLO = {
  name: 'checkout-availability',
  service: 'checkout',
  objective: 99.9,
  window: '7d',
  indicator: { ratio: { bad: 'checkout_requests_total{code="500"}', total: 'checkout_requests_total' } },
  labels: { team: 'payments' }
}

type Json = Readonly<Record<string, unknown>>

type BacktestedAlert = Json & { readonly instances: readonly { readonly intervals: readonly Json[] }[] }

async function api(call: string, token: string, json?: object): Promise<Json> {
  return (await must(service.api, call, token, json)).json
}

/** The error of a request that is refused. */
async function refused(method: string, path: string, token: string, json?: object): Promise<Json> {
  const { status, json: body } = await service.api(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(json && { json })
  })
  return { status, ...(body as Json) }
}

/** Counters every 30 s from a time on: 100 requests each, of which a share fails. */
async function requests(fromMs: number, minutes: number, isFailing: (atMs: number) => boolean): Promise<void> {
  const lines: string[] = []
  let [good, bad] = [0, 0]
  for (let atMs = fromMs; atMs <= fromMs + minutes * MINUTE_MS; atMs += MINUTE_MS / 2) {
    lines.push(`checkout_requests_total{code="200"} ${good} ${atMs}`, `checkout_requests_total{code="500"} ${bad} ${atMs}`)
    good += isFailing(atMs) ? 50 : 100
    bad += isFailing(atMs) ? 50 : 0
  }
  const headers = { 'x-api-key': mine.ingestKey, 'content-type': 'text/plain' }
  const response = await service.ingest('/api/v1/import/prometheus', { method: 'POST', headers, body: `${lines.join('\n')}\n` })
  if (response.status >= 300) throw new Error(response.text)
  await service.settle()
}

interface RuleJson {
  readonly id: string
  readonly alert?: string
  readonly record?: string
  readonly state: string
  readonly group_id: string
  readonly version: number
  readonly last_evaluated_at: string | null
  readonly last_error: string | null
}

async function rules(): Promise<readonly RuleJson[]> {
  return (await api('GET /api/v1/alerts/rules', mine.viewer))['rules'] as readonly RuleJson[]
}

/** Resolves when an event of this alert and state is stored. */
async function eventOf(alert: string, to: string): Promise<Json> {
  return news.find(async () => {
    const { events } = await api('GET /api/v1/alerts/events?start=now-1d&end=now%2B1d&limit=500', mine.viewer)
    const found = (events as readonly (Json & { readonly labels: Json })[]).find(
      event => event.labels['alertname'] === alert && event['to'] === to
    )
    return found ?? null
  })
}

describe('an SLO', () => {
  let id: string

  it('is stored with its rules by members alone, and has no figures before it counted', async () => {
    expect(await refused('POST', '/api/v1/slos', mine.viewer, SLO)).toMatchObject({ status: 403 })
    const created = await api('POST /api/v1/slos', mine.member, SLO)
    id = String(created['id'])
    expect(created).toMatchObject({ ...SLO, version: 1, revision: 1, min_events: 10, alerts: ['page', 'ticket'] })
    expect((await rules()).map(({ alert, record }) => alert ?? record)).toEqual([
      'slo:events:increase5m',
      ...['page 1h', 'page 6h', 'ticket 1d', 'ticket 3d'].map(end => `checkout-availability ${end}`)
    ])
    expect(await api(`GET /api/v1/slos/${id}/report`, mine.viewer)).toMatchObject({
      ...{ state: 'no_data', attained: null, consumed: null, remaining: null, counted_since: null, complete: false }
    })
  })

  it('whose service fails fires its fast alert, and reports what was spent', async () => {
    const fromMs = clock.nowMs()
    await requests(fromMs - 20 * MINUTE_MS, 40, atMs => atMs >= fromMs + 2 * MINUTE_MS)
    clock.aheadMs += 8 * MINUTE_MS
    const event = await eventOf('checkout-availability page 1h', 'firing')
    expect(event['labels']).toMatchObject({ slo: 'checkout-availability', severity: 'critical', team: 'payments', window: '1h' })
    expect(Number(event['value'])).toBeGreaterThan(14.4)
    const report = await api(`GET /api/v1/slos/${id}/report`, mine.viewer)
    expect(report).toMatchObject({ state: 'partial', objective: 99.9, complete: false })
    expect(Number(report['remaining'])).toBeLessThan(-10)
    expect(Number(report['attained'])).toBeGreaterThan(0.5)
    expect(Number(report['attained'])).toBeLessThan(0.999)
    const burn = report['burn_rates'] as readonly { readonly window: string; readonly rate: number }[]
    expect(burn.map(({ window }) => window)).toEqual(['5m', '30m', '1h', '2h', '6h', '1d', '3d'])
    expect(burn[0]!.rate).toBeGreaterThan(200)
    // In the last hour of a day the window begins with a day.
    const endMs = Math.ceil(clock.nowMs() / HOUR_MS) * HOUR_MS
    const days = Math.ceil(endMs / DAY_MS) - Math.floor((endMs - 7 * DAY_MS) / DAY_MS)
    expect((report['days'] as readonly Json[]).length).toBe(days)
  }, 180_000)

  it('is an interval for charts of its service alone', async () => {
    const query = `query ($service: String) {
      alertIntervals(range: { from: "now-1h", to: "now" }, service: $service) {
        intervals { ruleId from to labels { name value } } knownFrom complete
      }
    }`
    const read = async (
      token: string,
      of: string
    ): Promise<{ readonly intervals: readonly Json[]; readonly complete: boolean }> => {
      const request = { query, variables: { service: of } }
      const { data } = await postGraphql<{ alertIntervals: never }>(service.url, request, { authorization: `Bearer ${token}` })
      return data!.alertIntervals
    }
    const { intervals, complete } = await read(mine.viewer, 'checkout')
    expect(complete).toBe(true)
    expect(intervals.length).toBeGreaterThan(0)
    for (const { from, to } of intervals) expect(Date.parse(String(from))).toBeLessThan(Date.parse(String(to)))
    expect(JSON.stringify(intervals)).toContain('checkout-availability page 1h')
    expect((await read(mine.viewer, 'payments')).intervals).toEqual([])
    expect((await read(other.viewer, 'checkout')).intervals).toEqual([])
  })

  it('is tried on the past: the same failure would have paged', async () => {
    const tried = await api('POST /api/v1/slos/backtest', mine.viewer, { slo: { ...SLO, name: 'try' }, start: 'now-30m' })
    const alerts = tried['alerts'] as readonly BacktestedAlert[]
    const shown = alerts.map(({ alert, factor }) => `${String(alert)}: ${String(factor)}`)
    expect(shown).toEqual(['try page 1h: 14.4', 'try page 6h: 6', 'try ticket 1d: 3', 'try ticket 3d: 1'])
    const [instance] = alerts[0]!.instances
    expect(instance!.intervals.at(-1)).toMatchObject({ state: 'firing' })
    expect(instance!.intervals.at(-1)!.peak).toBeGreaterThan(14.4)
    const stored = (await rules()).find(rule => rule.alert === 'checkout-availability page 1h')!
    const { alert: name, expr, op, threshold } = stored as unknown as Json
    const ofRule = await api('POST /api/v1/alerts/backtest', mine.viewer, {
      rule: { alert: name, expr, op, threshold },
      group_id: stored.group_id,
      start: 'now-10m'
    })
    expect(JSON.stringify(ofRule['instances'])).toContain('"firing"')
  })

  it('alone changes its rules', async () => {
    const [record, page] = (await rules()) as [RuleJson, RuleJson]
    const rule = { alert: 'x', expr: 'up', version: page.version }
    const group = `/api/v1/alerts/groups/${page.group_id}`
    for (const [method, path, json] of [
      ['PUT', `/api/v1/alerts/rules/${page.id}`, rule],
      ['PUT', `/api/v1/alerts/rules/${page.id}/enabled`, { enabled: false }],
      ['DELETE', `/api/v1/alerts/rules/${record.id}`, undefined],
      ['POST', '/api/v1/alerts/rules', { alert: 'x', expr: 'up', group_id: page.group_id }],
      ['PUT', group, { name: 'x' }],
      ['DELETE', group, undefined]
    ] as const)
      expect(await refused(method, path, mine.admin, json)).toMatchObject({
        status: 409,
        detail: 'the SLO "checkout-availability" produces these rules; change the SLO instead'
      })
    const file = 'groups: [{name: SLO checkout-availability, rules: []}]'
    for (const dry of [true, false])
      expect(await refused('POST', '/api/v1/alerts/rules/import', mine.admin, { file, dry_run: dry })).toMatchObject({
        status: 409
      })
    const exported = await service.api('/api/v1/alerts/rules/export', { headers: { authorization: `Bearer ${mine.viewer}` } })
    expect(exported.text).not.toContain('slo:events')
    expect((await rules()).map(({ version }) => version)).toEqual([1, 1, 1, 1, 1])
  })

  it('is shown by GraphQL with its rules and its budget', async () => {
    const query = `{
      slos { id name service objective window version document rules { alert record state group { slo { id } } }
        report { state budgetLeft burnRates { window rate } days { total } stats { complete } } }
    }`
    const { data } = await postGraphql<{ slos: readonly Json[] }>(
      service.url,
      { query },
      { authorization: `Bearer ${mine.viewer}` }
    )
    expect(data!.slos).toHaveLength(1)
    expect(data!.slos[0]).toMatchObject({
      id,
      name: SLO.name,
      window: '7d',
      report: { state: 'PARTIAL', stats: { complete: false } }
    })
    expect((data!.slos[0]!['rules'] as readonly Json[])[1]).toMatchObject({ state: 'FIRING', group: { slo: { id } } })
  })

  it('keeps the states of alerts through a change, and begins to count again with another indicator', async () => {
    const renamedGroup = await api(`PUT /api/v1/slos/${id}`, mine.member, { ...SLO, objective: 99.5, version: 1 })
    expect(renamedGroup).toMatchObject({ version: 2, revision: 1, objective: 99.5 })
    expect(await refused('PUT', `/api/v1/slos/${id}`, mine.member, { ...SLO, version: 1 })).toMatchObject({
      status: 409,
      version: 2
    })
    expect((await rules())[1]).toMatchObject({ state: 'firing', version: 2 })
    const indicator = { ratio: { bad: 'other_total', total: 'checkout_requests_total' } }
    expect(await api(`PUT /api/v1/slos/${id}`, mine.member, { ...SLO, indicator, version: 2 })).toMatchObject({
      version: 3,
      revision: 3
    })
    expect(await api(`GET /api/v1/slos/${id}/report`, mine.viewer)).toMatchObject({ state: 'no_data', attained: null })
    const { versions } = await api(`GET /api/v1/slos/${id}/versions`, mine.viewer)
    expect((versions as readonly Json[]).map(({ version }) => version)).toEqual([3, 2, 1])
  })

  it('is not there for others, and leaves with its rules', async () => {
    for (const path of ['', '/report', '/versions'])
      expect(await refused('GET', `/api/v1/slos/${id}${path}`, other.admin)).toMatchObject({ status: 404 })
    expect(await refused('DELETE', `/api/v1/slos/${id}`, other.admin)).toMatchObject({ status: 404 })
    expect(await api(`DELETE /api/v1/slos/${id}`, mine.member)).toEqual({ deleted: id })
    expect(await rules()).toEqual([])
    expect(await eventOf('checkout-availability page 1h', 'resolved')).toBeDefined()
    expect((await api('GET /api/v1/alerts/groups', mine.viewer))['groups']).toEqual([])
  })
})

describe('an import of SLOs', () => {
  const file = (objective: number): string => `
version: prometheus/v1
service: web
slos:
  - name: availability
    objective: ${objective}
    sli: {events: {error_query: 'sum(rate(e[{{.window}}]))', total_query: 'sum(rate(t[{{.window}}]))'}}
  - name: other
    objective: 99
    sli: {events: {error_query: e, total_query: t}}
`
  const change = async (body: object): Promise<readonly unknown[]> =>
    ((await api('POST /api/v1/slos/import', mine.member, body))['slos'] as readonly Json[]).map(slo => slo['change'])

  it('stores all or none, and a second one changes nothing', async () => {
    expect(await change({ file: file(99.9), dry_run: true })).toEqual(['created', 'created'])
    expect((await api('GET /api/v1/slos', mine.viewer))['slos']).toEqual([])
    expect(await refused('POST', '/api/v1/slos/import', mine.member, { file: file(12) })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('slos[0].objective: must be a percentage')
    })
    expect(await refused('POST', '/api/v1/slos/import', mine.viewer, { file: file(99.9) })).toMatchObject({ status: 403 })
    expect((await api('GET /api/v1/slos', mine.viewer))['slos']).toEqual([])
    expect(await change({ file: file(99.9) })).toEqual(['created', 'created'])
    expect(await change({ file: file(99.9) })).toEqual(['unchanged', 'unchanged'])
    expect(await change({ file: file(99.5) })).toEqual(['changed', 'unchanged'])
    const { slos } = await api('GET /api/v1/slos', mine.viewer)
    expect((slos as readonly Json[]).map(({ name, version }) => [name, version])).toEqual([
      ['web-availability', 2],
      ['web-other', 1]
    ])
    expect(await rules()).toHaveLength(10)
  })
})

describe('the limit of SLOs', () => {
  it('is 50 of a namespace', async () => {
    const slos = Array.from({ length: 50 }, (_, at) => ({ ...SLO, name: `slo ${at}`, alerts: [] }))
    for (const slo of slos) await api('POST /api/v1/slos', other.member, slo)
    expect(await refused('POST', '/api/v1/slos', other.member, { ...SLO, name: 'one more' })).toMatchObject({
      detail: 'a namespace has at most 50 SLOs; delete some'
    })
    expect(await refused('PUT', '/api/v1/slos/none', other.member, { ...SLO, version: 1 })).toMatchObject({ status: 404 })
    const [first] = (await api('GET /api/v1/slos', other.viewer))['slos'] as readonly [{ readonly id: string }]
    expect(await refused('PUT', `/api/v1/slos/${first.id}`, other.member, { ...SLO, name: 'slo 1', version: 1 })).toMatchObject({
      ...{ status: 409, detail: 'another SLO is named slo 1' }
    })
  })
})
