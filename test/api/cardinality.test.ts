import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { snappyBlock, writeRequest } from '../support/remote-write.js'

const MAX_SERIES = 4
let service: ReadingService
let key: Readonly<Record<string, string>>

beforeAll(async () => {
  service = await startReadingService({ flags: ['--rate-queries', '1000', '--limit-active-series', String(MAX_SERIES)] })
  key = { 'x-api-key': service.first.ingestKey }
  await service.write('/api/v1/ingest/batch', {
    metrics: ['a', 'b', 'c', 'd'].map(user => ({ name: 'hits', type: 'counter', value: 1, labels: { user, service: 'shop' } }))
  })
})
afterAll(() => service.close())

const hit = (user: string, value: number, seconds: number) => ({
  ...{ name: 'hits', type: 'counter', value, labels: { user, service: 'shop' } },
  timestamp_ns: String((BigInt(Math.floor(Date.now() / 1000)) - 60n + BigInt(seconds)) * 1_000_000_000n)
})

const DETAIL =
  /limit of 4 active series; the label "user" has the most values, 4; 1 points of further series .*__overflow__="true"/

it('reports in the response of a write the overflow and which label has the most values', async () => {
  const response = await service.ingest('/api/v1/ingest/batch', {
    ...{ method: 'POST', headers: key },
    json: { metrics: [hit('e', 10, 0), hit('a', 2, 0)] }
  })
  expect(response.json).toMatchObject({
    ...{ status: 'ok', accepted: 2, rejected: 0 },
    overflow: { points: 1, max_series: MAX_SERIES, label: 'user', values: 4, detail: expect.stringMatching(DETAIL) }
  })
  const known = await service.ingest('/api/v1/ingest', { method: 'POST', headers: key, json: hit('a', 3, 1) })
  expect(known.json).not.toHaveProperty('overflow')
})

it('reports it in headers of remote write and as a warning of OTLP', async () => {
  const now = Date.now()
  const written = await fetch(`${service.url}/api/v1/write`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
    body: snappyBlock(writeRequest({ __name__: 'hits', user: 'f' }, [now, 1]))
  })
  expect([written.status, written.headers.get('x-overflow-samples'), written.headers.get('x-overflow-label')]).toEqual([
    ...[204, '1', 'user']
  ])
  const dataPoints = [{ asDouble: 5, timeUnixNano: `${now}000000`, attributes: [{ key: 'user', value: { stringValue: 'g' } }] }]
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints }
  const exported = await service.ingest('/api/v1/otlp/v1/metrics', {
    ...{ method: 'POST', headers: key },
    json: { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'otel.hits', sum }] }] }] }
  })
  expect(exported.json).toEqual({ partialSuccess: { rejectedDataPoints: '0', errorMessage: expect.stringMatching(DETAIL) } })
})

it('refuses the label of overflow series from senders, at every door', async () => {
  const label = { __overflow__: 'true' }
  const detail = expect.stringContaining('the label __overflow__ is reserved for overflow series')
  const post = { method: 'POST', headers: key } as const
  const { json } = await service.ingest('/api/v1/ingest/batch', {
    ...post,
    json: { metrics: [hit('a', 4, 2), { ...hit('a', 4, 2), labels: label }] }
  })
  expect(json).toMatchObject({ accepted: 1, rejected: 1, errors: [{ index: 1, code: 'invalid_field', detail }] })
  const apm = { name: 'hits', service: 'shop', value: 1, tags: label }
  expect((await service.ingest('/api/v1/apm/metrics', { ...post, json: apm })).status).toBe(400)
  const written = await fetch(`${service.url}/api/v1/write`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
    body: snappyBlock(writeRequest({ __name__: 'hits', ...label }, [Date.now(), 1]))
  })
  expect([written.status, await written.text()]).toEqual([400, detail])
  const attributes = [{ key: '__overflow__', value: { stringValue: 'true' } }]
  const metrics = [{ name: 'hits', gauge: { dataPoints: [{ asDouble: 5, timeUnixNano: `${Date.now()}000000`, attributes }] } }]
  const exported = await service.ingest('/api/v1/otlp/v1/metrics', {
    ...post,
    json: { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }
  })
  expect(JSON.stringify(exported.json)).toEqual(detail)
})

it('keeps the sum of rates right over the overflow', async () => {
  await service.write('/api/v1/ingest/batch', { metrics: [hit('e', 40, 10), hit('h', 5, 10)] })
  await service.write('/api/v1/ingest/batch', { metrics: [hit('e', 70, 30), hit('h', 9, 30)] })
  const found = await service.ok(
    service.get(`/api/v1/prometheus/api/v1/query?query=${encodeURIComponent('hits{__overflow__="true"}')}`)
  )
  expect(found).toMatchObject({
    data: { result: [{ metric: { __name__: 'hits', __overflow__: 'true' }, value: [expect.anything(), '64'] }] }
  })
  // A delta is an increase from its first point on.
  const delta = await service.ok(service.get('/api/v1/prometheus/api/v1/query?query=otel_hits_total'))
  expect(delta).toMatchObject({ data: { result: [{ value: [expect.anything(), '5'] }] } })
})

it('reports cardinality', async () => {
  const all = await service.ok(service.get('/api/v1/metrics/cardinality'))
  expect(all).toMatchObject({
    series: { max: MAX_SERIES, active: 6, counted: 6, overflow: 2, new_1h: 6, new_1d: 6 },
    metrics: [
      { metric: 'hits', series: 5 },
      { metric: 'otel_hits_total', series: 1 }
    ],
    services: [{ service: 'shop', series: 4, new_1h: 4 }],
    found: { metrics: 2, services: 1, labels: 3 }
  })
  expect((all['labels'] as readonly object[])[0]).toMatchObject({
    ...{ label: 'user', values: 4, series: 4, series_without: 3, saved: 3 }
  })
  const one = await service.ok(service.get('/api/v1/metrics/cardinality?metric=hits&limit=1&order=hour'))
  expect(one).toMatchObject({ series: { counted: 5 }, limit: 1, found: { labels: 3 }, labels: [{ label: 'user' }] })
  expect(await service.fault(service.get('/api/v1/metrics/cardinality?limit=101'))).toEqual([400, 'invalid_field'])
})

it('counts the overflow on the page of the service', async () => {
  const { text } = await service.api('/metrics')
  expect(text).toMatch(/^alidade_store_folded_points [1-9]/m)
  expect(text).toMatch(/^alidade_store_folded_refused 0$/m)
  expect(text).toMatch(/^alidade_store_folded_series 4$/m)
})
