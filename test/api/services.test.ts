import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId, type SpanSent } from '../support/otlp-spans.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

type Json = Readonly<Record<string, unknown>>

const NOW_MS = Date.now()
const MINUTE_MS = 60_000
const SERVER = 2
const CLIENT = 3
const PRODUCER = 4
const CONSUMER = 5

let service: ReadingService

/** One request through gateway, checkout, its database and a queue to the worker. */
function request(i: number, startMs: number): readonly SpanSent[] {
  const [trace, entry, call, served, sent] = [newTraceId(), newSpanId(), newSpanId(), newSpanId(), newSpanId()]
  const isError = i % 10 === 0
  const common = { trace, startMs }
  const resource = {
    'service.version': i < 5 ? '1.0.0' : '1.1.0',
    'telemetry.sdk.language': 'nodejs',
    'host.name': `pod-${i % 2}`
  }
  return [
    { ...common, id: entry, service: 'gateway', name: 'GET /cart', kind: SERVER, tookMs: 100 + i, isError },
    {
      ...common,
      ...{ id: call, parent: entry, service: 'gateway', name: 'POST', kind: CLIENT, tookMs: 90 },
      attributes: { 'server.address': 'checkout' }
    },
    {
      ...common,
      ...{
        id: served,
        parent: call,
        service: 'checkout',
        resource,
        name: 'POST /order',
        kind: SERVER,
        tookMs: i < 10 ? 80 : 700,
        isError
      }
    },
    {
      ...common,
      ...{ parent: served, service: 'checkout', resource, name: 'SELECT orders', kind: CLIENT, tookMs: 20 },
      attributes: { 'db.system.name': 'postgresql', 'server.address': 'db-1' }
    },
    {
      ...common,
      ...{ id: sent, parent: served, service: 'checkout', resource, name: 'orders publish', kind: PRODUCER, tookMs: 1 },
      attributes: { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' }
    },
    { ...common, parent: sent, service: 'worker', name: 'orders process', kind: CONSUMER, tookMs: 30 },
    {
      ...common,
      ...{ parent: served, service: 'checkout', resource, name: 'GET', kind: CLIENT, tookMs: 5 },
      attributes: { 'server.address': 'api.bank.example', 'http.request.method': 'GET' }
    }
  ]
}

beforeAll(async () => {
  service = await startReadingService()
  const spans = [
    ...Array.from({ length: 20 }, (_, i) => request(i, NOW_MS - 20 * MINUTE_MS + i * 1_000)).flat(),
    // The hour before: half as many, without errors.
    ...Array.from({ length: 10 }, (_, i) => request(i + 1, NOW_MS - 80 * MINUTE_MS + i * 1_000))
      .flat()
      .map(span => ({ ...span, isError: false })),
    // A batch job calls no one and is called by no one.
    { trace: newTraceId(), service: 'nightly', name: 'run', startMs: NOW_MS - MINUTE_MS, tookMs: 2_000 }
  ]
  await service.write('/api/v1/otlp/v1/traces', exportOf(spans)).catch((error: unknown) => {
    // OTLP returns an empty object.
    if (!String(error).includes(': 200 {}')) throw error
  })
  await service.settle()
})
afterAll(() => service.close())

const list = async (search = '') => service.ok(service.get(`/api/v1/apm/services${search}`))
const services = async (search = '') => (await list(search))['services'] as readonly Json[]
const names = async (search = '') => (await services(search)).map(({ name }) => name)
const bound = (ms: number) => new Date(ms).toISOString()

describe('GET /api/v1/apm/services', () => {
  it('counts requests, not all spans: kinds server and consumer, else roots', async () => {
    const found = await services()
    expect(found.map(({ name, calls, spans, requests }) => [name, calls, spans, requests])).toEqual([
      ['checkout', 20, 80, 'server_consumer'],
      ['gateway', 20, 40, 'server_consumer'],
      ['nightly', 1, 1, 'root'],
      ['worker', 20, 20, 'server_consumer']
    ])
  })

  it('gives rate, errors, percentiles and the facts of the resource', async () => {
    const [checkout] = await services('?service=checkout')
    expect(checkout).toMatchObject({
      ...{ errors: 2, error_rate: 0.1, p50_ms: 390, p99_ms: 700, language: 'nodejs', version: '1.1.0', state: 'stale' },
      rate_per_second: expect.closeTo(20 / 3600, 6)
    })
    expect((await services('?service=nightly'))[0]).toMatchObject({ state: 'active', language: null, p50_ms: 2_000 })
  })

  it('judges by apdex: errors are never satisfied, four times the threshold is tolerated', async () => {
    // 10 within 500 ms of which one failed; 10 within 2 s of which one failed.
    expect((await services('?service=checkout'))[0]!['apdex']).toBeCloseTo((9 + 9 / 2) / 20, 10)
    expect((await services('?service=checkout&apdex_ms=700'))[0]!['apdex']).toBeCloseTo(18 / 20, 10)
    expect((await services('?service=checkout&apdex_ms=10'))[0]!['apdex']).toBe(0)
  })

  it('draws the trend and compares with the window before', async () => {
    const response = await list('?service=checkout&buckets=6')
    const [checkout] = response['services'] as readonly { trend: { calls: number[]; errors: number[] }; change: Json }[]
    expect(response['grid']).toMatchObject({ step_s: expect.closeTo(600, 0), length: 6 })
    expect(checkout!.trend.calls.reduce((a, b) => a + b)).toBe(20)
    expect(checkout!.trend.calls).toHaveLength(6)
    expect(checkout!.trend.errors.reduce((a, b) => a + b)).toBe(2)
    expect(checkout!.change).toEqual({ calls: 2, error_rate: expect.closeTo(0.1, 10), p95: expect.any(Number) })
    const [plain] = await services('?service=checkout&buckets=0&compare=false')
    expect(plain).toMatchObject({ trend: null, change: null })
  })

  it('sorts, filters and cuts', async () => {
    expect(await names('?order=p99')).toEqual(['nightly', 'checkout', 'gateway', 'worker'])
    expect((await names('?order=error_rate')).slice(0, 2)).toEqual(['checkout', 'gateway'])
    expect(await names('?contains=ER')).toEqual(['worker'])
    expect(await names('?query=status:error')).toEqual(['checkout', 'gateway'])
    expect(await list('?limit=1')).toMatchObject({ page: { has_more: true }, total: { value: 4 }, complete: false })
    expect(await names(`?start=${bound(NOW_MS - 90 * MINUTE_MS)}&end=${bound(NOW_MS - 70 * MINUTE_MS)}`)).toEqual([
      'checkout',
      'gateway',
      'worker'
    ])
  })

  it.each<[string, string]>([
    ['?order=size', 'invalid_field'],
    ['?apdex_ms=0', 'invalid_field'],
    ['?buckets=501', 'invalid_field'],
    ['?limit=1001', 'invalid_field'],
    ['?query=(', 'invalid_query'],
    ['?start=now&end=now-1h', 'invalid_time_range']
  ])('refuses %s', async (search, code) => {
    expect(await service.fault(service.get(`/api/v1/apm/services${search}`))).toEqual([400, code])
  })
})

describe('GET /api/v1/apm/services/{name}', () => {
  it('gives operations and every version, language and host', async () => {
    const response = await service.ok(service.get('/api/v1/apm/services/checkout'))
    expect(response['service']).toMatchObject({ name: 'checkout', calls: 20, version: '1.1.0' })
    expect(response['operations']).toMatchObject([{ name: 'POST /order', kind: 'server', calls: 20, errors: 2, p50_ms: 390 }])
    expect(response['versions']).toMatchObject([
      { value: '1.1.0', spans: 60 },
      { value: '1.0.0', spans: 20 }
    ])
    expect(response['hosts']).toHaveLength(2)
    expect(response).toMatchObject({ complete: true, languages: [{ value: 'nodejs' }] })
  })

  it('sorts operations before it cuts them', async () => {
    const at = NOW_MS - 2 * MINUTE_MS
    const call = (name: string, tookMs: number, isError = false) => {
      return { trace: newTraceId(), service: 'sorted', name, kind: SERVER, startMs: at, tookMs, isError }
    }
    const spans = [
      call('often', 5),
      call('often', 6),
      call('often', 7),
      call('slow', 900),
      call('slow', 900),
      call('broken', 8, true)
    ]
    const headers = { 'x-api-key': service.first.ingestKey }
    await service.api('/api/v1/otlp/v1/traces', { method: 'POST', json: exportOf(spans), headers })
    await service.settle()
    const sorted = async (search: string) => {
      const response = await service.ok(service.get(`/api/v1/apm/services/sorted${search}`))
      return [(response['operations'] as readonly Json[]).map(({ name }) => name), response['complete']]
    }
    expect(await sorted('')).toEqual([['often', 'slow', 'broken'], true])
    expect(await sorted('?order=p95&operations=2')).toEqual([['slow', 'broken'], false])
    expect(await sorted('?order=error_rate&operations=1')).toEqual([['broken'], false])
    expect(await sorted('?order=name')).toEqual([['broken', 'often', 'slow'], true])
    const query = '{ service(name: "sorted") { operations(range: { from: "now-1h" }, first: 1, orderBy: P99) { name } } }'
    const graphql = await service.ok(service.post('/api/v1/graphql', { query }))
    expect(graphql['data']).toEqual({ service: { operations: [{ name: 'slow' }] } })
  })

  it('returns 404 for a service without spans in the window', async () => {
    expect(await service.fault(service.get('/api/v1/apm/services/absent'))).toEqual([404, 'not_found'])
  })
})

describe('GET /api/v1/apm/service-map', () => {
  const map = async (search = '') => {
    const response = await service.ok(service.get(`/api/v1/apm/service-map${search}`))
    const edges = response['edges'] as readonly { source: string; target: string; calls: number; errors: number }[]
    const nodes = response['nodes'] as readonly { id: string; kind: string; calls: number }[]
    return { result: response, nodes, edges, ids: nodes.map(({ id }) => id) }
  }

  it('shows services and what they call, of each kind', async () => {
    const { nodes, edges } = await map()
    expect(nodes.map(({ kind, calls }) => [kind, calls])).toEqual(
      expect.arrayContaining([
        ['database', 20],
        ['external', 20]
      ])
    )
    const ends = edges.map(({ source, target, calls }) => `${source} > ${target} ${calls}`)
    expect(ends).toEqual(
      expect.arrayContaining([
        'service:gateway > service:checkout 20',
        'service:checkout > service:worker 20',
        'service:checkout > external:api.bank.example 20',
        expect.stringMatching(/^service:checkout > database:.* 20$/)
      ])
    )
    expect(edges.find(({ target }) => target === 'service:checkout')).toMatchObject({ errors: 2, error_rate: 0.1 })
    expect(nodes.find(({ id }) => id === 'service:nightly')).toMatchObject({ calls: 1 })
  })

  it('narrows to what calls a service or is called by it', async () => {
    expect((await map('?service=worker&depth=1')).ids).toEqual(['service:checkout', 'service:worker'])
    expect((await map('?service=worker')).ids).toEqual(['service:checkout', 'service:gateway', 'service:worker'])
    expect((await map('?service=gateway&depth=1')).ids).toEqual(['service:checkout', 'service:gateway'])
    expect((await map('?service=nightly')).ids).toEqual(['service:nightly'])
    expect((await map('?service=absent')).ids).toEqual([])
  })

  it('of one trace is that of a window which holds nothing else', async () => {
    const at = NOW_MS - 30 * MINUTE_MS
    const spans = request(10, at)
    const { trace } = spans[0]!
    await service.api('/api/v1/otlp/v1/traces', {
      method: 'POST',
      json: exportOf(spans),
      headers: { 'x-api-key': service.first.ingestKey }
    })
    await service.settle()
    const { result: response, nodes, edges } = await map(`?start=${bound(at - 1)}&end=${bound(at + MINUTE_MS)}`)
    const read = await service.ok(service.get(`/api/v1/traces/${trace}`))
    const drawn = read['service_map'] as { nodes: typeof nodes; edges: typeof edges }
    expect(response['complete']).toBe(true)
    const plain = (items: readonly object[]) =>
      items.map(item => JSON.stringify(Object.entries(item).filter(([name]) => name !== 'rate_per_second'))).toSorted()
    expect(plain(drawn.nodes)).toEqual(plain(nodes))
    expect(plain(drawn.edges)).toEqual(plain(edges))
    expect(drawn.edges).toHaveLength(4)
    const query = `{ trace(traceId: "${trace}") { serviceMap { nodes { id kind } edges { source target protocol } window { from to } stats { complete } } } }`
    const graphql = await service.ok(service.post('/api/v1/graphql', { query }))
    expect(graphql['data']).toMatchObject({
      trace: { serviceMap: { edges: drawn.edges.map(({ source, target }) => ({ source, target })), stats: { complete: true } } }
    })
  })

  it('reports that edges were left out', async () => {
    const { result: response, edges } = await map('?limit=1')
    expect(edges).toHaveLength(1)
    expect(response).toMatchObject({ complete: false, page: { has_more: true }, warnings: [expect.stringContaining('edges')] })
  })

  it.each(['?depth=2', '?service=a&depth=0', '?service=a&depth=11', '?limit=0'])('refuses %s', async search => {
    expect(await service.fault(service.get(`/api/v1/apm/service-map${search}`))).toEqual([400, 'invalid_field'])
  })
})
