import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { exportedTraces, type SketchedSpan } from '../support/exported-traces.js'
import { type RunningService, startService } from '../support/running-service.js'

/** Half an hour ago, so that all is in the default window. */
const BASE_MS = Math.floor(Date.now() / 1000) * 1000 - 1_800_000
const SHOP = '00000000000000000000000000abcdef'
const SLOW = '000000000000000000000000000000f1'
const LATE = '000000000000000000000000000000f2'

/**
 * SHOP: web calls db twice, the second fails. SLOW: the same operations, one slower, one more. LATE: a span whose parent
 * was never sent.
 */
const SPANS: readonly SketchedSpan[] = [
  { trace: SHOP, id: 1, at: 0, took: 100, name: 'GET /cart', service: 'web', kind: 2, attributes: { 'http.route': '/cart' } },
  { trace: SHOP, id: 2, parent: 1, at: 10, took: 20, name: 'SELECT', service: 'db', kind: 3, attributes: { 'db.rows': 12 } },
  {
    ...{ trace: SHOP, id: 3, parent: 1, at: 40, took: 50, name: 'INSERT', service: 'db', kind: 3, status: 2 },
    exception: { type: 'DeadlockError', message: 'deadlock found' }
  },
  {
    trace: SLOW,
    id: 1,
    at: 10_000,
    took: 400,
    name: 'GET /cart',
    service: 'web',
    kind: 2,
    attributes: { 'http.route': '/cart' }
  },
  { trace: SLOW, id: 2, parent: 1, at: 10_010, took: 300, name: 'SELECT', service: 'db', kind: 3 },
  { trace: SLOW, id: 4, parent: 1, at: 10_320, took: 10, name: 'publish', service: 'queue', kind: 4 },
  { trace: LATE, id: 9, parent: 8, at: 20_000, took: 1, name: 'cleanup', service: null, kind: 1 }
]

let service: RunningService
let user: { readonly authorization: string }

beforeAll(async () => {
  service = await startService({ flags: ['--rate-queries', '100000'] })
  user = await service.login()
  const key = { 'x-api-key': service.first.ingestKey }
  const sent = await service.api('/api/v1/otlp/v1/traces', {
    method: 'POST',
    headers: key,
    json: exportedTraces(SPANS, BASE_MS, { 'deployment.environment': 'test' })
  })
  expect([sent.status, sent.text]).toEqual([200, '{}'])
  const log = (trace: string, span: string | undefined, ms: number, message: string): object => ({
    ...{ trace_id: trace, span_id: span, message, service: 'web', timestamp: `${BASE_MS + ms}000000` }
  })
  const logs = await service.api('/api/v1/logs/batch?ack=searchable', {
    method: 'POST',
    headers: key,
    json: {
      logs: [
        log(SHOP, '0000000000000003', 60, 'deadlock'),
        // As some senders write ids: capitals, no leading zeros.
        log('ABCDEF', '3', 70, 'retry'),
        log(SHOP, undefined, 80, 'without a span'),
        log(SLOW, '0000000000000002', 10_100, 'slow query')
      ]
    }
  })
  expect(logs.status).toBe(200)
  await service.settle()
})
afterAll(() => service?.close())

async function get(path: string): Promise<CheckedResponse> {
  return service.api(path, { headers: user })
}

async function idsOf(params: string | Record<string, string>): Promise<readonly string[]> {
  const response = await get(`/api/v1/traces?${new URLSearchParams(params).toString()}`)
  expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, ''])
  return (response.json['traces'] as { trace_id: string }[]).map(({ trace_id: id }) => id)
}

describe('GET /api/v1/traces', () => {
  it('sums each trace up over all its spans, newest first', async () => {
    const response = await get('/api/v1/traces?total=true')
    expect(response.json).toMatchObject({
      traces: [
        { trace_id: LATE, root_service: null, root_operation: 'cleanup', span_count: 1, has_missing_spans: true },
        { trace_id: SLOW, root_service: 'web', duration_ns: 400_000_000, span_count: 3, error_span_count: 0 },
        {
          ...{ trace_id: SHOP, root_service: 'web', root_operation: 'GET /cart', duration_ns: 100_000_000, span_count: 3 },
          start: new Date(BASE_MS).toISOString().replace('.000Z', '.000000000Z'),
          ...{ error_span_count: 1, has_missing_spans: false },
          services: [
            { service: 'db', spans: 2, errors: 1 },
            { service: 'web', spans: 1, errors: 0 }
          ]
        }
      ],
      ...{ total: { value: 3, relation: 'eq' }, complete: true, warnings: [], histogram: null, durations: null, facets: [] },
      page: { has_more: false, next_cursor: null, limit: 20 }
    })
  })

  it.each<[Record<string, string>, readonly string[]]>([
    [{ service: 'queue' }, [SLOW]],
    [{ operation: 'SELECT' }, [SLOW, SHOP]],
    [{ kind: 'PRODUCER' }, [SLOW]],
    [{ status: 'error' }, [SHOP]],
    [{ has_error: 'true', service: 'web' }, [SHOP]],
    [{ has_error: 'false' }, [LATE, SLOW]],
    [{ status: 'error', service: 'web' }, []],
    [{ 'attr.http.route': '/cart' }, [SLOW, SHOP]],
    [{ 'attr.db.rows': '12' }, [SHOP]],
    [{ 'resource.deployment.environment': 'test', service: 'queue' }, [SLOW]],
    [{ 'attr.deployment.environment': 'test' }, []],
    [{ min_duration: '200ms' }, [SLOW]],
    [{ max_duration: '1ms' }, [LATE]],
    [{ min_duration: '100ms', max_duration: '100ms' }, [SHOP]],
    [{ min_duration: '20ms', max_duration: '20ms', scope: 'span' }, [SHOP]],
    [{ min_duration: '300ms', scope: 'span', service: 'db' }, [SLOW]],
    [{ root_only: 'true' }, [SLOW, SHOP]],
    [{ query: 'cart' }, [SLOW, SHOP]],
    [{ query: 'DEADLOCK' }, [SHOP]],
    [{ query: 'exception_type:DeadlockError' }, [SHOP]],
    [{ query: 'attributes.db.rows:>10 duration:<1s' }, [SHOP]],
    [{ 'event.exception.type': 'DeadlockError' }, [SHOP]],
    [{ 'event.exception.type': 'Other' }, []],
    [{ 'link.exception.type': 'DeadlockError' }, []],
    [{ query: 'event.exception.message:*deadlock*' }, [SHOP]],
    [{ filters: JSON.stringify([{ field: 'exception.type', op: 'eq', value: 'DeadlockError' }]) }, [SHOP]],
    [{ query: 'operation:(publish OR cleanup)' }, [LATE, SLOW]],
    [{ query: '-service:*' }, [LATE]],
    [{ query: 'trace_id:ABCDEF' }, [SHOP]],
    [{ filters: JSON.stringify([{ field: 'http.route', op: 'prefix', value: '/c' }]) }, [SLOW, SHOP]],
    [{ sort: 'duration' }, [SLOW, SHOP, LATE]],
    [{ sort: 'duration', order: 'asc' }, [LATE, SHOP, SLOW]],
    [{ start: String(BASE_MS + 15_000) }, [LATE]]
  ])('%j', async (params, expected) => expect(await idsOf(params)).toEqual(expected))

  it('handles a body like a query string', async () => {
    const json = {
      service: 'db',
      attributes: { 'db.rows': '12' },
      resource: { 'deployment.environment': ['test', 'x'] },
      total: true
    }
    const response = await service.api('/api/v1/traces/query', { method: 'POST', headers: user, json })
    expect(response.json).toMatchObject({ traces: [{ trace_id: SHOP }], total: { value: 1 } })
    const ofEvents = { event: { 'exception.type': 'DeadlockError' } }
    const found = await service.api('/api/v1/traces/query', { method: 'POST', headers: user, json: ofEvents })
    expect(found.json).toMatchObject({ traces: [{ trace_id: SHOP }] })
    const grouped = await get('/api/v1/traces?facets=event.exception.type')
    expect([grouped.status, grouped.json['code']]).toEqual([400, 'invalid_field'])
    const empty = await service.api('/api/v1/traces/query', { method: 'POST', headers: user })
    expect(empty.json['traces']).toHaveLength(3)
  })

  it('pages by a cursor that belongs to the query', async () => {
    for (const sort of ['start', 'duration']) {
      const all = await idsOf({ sort })
      const paged: string[] = []
      let cursor = ''
      do {
        const response = await get(`/api/v1/traces?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`)
        paged.push(...(response.json['traces'] as { trace_id: string }[]).map(({ trace_id: id }) => id))
        cursor = (response.json['page'] as { next_cursor: string | null }).next_cursor ?? ''
      } while (cursor !== '')
      expect(paged).toEqual(all)
    }
    const { page } = (await get('/api/v1/traces?limit=1')).json as { page: { next_cursor: string } }
    for (const other of ['sort=duration', 'service=web', 'min_duration=1ms', 'has_error=true']) {
      const refused = await get(`/api/v1/traces?limit=1&${other}&cursor=${page.next_cursor}`)
      expect(refused.json).toMatchObject({ status: 400, code: 'invalid_field', errors: [{ field: 'cursor' }] })
    }
  })

  it('counts matching spans over time, by duration and per value, a facet without its own condition', async () => {
    const response = await get(
      '/api/v1/traces?service=db&histogram=10&durations=11&facets=service&facets=operation&facets=db.rows'
    )
    const { histogram, durations, facets } = response.json as {
      histogram: { series: { counts: number[] }[] }
      durations: { bounds_ns: number[]; counts: number[]; p50_ns: number }
      facets: { field: string; missing: number; values: { value: string; count: number; selected: boolean }[] }[]
    }
    expect(histogram.series[0]!.counts.reduce((a, b) => a + b, 0)).toBe(3)
    expect(durations.bounds_ns).toEqual([1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12])
    expect(durations.counts).toEqual([0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0])
    expect(durations.p50_ns).toBeGreaterThanOrEqual(20_000_000)
    expect(facets.map(({ field, values }) => [field, ...values.map(({ value, count }) => `${value} ${count}`)])).toEqual([
      ['service', 'db 3', 'web 2', 'queue 1'],
      ['operation', 'SELECT 2', 'INSERT 1'],
      ['db.rows', '12 1']
    ])
    expect(facets[0]).toMatchObject({ missing: 1, values: [{ selected: true }, { selected: false }, { selected: false }] })
  })

  it('reports that counts are of spans when the query is about whole traces', async () => {
    const { warnings, complete } = (await get('/api/v1/traces?min_duration=200ms&facets=service')).json
    expect([complete, (warnings as string[]).length]).toEqual([true, 1])
  })

  it.each([
    ['min_duration=5', 'min_duration'],
    ['min_duration=2s&max_duration=1s', 'min_duration'],
    ['kind=sever', 'kind'],
    ['facets=duration', 'facets'],
    ['limit=201', 'limit'],
    ['durations=100000', 'buckets'],
    ['unknown=1', 'unknown']
  ])('refuses %s by the name of the field', async (params, field) => {
    const response = await get(`/api/v1/traces?${params}`)
    expect(response.json).toMatchObject({ status: 400, code: 'invalid_field' })
    expect(JSON.stringify(response.json['errors'])).toContain(field)
  })
})

describe('GET /api/v1/traces/{trace_id}', () => {
  it.each([SHOP, SHOP.toUpperCase(), 'abcdef', 'ABCDEF', '0abcdef'])('finds %s', async id => {
    expect((await get(`/api/v1/traces/${id}`)).json['trace_id']).toBe(SHOP)
  })

  it('lays the trace out: order, self time, critical path, exceptions, services and logs', async () => {
    const { json } = await get(`/api/v1/traces/${SHOP}`)
    const ids = (n: number): string => n.toString(16).padStart(16, '0')
    expect(json).toMatchObject({
      ...{ duration_ns: 1e8, root_service: 'web', root_operation: 'GET /cart', span_count: 3, error_span_count: 1 },
      ...{ has_missing_spans: false, truncated: false, logs: { total: 3, unlinked: 1 } },
      services: [
        { service: 'db', spans: 2, errors: 1, self_time_ns: 7e7, critical_ns: 7e7 },
        { service: 'web', spans: 1, errors: 0, self_time_ns: 3e7, critical_ns: 3e7 }
      ],
      critical_path: [
        { span_id: ids(1), start_offset_ns: 0, duration_ns: 1e7 },
        { span_id: ids(2), start_offset_ns: 1e7, duration_ns: 2e7 },
        { span_id: ids(1), start_offset_ns: 3e7, duration_ns: 1e7 },
        { span_id: ids(3), start_offset_ns: 4e7, duration_ns: 5e7 },
        { span_id: ids(1), start_offset_ns: 9e7, duration_ns: 1e7 }
      ],
      spans: [
        { span_id: ids(1), parent_span_id: null, depth: 0, child_count: 2, kind: 'server', self_time_ns: 3e7, log_count: 0 },
        { span_id: ids(2), depth: 1, attributes: { 'db.rows': 12 }, resource: { 'deployment.environment': 'test' } },
        {
          ...{ span_id: ids(3), status: 'error', start_offset_ns: 4e7, log_count: 2 },
          exceptions: [{ type: 'DeadlockError', message: 'deadlock found', stacktrace: null }]
        }
      ]
    })
  })

  it('shows as many spans as requested and reports it', async () => {
    const { json } = await get(`/api/v1/traces/${SHOP}?limit=1`)
    expect([(json['spans'] as unknown[]).length, json['truncated'], json['span_count']]).toEqual([1, true, 3])
  })

  it('knows what it does not know', async () => {
    expect((await get('/api/v1/traces/1234')).json).toMatchObject({ status: 404, code: 'not_found' })
    expect((await get('/api/v1/traces/no-trace')).json).toMatchObject({ status: 400, code: 'invalid_field' })
  })
})

describe('GET /api/v1/traces/{trace_id}/compare', () => {
  it('reports which operations appeared, vanished and slowed', async () => {
    const { json } = await get(`/api/v1/traces/${SHOP}/compare?other=F1`)
    expect(json).toMatchObject({ base: { trace_id: SHOP, duration_ns: 1e8 }, other: { trace_id: SLOW, duration_ns: 4e8 } })
    const operations = json['operations'] as { operation: string; change: string; self_time_delta_ns: number }[]
    expect(operations.map(({ operation, change, self_time_delta_ns: delta }) => [operation, change, delta])).toEqual([
      ['SELECT', 'slowed', 28e7],
      ['GET /cart', 'slowed', 6e7],
      ['INSERT', 'vanished', -5e7],
      ['publish', 'appeared', 1e7]
    ])
  })

  it('names the trace that is not stored', async () => {
    const response = await get(`/api/v1/traces/${SHOP}/compare?other=77`)
    expect(response.json).toMatchObject({ status: 404, detail: expect.stringContaining('77') })
  })
})

describe('GET /api/v1/logs/correlate/traces/{trace_id}', () => {
  it('finds the trace, takes its window and counts logs per span', async () => {
    const { json } = await get('/api/v1/logs/correlate/traces/abcdef')
    expect(json).toMatchObject({
      ...{ trace_found: true, unlinked: 1, total: { value: 3 } },
      logs: [{ message: 'deadlock' }, { message: 'retry' }, { message: 'without a span' }],
      window: { start: new Date(BASE_MS - 3_600_000).toISOString().replace('.000Z', '.000000000Z'), unit_detected: 'default' }
    })
    const ofSpan = await get(`/api/v1/logs/correlate/traces/${SHOP}?span_id=3`)
    expect((ofSpan.json['logs'] as { message: string }[]).map(({ message }) => message)).toEqual(['deadlock', 'retry'])
  })

  it('reports when the trace itself is not stored', async () => {
    expect((await get('/api/v1/logs/correlate/traces/1234')).json).toMatchObject({ trace_found: false, logs: [] })
  })
})
