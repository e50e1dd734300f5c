import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { IS_MANAGED } from '../support/service-profile.js'

const EMBEDDED_STORES = ['duckdb']
const MANAGED_STORES = ['elasticsearch', 'influxdb', 'spool']

let service: RunningService
let operator: Record<string, string>

beforeAll(async () => {
  service = await startService({ flags: ['--limit-page-rows', '700', '--limit-body', '1MiB'] })
  operator = await service.login()
})
afterAll(() => service?.close())

describe('health', () => {
  it.each(['/health/live', '/api/v1/health/live'])('responds at %s while the process lives', async path => {
    expect((await service.api(path)).json).toEqual({ status: 'live' })
  })

  it.each(['/health/ready', '/api/v1/health/ready'])('responds to %s with every store and its latency', async path => {
    const { status, json } = await service.api(path)
    expect([status, json['status']]).toEqual([200, 'ready'])
    const stores = json['stores'] as { name: string; healthy: boolean; latency_ms: number }[]
    expect(stores.map(store => [store.name, store.healthy])).toEqual([
      ...(IS_MANAGED ? MANAGED_STORES : EMBEDDED_STORES).map(name => [name, true]),
      ['control', true]
    ])
    for (const store of stores) if (store.name !== 'spool') expect(store.latency_ms).toBeGreaterThanOrEqual(0)
  })
})

describe('metrics of the service', () => {
  it('count requests by route and status, and name no namespace', async () => {
    await service.api('/api/v1/limits')
    await service.ingest('/api/v1/logs', {
      method: 'POST',
      json: { message: 'counted' },
      headers: { 'x-api-key': service.first.ingestKey }
    })
    const { text, headers } = await service.api('/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toMatch(/alidade_http_requests_total\{method="GET",route="\/api\/v1\/limits",status="200"\} \d+/)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    expect(text).toMatch(/^process_resident_memory_bytes /m)
    expect(text).toMatch(IS_MANAGED ? /^alidade_store_elasticsearch_queue_bytes /m : /^alidade_store_queue_bytes /m)
    expect(text).not.toMatch(/namespace=/)
    expect(text).not.toContain(`"${service.first.namespace}"`)
  })

  it('give paths that no one serves one name', async () => {
    await service.api('/some/secret/path')
    const { text } = await service.api('/api/v1/metrics')
    expect(text).toContain('route="unmatched"')
    expect(text).not.toContain('secret')
  })
})

describe('limits', () => {
  it('shows those in force, the settings applied', async () => {
    const { json } = await service.api('/api/v1/limits')
    expect(json).toMatchObject({
      ingest: { body_bytes: 1_048_576, batch_records: 10_000, labels: 20, bytes_per_second: 52_428_800 },
      query: { default_rows: 100, max_rows: 700, default_traces: 20, max_traces: 200, timeout_ms: 30_000, max_points: 11_000 }
    })
  })

  it('refuses a body over the one that is set', async () => {
    const response = await service.api('/api/v1/auth/login', {
      method: 'POST',
      json: { email: 'a'.repeat(1_048_576), password: 'b' }
    })
    expect(response.json).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe('what is planned', () => {
  it.each([
    ['GET', '/api/v1/ingest/receipts/01J00000000000000000000000'],
    ['GET', '/api/v1/ingest/rejected'],
    ['POST', '/api/v1/ingest/rejected/replay']
  ])('responds to %s %s with 501, never with an empty list', async (method, path) => {
    const body = method === 'POST' ? { json: {} } : {}
    const response = await service.api(path, { method, headers: { ...operator, 'x-api-key': service.first.ingestKey }, ...body })
    expect(response.json).toMatchObject({ status: 501, code: 'not_implemented' })
  })
})

describe('addresses that people try', () => {
  it('keeps the version and the engine of the server to itself', async () => {
    const response = await service.api('/api/v1/limits')
    expect([response.headers.get('server'), response.headers.get('x-powered-by')]).toEqual([null, null])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('never gives two responses the same request id', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => service.api('/health/live')))
    expect(new Set(responses.map(response => response.headers.get('x-request-id'))).size).toBe(50)
  })
})
