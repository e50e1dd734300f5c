import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTestStores } from '../support/duckdb-fixture.js'
import { exportOf, newSpanId, newTraceId } from '../support/otlp-spans.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const NOW_MS = Date.now()
const START = new Date(NOW_MS - 3_600_000).toISOString()
const END = new Date(NOW_MS + 60_000).toISOString()
const TRACE = newTraceId()
const PROMQL = `/api/v1/prometheus/api/v1`

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: ReadingService

/** Records of each signal at one moment: a segment holds one day, so that there is one of each also at midnight. */
async function fill(): Promise<void> {
  const log = { message: 'paid', service: 'shop', level: 'info', trace_id: TRACE, timestamp: NOW_MS - 60_000 }
  await service.write('/api/v1/logs/batch', { logs: [log, { ...log, message: 'paid again' }] })
  const metrics = [0, 1, 2].map(i => ({
    ...{ name: 'load', type: 'gauge', labels: { service: 'shop', worker: `${i}` }, value: i },
    timestamp: Math.floor(NOW_MS / 1000) - 60
  }))
  await service.write('/api/v1/ingest/batch', { metrics })
  await service.write('/api/v1/apm/rum', { page_url: 'https://shop.example/', load_time_ms: 700 })
  await service.write('/api/v1/apm/errors', { message: 'declined', service: 'shop', type: 'CardError' })
  const id = newSpanId()
  const common = { trace: TRACE, startMs: NOW_MS - 60_000, tookMs: 20 }
  const spans = exportOf([
    { ...common, id, service: 'shop', name: 'POST /order', kind: 2 },
    { ...common, parent: id, service: 'bank', name: 'pay', kind: 2 }
  ])
  const headers = { 'x-api-key': service.first.ingestKey }
  expect((await service.api('/api/v1/otlp/v1/traces', { method: 'POST', json: spans, headers })).status).toBe(200)
}

/** Makes segments of everything, and removes all of them. */
async function removeSegments(dataDir: string): Promise<void> {
  const telemetry = join(dataDir, 'telemetry')
  const stores = await openTestStores(telemetry, { limits: { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 } })
  await stores.client.call('sealAll', [])
  await stores.close()
  const segments = join(telemetry, 'segments')
  const files = (await readdir(segments, { recursive: true })).filter(name => name.endsWith('.parquet'))
  expect(files.length).toBe(5)
  for (const file of files) await rm(join(segments, file))
}

beforeAll(async () => {
  folder = await openTempFolder()
  const dataDir = join(folder.path, 'data')
  service = await startReadingService({ dataDir })
  await fill()
  const { first } = service
  await service.close()
  await removeSegments(dataDir)
  service = await startReadingService({ dataDir, as: first })
}, 120_000)
afterAll(async () => {
  await service?.close()
  await folder.remove()
})

const window = `start=${START}&end=${END}`

describe.each<readonly [string, () => ReturnType<ReadingService['get']>, RegExp]>([
  ['logs', async () => service.post('/api/v1/logs/query', { start: START, end: END, total: true }), /^2 logs between/],
  [
    'fields of logs',
    async () => service.post('/api/v1/logs/facets', { fields: ['level'], start: START, end: END }),
    /^2 logs between/
  ],
  ['logs of a trace', async () => service.get(`/api/v1/logs/correlate/traces/${TRACE}?${window}`), /^2 logs between/],
  ['traces', async () => service.get(`/api/v1/traces?${window}`), /^2 spans between/],
  ['services', async () => service.get(`/api/v1/apm/services?${window}`), /^2 spans between/],
  ['the service map', async () => service.get(`/api/v1/apm/service-map?${window}`), /^2 spans between/],
  ['page timings', async () => service.get(`/api/v1/apm/rum?${window}`), /^1 page timings between/],
  ['error groups', async () => service.get(`/api/v1/apm/errors?${window}`), /^1 errors between/],
  [
    'charts of metrics',
    async () => service.post('/api/v1/query', { metric: 'load', start: START, end: END }),
    /^3 metric points between/
  ],
  [
    'what moved',
    async () =>
      service.post('/api/v1/logs/correlate/metrics', {
        anchor: { at: new Date(NOW_MS - 60_000).toISOString(), service: 'shop' }
      }),
    /^3 metric points between/
  ]
])('%s', (_, request, gap) => {
  it('return what is left, report that it is not all, and what is missing', async () => {
    const body = await service.ok(request())
    const text = JSON.stringify(body)
    const facts = 'complete' in body ? body : (body['meta'] as typeof body)
    expect({ text, complete: facts['complete'] }).toMatchObject({ complete: false })
    expect(facts['warnings']).toEqual(expect.arrayContaining([expect.stringMatching(gap)]))
  })
})

it('PromQL returns a warning', async () => {
  const at = Math.floor(NOW_MS / 1000)
  const { status, json } = await service.get(`${PROMQL}/query_range?query=load&start=${at - 600}&end=${at}&step=30`)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'success',
    data: { result: [] },
    warnings: [expect.stringMatching(/^3 metric points between/)]
  })
})

it('an export of logs reports it in its last line', async () => {
  const response = await service.post('/api/v1/logs/query', { start: START, end: END }, { accept: 'application/x-ndjson' })
  expect(JSON.parse(response.text.trim().split('\n').at(-1)!)).toMatchObject({
    complete: false,
    warnings: [expect.stringMatching(/^2 logs between/)]
  })
})

it('health is degraded, names a file, and still takes traffic', async () => {
  const { status, json } = await service.api('/api/v1/health/ready')
  expect([status, json?.['status']]).toEqual([200, 'degraded'])
  expect(JSON.stringify(json)).toMatch(/segments\/\w+\/\w+-\d+-\d+_\d+\.f\d+\.parquet is missing \(and 4 more segments\)/)
})
