import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exception, exportOf, newSpanId, newTraceId } from '../support/otlp-spans.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

type Json = Readonly<Record<string, unknown>>

const RANGE = 'range: { from: "now-1h" }'
const SERVER = 2
const CLIENT = 3

let service: ReadingService

beforeAll(async () => {
  service = await startReadingService()
  const spans = Array.from({ length: 4 }, (_, i) => {
    const [trace, entry, call] = [newTraceId(), newSpanId(), newSpanId()]
    const common = { trace, startMs: Date.now() - 60_000 + i }
    const events = i === 0 ? [exception('CardError', 'declined', 'CardError: declined\n    at pay (/app/pay.js:10:5)')] : []
    return [
      { ...common, id: entry, service: 'web', name: 'GET /', kind: SERVER, tookMs: 40, isError: i === 0 },
      { ...common, id: call, parent: entry, service: 'web', kind: CLIENT, tookMs: 30 },
      { ...common, parent: call, service: 'pay', name: 'POST /pay', kind: SERVER, tookMs: 20, isError: i === 0, events }
    ]
  })
  const headers = { 'x-api-key': service.first.ingestKey }
  const sent = await service.api('/api/v1/otlp/v1/traces', { method: 'POST', json: exportOf(spans.flat()), headers })
  if (sent.status !== 200) throw new Error(sent.text)
  const logs = [
    { message: 'slow card', service: 'pay', level: 'warn' },
    { message: 'fine', service: 'pay', level: 'info' },
    { message: 'slow page', service: 'web', level: 'warn' }
  ]
  await service.write('/api/v1/logs/batch', { logs })
  await service.settle()
})
afterAll(() => service.close())

async function request(query: string): Promise<Json> {
  const response = await service.ok(service.post('/api/v1/graphql', { query }))
  if (response['errors']) throw new Error(JSON.stringify(response['errors']))
  return response['data'] as Json
}

describe('services over GraphQL', () => {
  it('are a list that states whether it is complete', async () => {
    const list = (args: string): string => `serviceList(${RANGE}, ${args}) {
      nodes { name redSeries(${RANGE}, buckets: 2) { stats { complete } } } total stats { complete warnings cuts { kind } }
    }`
    const { all, one } = await request(`{ all: ${list('orderBy: NAME')} one: ${list('first: 1')} }`)
    const whole = { redSeries: { stats: { complete: true } } }
    expect(all).toEqual({
      nodes: [
        { name: 'pay', ...whole },
        { name: 'web', ...whole }
      ],
      total: 2,
      stats: { complete: true, warnings: [], cuts: [] }
    })
    expect(one).toMatchObject({ nodes: [{ name: 'pay' }], total: 2, stats: { complete: false, cuts: [{ kind: 'CAP' }] } })
  })

  it('lists them with requests, trend, change and apdex', async () => {
    const { services } = await request(`{ services(${RANGE}) {
      name state requests lastSeen
      red(${RANGE}) { requests errors errorRate p95Ms }
      redSeries(${RANGE}, buckets: 6) { grid { length } requests errors errorRate }
      change(${RANGE}) { requests p95 }
      apdex(${RANGE}, thresholdMs: 15)
    } }`)
    expect(services as readonly Json[]).toMatchObject([
      {
        ...{ name: 'pay', state: 'ACTIVE', requests: 'SERVER_CONSUMER', change: { requests: null, p95: null } },
        red: { requests: 4, errors: 1, errorRate: 0.25, p95Ms: 20 },
        apdex: 0.375
      },
      { name: 'web', red: { requests: 4, p95Ms: 40 } }
    ])
    const [{ redSeries }] = services as readonly [{ redSeries: { requests: number[]; errorRate: (number | null)[] } }]
    expect(redSeries.requests.reduce((a, b) => a + b)).toBe(4)
    expect(redSeries.errorRate).toEqual(expect.arrayContaining([null, 0.25]))
  })

  it('has percentiles over time on the grid of the series', async () => {
    const { service: one, services } = await request(`{
      service(name: "pay") { redSeries(${RANGE}, buckets: 6) { grid { length } requests p50Ms p95Ms p99Ms } }
      services(${RANGE}) { name redSeries(${RANGE}, buckets: 500) { requests p95Ms } none: redSeries(${RANGE}, buckets: 0) { p50Ms } }
    }`)
    type Series = Readonly<Record<'requests' | 'p50Ms' | 'p95Ms' | 'p99Ms', readonly (number | null)[]>>
    const { redSeries } = one as { redSeries: Series & { grid: { length: number } } }
    const at = redSeries.requests.findIndex(count => count !== 0)
    for (const series of [redSeries.p50Ms, redSeries.p95Ms, redSeries.p99Ms]) {
      expect(series).toHaveLength(redSeries.grid.length)
      expect(Math.abs(series[at]! / 20 - 1)).toBeLessThanOrEqual(0.05)
      expect(series.filter(value => value !== null)).toHaveLength(1)
    }
    const listed = services as readonly { name: string; redSeries: Series; none: null }[]
    const found = listed.map(({ name, redSeries: { p95Ms }, none }) => [name, p95Ms.find(value => value !== null), none])
    expect(found).toEqual([
      ['pay', expect.any(Number), null],
      ['web', expect.any(Number), null]
    ])
    expect(Math.abs((found[1]![1] as number) / 40 - 1)).toBeLessThanOrEqual(0.1)
  })

  it('reads one with its operations, neighbors and exceptions', async () => {
    const data = await request(`{ service(name: "pay") {
      operations(${RANGE}) { name kind red { requests } }
      upstream(${RANGE}) { source target red { requests errors } }
      downstream(${RANGE}) { target }
      exceptions(${RANGE}) { type count state culprit latest { traceId trace { spanCount } } }
      traces(${RANGE}, first: 3) { nodes { rootService } total { value } }
      failed: traces(${RANGE}, filter: { statuses: [ERROR], services: ["pay", "web"] }) { total { value } }
      logs(${RANGE}, filter: { levels: [WARN] }) { nodes { message } }
    } absent: service(name: "absent") { name } }`)
    expect(data).toEqual({
      service: {
        operations: [{ name: 'POST /pay', kind: 'SERVER', red: { requests: 4 } }],
        upstream: [{ source: 'service:web', target: 'service:pay', red: { requests: 4, errors: 1 } }],
        downstream: [],
        exceptions: [
          {
            type: 'CardError',
            count: 1,
            state: 'OPEN',
            culprit: 'at pay (/app/pay.js)',
            latest: [{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), trace: { spanCount: 3 } }]
          }
        ],
        traces: { nodes: Array.from({ length: 3 }, () => ({ rootService: 'web' })), total: { value: 4 } },
        failed: { total: { value: 1 } },
        logs: { nodes: [{ message: 'slow card' }] }
      },
      absent: null
    })
  })

  it('draws the map', async () => {
    const { serviceMap } = await request(`{ serviceMap(${RANGE}, service: "web", depth: 1) {
      nodes { id kind red { requests } } edges { source target } stats { complete }
    } }`)
    expect(serviceMap).toEqual({
      nodes: [
        { id: 'service:pay', kind: 'SERVICE', red: { requests: 4 } },
        { id: 'service:web', kind: 'SERVICE', red: { requests: 4 } }
      ],
      edges: [{ source: 'service:web', target: 'service:pay' }],
      stats: { complete: true }
    })
  })

  it('decides about exceptions', async () => {
    const { exceptions } = await request(`{ exceptions(${RANGE}) { id state } }`)
    const [{ id }] = exceptions as readonly [{ id: string }]
    const decide = (state: string, of = id) =>
      request(`mutation { setExceptionState(id: "${of}", state: ${state}) { exception { id state } userErrors { code } } }`)
    expect(await decide('RESOLVED')).toEqual({ setExceptionState: { exception: { id, state: 'RESOLVED' }, userErrors: [] } })
    expect(await request(`{ exceptions(${RANGE}, states: [OPEN]) { id } }`)).toEqual({ exceptions: [] })
    expect(await decide('OPEN', 'f'.repeat(32))).toEqual({
      setExceptionState: { exception: null, userErrors: [{ code: 'NOT_FOUND' }] }
    })
  })
})
