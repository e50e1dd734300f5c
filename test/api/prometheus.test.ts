import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '../support/running-service.js'

let service: RunningService
let session: { readonly authorization: string }
const BASE = '/api/v1/prometheus/api/v1'
/** A minute ago, on the full minute. */
const END_S = Math.floor(Date.now() / 60_000) * 60 - 60

beforeAll(async () => {
  service = await startService()
  session = await service.login()
  const metrics = []
  for (let i = 0; i <= 40; i++) {
    for (const [job, factor] of [
      ['a', 1],
      ['b', 10]
    ] as const) {
      const timestamp_ns = `${END_S - 600 + i * 15}000000000`
      const labels = { job, instance: 'i1' }
      metrics.push({ name: 'requests_total', type: 'counter', value: (i % 30) * factor, timestamp_ns, labels })
    }
  }
  const response = await service.api('/api/v1/ingest/batch', {
    method: 'POST',
    headers: { 'x-api-key': service.first.ingestKey },
    json: { metrics }
  })
  expect(response.json).toMatchObject({ accepted: 82 })
})
afterAll(() => service.close())

interface Result {
  readonly status: number
  readonly body: Record<string, unknown> & { readonly data: { readonly resultType: string; readonly result: unknown } }
}

async function request(path: string, params: Record<string, string>, method = 'GET', base = BASE): Promise<Result> {
  const form = new URLSearchParams(params)
  const isGet = method === 'GET'
  const reply = await fetch(`${service.url}${base}/${path}${isGet ? `?${form.toString()}` : ''}`, {
    method,
    headers: session,
    ...(isGet ? {} : { body: form })
  })
  return { status: reply.status, body: (await reply.json()) as Result['body'] }
}

describe('an instant query', () => {
  it.each<[string, string, unknown]>([
    ['1 + 2 * 3 ^ 2', 'scalar', [END_S, '19']],
    ['"text"', 'string', [END_S, 'text']],
    [
      'requests_total{job="a"}',
      'vector',
      [{ metric: { __name__: 'requests_total', job: 'a', instance: 'i1' }, value: [END_S, '10'] }]
    ],
    ['sum by (instance) (requests_total)', 'vector', [{ metric: { instance: 'i1' }, value: [END_S, '110'] }]],
    [
      'topk(1, requests_total) > 50',
      'vector',
      [{ metric: { __name__: 'requests_total', job: 'b', instance: 'i1' }, value: [END_S, '100'] }]
    ],
    [
      'requests_total{job="b"} / on(instance) requests_total{job="a"}',
      'vector',
      [{ metric: { instance: 'i1' }, value: [END_S, '10'] }]
    ],
    ['increase(requests_total{job="a"}[2m])', 'vector', [{ metric: { job: 'a', instance: 'i1' }, value: [END_S, '8'] }]],
    ['absent(nothing{job="x"})', 'vector', [{ metric: { job: 'x' }, value: [END_S, '1'] }]],
    ['max_over_time(sum(requests_total)[10m:15s])', 'vector', [{ metric: {}, value: [END_S, '319'] }]],
    ['requests_total @ 0', 'vector', []]
  ])('%s', async (query, resultType, result) => {
    const { status, body } = await request('query', { query, time: String(END_S) })
    expect([status, body.data]).toEqual([200, { resultType, result }])
  })

  it('of a range selector gives its samples, open on the left', async () => {
    const { body } = await request('query', { query: 'requests_total{job="a"}[30s]', time: String(END_S) })
    expect(body.data.result).toMatchObject([
      {
        values: [
          [END_S - 15, '9'],
          [END_S, '10']
        ]
      }
    ])
  })

  it('takes a form, and its namespace from the path', async () => {
    const base = `/api/v1/ns/${service.first.namespace}/prometheus/api/v1`
    expect((await request('query', { query: 'vector(1)' }, 'POST', base)).body.data.resultType).toBe('vector')
    expect((await request('query', { query: '1' }, 'POST', '/api/v1/ns/elsewhere/prometheus/api/v1')).status).toBe(403)
  })
})

describe('a range query', () => {
  it('gives the grid with its gaps', async () => {
    const range = { start: String(END_S - 60), end: String(END_S + 420), step: '60' }
    const { body } = await request('query_range', { query: 'requests_total{job="a"}', ...range })
    const [series] = body.data.result as { values: [number, string][] }[]
    // The last sample is looked back to for less than five minutes.
    expect(series!.values.map(([time]) => time - END_S)).toEqual([-60, 0, 60, 120, 180, 240])
  })

  it('knows its step, its range, and the end that was requested', async () => {
    const range = { start: String(END_S - 100), end: String(END_S), step: '60' }
    const of = async (query: string): Promise<unknown> => {
      const { body } = await request('query_range', { query, ...range })
      return (body.data.result as { values: [number, string][] }[])[0]!.values.map(([, value]) => value)
    }
    expect(await of('step() + range()')).toEqual(['160', '160'])
    expect(await of('requests_total{job="a"} @ end()')).toEqual(['10', '10'])
    expect(await of('requests_total{job="a"} offset -(range() - step())')).toEqual(['6', '10'])
    expect(await of('delta(requests_total{job="a"}[step() / 2] smoothed)')).toEqual(['2', '2'])
  })

  it.each([
    ['too many points', { query: '1', start: '0', end: '20000', step: '1' }, 400, 'exceeded maximum resolution'],
    ['an end before its start', { query: '1', start: '10', end: '5', step: '1' }, 400, 'end timestamp'],
    ['no step', { query: '1', start: '1', end: '5' }, 400, 'step'],
    ['a range vector', { query: 'x[5m]', start: '1', end: '5', step: '1' }, 400, 'range vector']
  ])('refuses %s', async (_, params, status, text) => {
    const response = await request('query_range', params)
    expect(response.status).toBe(status)
    expect(response.body).toMatchObject({ status: 'error', errorType: 'bad_data', error: expect.stringContaining(text) })
  })
})

describe('an error', () => {
  it.each([
    ['sum(', 400, 'bad_data', '1:5: parse error: unclosed left parenthesis'],
    ['rate(requests_total)', 400, 'bad_data', 'expected type range vector'],
    ['requests_total + on(instance) requests_total', 422, 'execution', 'many-to-many matching not allowed']
  ])('of %s has the shape of Prometheus', async (query, status, errorType, text) => {
    const response = await request('query', { query, time: String(END_S) })
    expect([response.status, response.body]).toEqual([
      status,
      { status: 'error', errorType, error: expect.stringContaining(text) }
    ])
  })
})

describe('the series that there are', () => {
  it('are listed with their labels', async () => {
    const window = { start: String(END_S - 600), end: String(END_S) }
    expect((await request('series', { 'match[]': 'requests_total{job="a"}', ...window })).body.data).toEqual([
      { __name__: 'requests_total', job: 'a', instance: 'i1' }
    ])
    expect((await request('labels', window)).body.data).toEqual(['__name__', 'instance', 'job'])
    expect((await request('label/job/values', window)).body.data).toEqual(['a', 'b'])
    expect((await request('label/job/values', { ...window, limit: '1' })).body).toMatchObject({
      data: ['a'],
      warnings: ['results truncated due to limit']
    })
    expect((await request('metadata', {})).body.data).toEqual({ requests_total: [{ type: 'counter', help: '', unit: '' }] })
  })
})
