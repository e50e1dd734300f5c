import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '../support/running-service.js'

// The requests of Grafana's Prometheus data source, as it forms them: forms by POST for queries, labels and series, GET for the rest.

let service: RunningService
let queryKey: string
/** A minute ago, on the full minute. */
const END_S = Math.floor(Date.now() / 60_000) * 60 - 60
const WINDOW = { start: String(END_S - 3_600), end: String(END_S) }
const FORM = 'application/x-www-form-urlencoded'

beforeAll(async () => {
  service = await startService()
  const session = await service.login()
  const made = await service.api('/api/v1/keys', { method: 'POST', headers: session, json: { name: 'grafana', kind: 'query' } })
  queryKey = String(made.json['key'])
  const metrics = [0, 15, 30, 45, 60].flatMap(s =>
    ['a', 'b'].map(job => {
      const timestamp_ns = `${END_S - 60 + s}000000000`
      return { name: 'http_requests_total', type: 'counter', value: s, timestamp_ns, labels: { job, instance: 'i:1' } }
    })
  )
  const sent = await service.api('/api/v1/ingest/batch', {
    method: 'POST',
    headers: { 'x-api-key': service.first.ingestKey },
    json: { metrics }
  })
  expect(sent.json).toMatchObject({ accepted: 10 })
})
afterAll(() => service.close())

async function send(path: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(`${service.url}/api/v1/prometheus/api/v1/${path}`, {
    ...init,
    headers: { 'x-api-key': queryKey, 'x-grafana-org-id': '1', ...init.headers }
  })
  expect(reply.headers.get('content-type')).toContain('application/json')
  return { status: reply.status, body: await reply.json() }
}

function post(path: string, params: Readonly<Record<string, string>>): Promise<unknown> {
  return send(path, { method: 'POST', body: new URLSearchParams(params).toString(), headers: { 'content-type': FORM } })
}

function get(path: string, params: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return send(`${path}?${new URLSearchParams(params).toString()}`, {})
}

const success = (data: unknown) => ({ status: 200, body: { status: 'success', data } })

describe("Grafana's Prometheus data source", () => {
  it('checks its health by a query, and reads the build information', async () => {
    expect(await post('query', { query: '1+1', time: '4' })).toEqual(success({ resultType: 'scalar', result: [4, '2'] }))
    expect(await get('status/buildinfo')).toMatchObject({
      status: 200,
      body: { data: { version: expect.stringMatching(/^3\./) } }
    })
  })

  it('fills the metric picker', async () => {
    expect(await get('label/__name__/values', WINDOW)).toEqual(success(['http_requests_total']))
    expect(await get('metadata', { limit: '40000' })).toEqual(
      success({ http_requests_total: [{ type: 'counter', help: '', unit: '' }] })
    )
  })

  it('fills the builder: labels and their values under what is chosen already', async () => {
    const match = '{__name__="http_requests_total",job="a"}'
    expect(await post('labels', { ...WINDOW, 'match[]': match, limit: '40000' })).toEqual(
      success(['__name__', 'instance', 'job'])
    )
    expect(await get('label/job/values', { ...WINDOW, 'match[]': '{__name__="http_requests_total"}', limit: '40000' })).toEqual(
      success(['a', 'b'])
    )
    expect(await post('series', { ...WINDOW, 'match[]': match })).toEqual(
      success([{ __name__: 'http_requests_total', job: 'a', instance: 'i:1' }])
    )
    expect(await get('parse_query', { query: 'sum(rate(http_requests_total[5m]))' })).toMatchObject(
      success({ type: 'aggregation' })
    )
    expect(await get('format_query', { query: 'sum(up)by(job)' })).toEqual(success('sum by (job) (up)'))
  })

  it('draws a panel, and requests exemplars next to it', async () => {
    const query = 'sum by(job) (rate(http_requests_total{instance=~"i:1|i:2"}[1m0s]))'
    const range = { query, start: String(END_S - 15), end: String(END_S), step: '15' }
    const labels = (job: string) => ({ metric: { job }, values: expect.any(Array) })
    expect(await post('query_range', range)).toEqual(success({ resultType: 'matrix', result: [labels('a'), labels('b')] }))
    expect(await post('query_exemplars', { query, ...WINDOW })).toEqual(success([]))
    expect(await post('query', { query: 'topk(1, http_requests_total)', time: String(END_S) })).toMatchObject(
      success({ resultType: 'vector' })
    )
  })

  it('fills variables, annotations and the list of rules', async () => {
    expect(await get('label/job/values', { ...WINDOW, 'match[]': 'http_requests_total' })).toEqual(success(['a', 'b']))
    const annotation = { query: 'ALERTS{alertstate="firing"}', ...WINDOW, step: '60' }
    expect(await post('query_range', annotation)).toEqual(success({ resultType: 'matrix', result: [] }))
    expect(await get('rules')).toEqual(success({ groups: [] }))
    expect(await get('alerts')).toEqual(success({ alerts: [] }))
  })

  it('shows what is wrong with a query in the words of Prometheus', async () => {
    expect(await post('query_range', { query: 'sum(', ...WINDOW, step: '60' })).toMatchObject({
      status: 400,
      body: { status: 'error', errorType: 'bad_data', error: expect.stringContaining('parse error') }
    })
  })

  it('needs no credential to see that the service is there', async () => {
    for (const [path, text] of [
      ['healthy', 'Alidade is Healthy.\n'],
      ['ready', 'Alidade is Ready.\n']
    ] as const) {
      for (const base of ['/api/v1/prometheus', '/prometheus', '/api/v1/ns/default/prometheus']) {
        const reply = await fetch(`${service.url}${base}/-/${path}`)
        expect([reply.status, await reply.text()]).toEqual([200, text])
      }
    }
  })
})
