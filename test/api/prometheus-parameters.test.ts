import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { endsAtOnce } from '../support/at-once.js'
import { type RunningService, startService } from '../support/running-service.js'

// Parameters of Prometheus's API, and names that are not words, over HTTP.

const BASE = '/api/v1/prometheus/api/v1'
/** A minute ago, on the full minute. */
const END_S = Math.floor(Date.now() / 60_000) * 60 - 60

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService({ flags: ['--rate-queries', '1000'] })
  session = await service.login()
  const point = (name: string, ago: number, value: number, labels: object) => {
    return { name, value, labels, timestamp_ns: `${END_S - ago}000000000` }
  }
  const metrics = [
    ...['a', 'b', 'c'].map(job => point('seen', 180, 1, { job })),
    point('http.requests', 0, 5, { 'http.status': '200', Größe: 'süß', path: '/a' }),
    point('http.requests', 0, 7, { 'http.status': '500', path: '/a' })
  ]
  const headers = { 'x-api-key': service.first.ingestKey }
  const sent = await service.api('/api/v1/ingest/batch', { method: 'POST', headers, json: { metrics } })
  expect(sent.json).toMatchObject({ accepted: 5, rejected: 0 })
})
afterAll(() => service.close())

interface Result {
  readonly status: number
  readonly body: { readonly data: unknown; readonly warnings?: readonly string[]; readonly errorType?: string }
}

async function request(path: string, params: Readonly<Record<string, string>>, isForm = false): Promise<Result> {
  const form = new URLSearchParams(params)
  const url = `${service.url}${BASE}/${path}`
  const reply = isForm
    ? await fetch(url, { method: 'POST', headers: session, body: form })
    : await fetch(`${url}?${form.toString()}`, { headers: session })
  return { status: reply.status, body: (await reply.json()) as Result['body'] }
}

const at = { time: String(END_S) }
const over = { start: String(END_S - 120), end: String(END_S), step: '60' }
function resultOf({ status, body }: Result): readonly unknown[] {
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body.data as { readonly result: readonly unknown[] }).result
}

describe.each([
  ['GET', false],
  ['a form', true]
])('by %s', (_, isForm) => {
  it('lookback_delta sets how far back a selector looks', async () => {
    for (const [lookback_delta, count] of [
      ['1m', 0],
      ['180', 0],
      ['181', 3],
      ['10m', 3]
    ] as const)
      expect(resultOf(await request('query', { query: 'seen', ...at, lookback_delta }, isForm))).toHaveLength(count)
    const [first] = resultOf(await request('query_range', { query: 'seen', ...over, lookback_delta: '2m' }, isForm))
    expect(first).toMatchObject({ values: [[END_S - 120, '1']] })
  })

  it('limit leaves out series and warns of it', async () => {
    for (const [path, params] of [
      ['query', at],
      ['query_range', over]
    ] as const) {
      const cut = await request(path, { query: 'seen', ...params, limit: '2' }, isForm)
      expect([resultOf(cut).length, cut.body.warnings]).toEqual([2, ['results truncated due to limit']])
      const whole = await request(path, { query: 'seen', ...params, limit: '3' }, isForm)
      expect([resultOf(whole).length, whole.body.warnings]).toEqual([3, undefined])
    }
    const window = { start: String(END_S - 600), end: String(END_S), limit: '1' }
    for (const [path, params] of [
      ['series', { 'match[]': 'seen' }],
      ['labels', {}]
    ] as const) {
      const cut = await request(path, { ...window, ...params }, isForm)
      expect([(cut.body.data as unknown[]).length, cut.body.warnings]).toEqual([1, ['results truncated due to limit']])
    }
  })

  it('timeout ends a query, and no longer one counts than the service has', async () => {
    const long = 'sum_over_time(sum_over_time(vector(time())[1h:1s])[200h:1m])'
    expect(await request('query', { query: long, ...at, timeout: '50ms' }, isForm)).toMatchObject({
      status: 503,
      body: { status: 'error', errorType: 'timeout', error: 'query timed out in expression evaluation' }
    })
    expect((await request('query', { query: 'seen', ...at, timeout: '10h' }, isForm)).status).toBe(200)
  })

  it.each([
    ['timeout', 'soon'],
    ['lookback_delta', '-'],
    ['limit', '-1'],
    ['time', 'yesterday']
  ])('a %s of "%s" is bad data that is named', async (name, value) => {
    const response = await request('query', { query: '1', [name]: value }, isForm)
    expect(response).toMatchObject({ status: 400, body: { errorType: 'bad_data', error: expect.stringContaining(name) } })
  })
})

it('a long number that is invalid is refused at once', async () => {
  const time = `${'1'.repeat(200_000)}x`
  const refused = { status: 400, body: { errorType: 'bad_data' } }
  expect(await endsAtOnce(async () => expect(await request('query', { query: '1', time }, true)).toMatchObject(refused))).toBe(
    true
  )
})

describe('names that are not words', () => {
  const window = { start: String(END_S - 600), end: String(END_S) }

  it('are selected, matched and grouped by in quotes', async () => {
    const ok = resultOf(await request('query', { query: '{"http.requests", "http.status"="200"}', ...at }))
    expect(ok).toEqual([
      { metric: { __name__: 'http.requests', 'http.status': '200', Größe: 'süß', path: '/a' }, value: [END_S, '5'] }
    ])
    const query = 'sum by ("http.status") ({"http.requests", "Größe"=~"s.*|"})'
    expect(resultOf(await request('query', { query, ...at }))).toEqual([
      { metric: { 'http.status': '200' }, value: [END_S, '5'] },
      { metric: { 'http.status': '500' }, value: [END_S, '7'] }
    ])
    expect(resultOf(await request('query_range', { query: '{"http.requests"}', ...over }, true))).toHaveLength(2)
  })

  it('are listed, by name and escaped as clients write them in paths', async () => {
    const matching = { ...window, 'match[]': '{"http.requests"}' }
    expect((await request('labels', matching)).body.data).toEqual(['Größe', '__name__', 'http.status', 'path'])
    expect((await request('series', matching)).body.data).toHaveLength(2)
    for (const label of ['U__http_2e_status', 'http.status', encodeURIComponent('http.status')])
      expect((await request(`label/${label}/values`, matching)).body.data).toEqual(['200', '500'])
    expect((await request('label/U__Gr_f6__df_e/values', window)).body.data).toEqual(['süß'])
    expect((await request(`label/${encodeURIComponent('Größe')}/values`, window)).body.data).toEqual(['süß'])
    expect((await request('metadata', { metric: 'http.requests' })).body.data).toHaveProperty(['http.requests'])
  })

  it('are written in quotes again', async () => {
    const { body } = await request('format_query', { query: 'sum by("http.status",path)({"http.requests"})' })
    expect(body.data).toBe('sum by ("http.status", path) ({__name__="http.requests"})')
  })
})
