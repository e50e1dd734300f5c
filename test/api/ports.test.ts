import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

let service: RunningService

beforeAll(async () => {
  service = await startService({ flags: ['--ingest-port', '0'] })
})
afterAll(() => service?.close())

const INGEST_ONLY = ['/api/v1/logs', '/api/v1/logs/batch', '/api/v1/ingest', '/api/v1/ingest/batch']
const OTLP = ['/api/v1/otlp/v1/logs', '/api/v1/otlp/v1/metrics', '/v1/logs', '/v1/metrics', '/v1/traces']
const API_ONLY = [
  ['POST', '/api/v1/apm/rum'],
  ['POST', '/api/v1/apm/metrics'],
  ['POST', '/api/v1/apm/errors'],
  ['POST', '/api/v1/logs/query'],
  ['GET', '/api/v1/logs/levels'],
  ['POST', '/api/v1/query'],
  ['GET', '/api/v1/apm/rum'],
  ['POST', '/api/v1/auth/login'],
  ['POST', '/graphql']
] as const

async function statusAt(base: string, method: string, path: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': service.first.ingestKey }
  return (await fetch(base + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })).status
}

describe('an ingest port of its own', () => {
  it('is not the port of the API', () => {
    expect(service.ingestUrl).not.toBe(service.url)
  })

  it.each(INGEST_ONLY)('takes %s there only', async path => {
    expect(await statusAt(service.url, 'POST', path)).toBe(404)
    expect(await statusAt(service.ingestUrl, 'POST', path)).toBe(400)
  })

  it.each(OTLP)('takes OTLP at %s there only', async path => {
    expect(await statusAt(service.url, 'POST', path)).toBe(404)
    // Without any resource the request is good and empty.
    expect(await statusAt(service.ingestUrl, 'POST', path)).toBe(200)
  })

  it.each(API_ONLY)('takes %s %s on the API port only', async (method, path) => {
    expect(await statusAt(service.ingestUrl, method, path)).toBe(404)
    expect(await statusAt(service.url, method, path)).not.toBe(404)
  })

  it('serves health and metrics on both', async () => {
    for (const url of [service.url, service.ingestUrl]) {
      expect(await statusAt(url, 'GET', '/health/ready')).toBe(200)
      expect(await statusAt(url, 'GET', '/metrics')).toBe(200)
    }
  })

  it('finds over the API what came in there', async () => {
    const headers = { 'x-api-key': service.first.ingestKey }
    const sent = await service.ingest('/api/v1/logs?ack=searchable', {
      method: 'POST',
      json: { message: 'through the other door' },
      headers
    })
    expect(sent.json).toMatchObject({ status: 'ok', accepted: 1 })
    const found = await service.api('/api/v1/logs/query', {
      method: 'POST',
      json: { query: 'door' },
      headers: await service.login()
    })
    expect(found.json).toMatchObject({ logs: [{ message: 'through the other door' }] })
  })
})
