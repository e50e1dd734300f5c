import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Value {
  readonly value: string
  readonly count: number
}
interface Facet {
  readonly field: string
  readonly type: string
  readonly values: readonly (Value & { readonly selected: boolean })[]
  readonly other: number
  readonly missing: number
}

let service: ReadingService

beforeAll(async () => {
  service = await startReadingService()
  const now = Date.now()
  const logs = Array.from({ length: 30 }, (_, i) => ({
    message: `request ${i}`,
    level: ['info', 'info', 'warn', 'ERROR', undefined][i % 5],
    service: `svc-${i % 3}`,
    host: i % 2 === 0 ? 'web-1' : undefined,
    timestamp: new Date(now - i * 1000).toISOString(),
    trace_id: i < 10 ? 'trace-a' : undefined,
    span_id: i < 10 && i % 3 > 0 ? `span-${i % 3}` : undefined,
    log_fields: { request_id: `id-${i}`, status: i % 2 === 0 ? 200 : 500, cached: i % 4 === 0, ms: ((i * 7) % 30) * 10 }
  }))
  await service.write('/api/v1/logs/batch', { logs })
})
afterAll(() => service.close())

const pairs = (values: unknown) => (values as readonly Value[]).map(({ value, count }) => [value, count])

describe('GET /api/v1/logs/{levels,services,hosts}', () => {
  it('lists values, most frequent first, with exact numbers of the rest', async () => {
    const response = await service.ok(service.get('/api/v1/logs/levels'))
    expect(pairs(response['values'])).toEqual([
      ['info', 12],
      ['error', 6],
      ['warn', 6]
    ])
    expect(response).toMatchObject({ missing_count: 6, other_count: 0, complete: true, page: { has_more: false } })
  })

  it('takes a limit, a prefix and the filters of a search', async () => {
    const limited = await service.ok(service.get('/api/v1/logs/services?limit=1'))
    expect(limited).toMatchObject({ other_count: 20, missing_count: 0, page: { has_more: true, limit: 1 }, total: { value: 3 } })
    expect(pairs((await service.ok(service.get('/api/v1/logs/services?prefix=svc-2')))['values'])).toEqual([['svc-2', 10]])
    const filters = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'gte', value: 500 }]))
    expect(
      pairs((await service.ok(service.get(`/api/v1/logs/services?filters=${filters}&level=error&service=svc-0`)))['values'])
    ).toEqual([['svc-0', 1]])
    expect(await service.ok(service.get('/api/v1/logs/hosts?query=host:*&level=info&level=warn'))).toMatchObject({
      missing_count: 0
    })
  })

  it.each([
    ['/api/v1/logs/hosts?limit=1001', 400, 'invalid_field'],
    ['/api/v1/logs/hosts?limit=x', 400, 'invalid_field'],
    ['/api/v1/logs/hosts?filters=[1]', 400, 'invalid_field'],
    ['/api/v1/logs/hosts?query=(', 400, 'invalid_query'],
    ['/api/v1/logs/hosts?namespace=absent', 403, 'namespace_not_allowed']
  ])('responds to %s with %i', async (path, status, code) => {
    expect(await service.fault(service.get(path))).toEqual([status, code])
  })
})

describe('GET /api/v1/logs/fields', () => {
  const list = async (query: string) =>
    (await service.ok(service.get(`/api/v1/logs/fields?start=now-1h${query}`))) as unknown as {
      fields: readonly { name: string; type: string; count: number; cardinality: number; examples: readonly string[] }[]
      page: { has_more: boolean; limit: number }
    }

  it('lists fields with types, frequencies and examples', async () => {
    const { fields, page } = await list('&contains=S')
    const named = Object.fromEntries(fields.map(({ name, ...field }) => [name, field]))
    expect(named['service']).toMatchObject({ type: 'string', cardinality: 3 })
    expect(named['service']!.examples.toSorted()).toEqual(['svc-0', 'svc-1', 'svc-2'])
    expect(named['log_fields.status']).toMatchObject({ type: 'number', examples: expect.arrayContaining(['200']) })
    expect(Object.keys(named).every(name => name.includes('s'))).toBe(true)
    expect(page).toMatchObject({ has_more: false, limit: 200 })
  })

  it('cuts at its limit, and refuses more than the maximum', async () => {
    expect(await list('&limit=1')).toMatchObject({ fields: [{}], page: { has_more: true } })
    expect(await service.fault(service.get('/api/v1/logs/fields?limit=1001'))).toEqual([400, 'invalid_field'])
  })
})

describe('POST /api/v1/logs/facets', () => {
  const send = async (request: object) =>
    (await service.ok(service.post('/api/v1/logs/facets', request))) as unknown as {
      facets: readonly Facet[]
      ranges: readonly object[]
      skipped: readonly { field: string; reason: string }[]
    }

  it('leaves out the own condition of each facet, and no other', async () => {
    const { facets } = await send({ fields: ['level', 'service'], level: 'warn', query: 'service:svc-1' })
    expect(pairs(facets[0]!.values)).toEqual([
      ['info', 4],
      ['error', 2],
      ['warn', 2]
    ])
    expect(facets[0]!.values.map(({ selected }) => selected)).toEqual([false, false, true])
    expect(facets[0]!.missing).toBe(2)
    expect(pairs(facets[1]!.values)).toEqual(
      expect.arrayContaining([
        ['svc-0', 2],
        ['svc-1', 2],
        ['svc-2', 2]
      ])
    )
  })

  it('counts other and missing exactly', async () => {
    const { facets } = await send({ fields: ['request_id', 'host'], limit: 2 })
    expect(facets[0]).toMatchObject({ other: 28, missing: 0, distinct: { value: 30, relation: 'eq' } })
    expect(facets[1]).toMatchObject({ other: 0, missing: 15 })
  })

  it('searches in the values of its fields, without their own conditions', async () => {
    const { facets } = await send({ fields: ['request_id', 'service'], contains: '-2', service: 'svc-1', query: 'level:info' })
    expect(facets.map(({ values }) => pairs(values))).toEqual([[['id-25', 1]], [['svc-2', 4]]])
    const [own] = (await send({ fields: ['request_id'], contains: 'D-1', query: 'request_id:id-3 level:error' })).facets
    expect(pairs(own!.values)).toEqual([
      ['id-13', 1],
      ['id-18', 1]
    ])
    const [few] = (await send({ fields: ['request_id'], contains: 'ID-2', limit: 5 })).facets
    expect(few).toMatchObject({ other: 6, missing: 0, distinct: { value: 11, relation: 'eq' } })
    expect(few!.values.every(({ value }) => value.startsWith('id-2'))).toBe(true)
    expect((await send({ fields: ['level'], contains: '' })).facets[0]!.values).toHaveLength(3)
  })

  it('searches in values in GraphQL, of logs', async () => {
    const query = `{ logs(range: { from: "now-1h" }, filter: { query: "service:svc-0", levels: [INFO] }, first: 0) {
      facets(fields: ["service", "level"], contains: "C-0") { field other missing buckets { value count selected } } } }`
    const { data } = await service.ok(service.post('/graphql', { query }))
    expect(data).toEqual({
      logs: {
        facets: [
          { field: 'service', other: 0, missing: 0, buckets: [{ value: 'svc-0', count: 4, selected: true }] },
          { field: 'level', other: 0, missing: 0, buckets: [] }
        ]
      }
    })
  })

  it('chooses fields by the data and reports which it skipped and why', async () => {
    const { facets, skipped } = await send({})
    const types = Object.fromEntries(facets.map(({ field, type }) => [field, type]))
    expect(types).toMatchObject({
      level: 'string',
      service: 'string',
      'log_fields.status': 'number',
      'log_fields.cached': 'boolean'
    })
    expect(skipped).toEqual([{ field: 'log_fields.request_id', reason: expect.stringMatching(/different/) }])
  })

  it('has the range of many numbers, without their own condition', async () => {
    const { ranges, facets } = await send({})
    expect(ranges).toEqual([
      {
        ...{ field: 'log_fields.ms', numbers: 30, min: 0, max: 290, extremes_exact: true, relative_error: expect.anything() },
        ...{ p25: expect.any(Number), p50: expect.any(Number), p75: expect.any(Number), p95: expect.any(Number) },
        p99: expect.any(Number)
      }
    ])
    expect(facets.map(({ field }) => field)).not.toContain('log_fields.ms')
    const bounded = await send({ query: 'log_fields.ms:>=200 service:svc-1' })
    expect(bounded.ranges).toMatchObject([{ field: 'log_fields.ms', numbers: 10, max: 280 }])
    // The sample has none below 200: a search store returns a bound.
    const [{ min, extremes_exact: isExact }] = bounded.ranges as readonly [{ min: number; extremes_exact: boolean }]
    expect(min).toBeLessThanOrEqual(10)
    expect(isExact).toBe(min === 10)
    expect(bounded.facets.find(({ field }) => field === 'service')!.values.map(({ count }) => count)).toEqual([4, 3, 3])
    expect((await send({ fields: ['level'] })).ranges).toEqual([])
  })

  it('is the same in GraphQL, on request of one field', async () => {
    const { ranges, skipped } = await send({ level: 'info' })
    const query = `{ logs(range: { from: "now-1h" }, filter: { levels: [INFO] }, first: 0) { suggestedFacets(limit: 2) {
      facets { field type buckets { value count } } ranges { field numbers min max p25 p50 p75 p95 p99 relativeError areExtremesExact }
      skipped { field reason } stats { complete } } } }`
    const { data } = (await service.ok(service.post('/graphql', { query }))) as unknown as {
      data: {
        logs: { suggestedFacets: { ranges: readonly object[]; skipped: object; facets: readonly object[]; stats: object } }
      }
    }
    const { suggestedFacets } = data.logs
    expect(suggestedFacets.ranges).toEqual(
      ranges.map(range => {
        const { relative_error: error, extremes_exact: areExtremesExact, ...rest } = range as Record<string, unknown>
        return { ...rest, relativeError: error, areExtremesExact }
      })
    )
    expect([suggestedFacets.skipped, suggestedFacets.stats]).toEqual([skipped, { complete: true }])
    expect(suggestedFacets.facets).toContainEqual({
      field: 'log_fields.status',
      type: 'NUMBER',
      buckets: [
        { value: '200', count: 6 },
        { value: '500', count: 6 }
      ]
    })
  })

  it.each<[object, number, string]>([
    [{ fields: ['timestamp'] }, 400, 'invalid_field'],
    [{ fields: [] }, 400, 'invalid_field'],
    [{ fields: Array(21).fill('level') }, 400, 'invalid_field'],
    [{ fields: ['level'], limit: 1001 }, 400, 'invalid_field'],
    [{ fields: ['level'], contains: 'x'.repeat(8_193) }, 400, 'invalid_field'],
    [{ contains: 'x' }, 400, 'invalid_field']
  ])('refuses %j', async (request, status, code) => {
    expect(await service.fault(service.post('/api/v1/logs/facets', request))).toEqual([status, code])
  })
})

describe('GET /api/v1/logs/correlate/traces/{trace_id}', () => {
  const path = '/api/v1/logs/correlate/traces'

  it('gives the logs of a trace, oldest first, counted per span', async () => {
    const response = await service.ok(service.get(`${path}/trace-a`))
    expect((response['logs'] as readonly { message: string }[]).map(log => log.message)).toEqual(
      Array.from({ length: 10 }, (_, i) => `request ${9 - i}`)
    )
    expect(response).toMatchObject({ trace_id: 'trace-a', trace_found: false, unlinked: 4, total: { value: 10 }, complete: true })
    expect(response['by_span']).toEqual([
      { span_id: 'span-1', count: 3 },
      { span_id: 'span-2', count: 3 }
    ])
  })

  it('narrows to a span but still counts all of them', async () => {
    const response = await service.ok(service.get(`${path}/trace-a?span_id=span-1&limit=2`))
    expect(response).toMatchObject({ total: { value: 3 }, unlinked: 4, page: { has_more: true } })
    expect(response['by_span']).toHaveLength(2)
    const { next_cursor: cursor } = response['page'] as { next_cursor: string }
    expect((await service.ok(service.get(`${path}/trace-a?span_id=span-1&cursor=${cursor}`)))['logs']).toHaveLength(1)
  })

  it('responds to an unknown trace with 200 and nothing', async () => {
    expect(await service.ok(service.get(`${path}/absent`))).toMatchObject({
      trace_found: false,
      logs: [],
      by_span: [],
      unlinked: 0
    })
  })
})
