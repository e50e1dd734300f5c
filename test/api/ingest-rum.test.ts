import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'

const PATH = '/api/v1/apm/rum'
const EVENT = { page_url: 'https://shop.example/product/7?x=1', largest_contentful_paint_ms: 1200 }

const MAX_BYTES = 1024 * 1024

let service: IngestService
beforeAll(async () => {
  service = await openIngestService({ rumPerAddress: 2, rumPerKey: 1000 })
})
afterAll(() => service.close())

function post(headers: Record<string, string>, path = PATH, json: unknown = EVENT): Promise<CheckedResponse> {
  // Each test has the whole of its limit.
  service.clock.aheadMs += 60_000
  return service.api(path, { method: 'POST', json, headers })
}

describe('a page view from a browser', () => {
  it('is allowed by its preflight for any origin, without credentials', async () => {
    const response = await service.api(PATH, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('POST')
    expect(response.headers.get('access-control-allow-headers')).toContain('x-api-key')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('responds so that the page can read it, refusals too', async () => {
    for (const response of [await post({ 'x-api-key': 'rum' }), await post({}), await post({ 'x-api-key': 'rum' }, PATH, {})]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it('sent as a beacon returns 204 without a body', async () => {
    service.clock.aheadMs += 60_000
    const headers = { 'content-type': 'text/plain;charset=UTF-8' }
    const response = await service.api(`${PATH}?key=rum`, { method: 'POST', body: JSON.stringify(EVENT), headers })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.get('x-resolved-namespace')).toBe('prod')
  })

  it('without page_url is refused', async () => {
    expect((await post({ 'x-api-key': 'rum' }, PATH, { load_time_ms: 1 })).json).toMatchObject({
      status: 400,
      code: 'missing_field'
    })
  })

  it.each([
    ['sent as it is', (text: string) => Buffer.from(text), {}],
    ['compressed', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }]
  ])('of more than a record can have is refused, %s', async (_, encode, encoding: Record<string, string>) => {
    const text = (bytes: number): string => JSON.stringify(EVENT).padEnd(bytes)
    const headers = { 'x-api-key': 'rum', 'content-type': 'application/json', ...encoding }
    const send = (bytes: number): Promise<CheckedResponse> =>
      service.api(PATH, { method: 'POST', body: encode(text(bytes)) as unknown as string, headers })
    service.clock.aheadMs += 60_000
    expect((await send(MAX_BYTES)).status).toBe(200)
    expect((await send(MAX_BYTES + 1)).json).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      detail: `body exceeds the limit of ${MAX_BYTES} bytes, before or after decompression; send less in one request`
    })
  })

  it('is stored with its group', async () => {
    const response = await post({ 'x-api-key': 'rum' })
    const id = `${String(response.json?.['ingest_id'])}0000000` as Parameters<typeof service.stores.events.getRum>[1]
    expect(await service.stores.events.getRum(namespaceId('prod'), id)).toMatchObject({
      pageUrl: EVENT.page_url,
      pageGroup: 'https://shop.example/product/:id'
    })
  })
})

describe('the namespace of a page view', () => {
  it.each<[string, Record<string, string>, string]>([
    ['the key’s', { 'x-api-key': 'rum' }, 'prod api_key'],
    ['the key’s, repeated', { 'x-api-key': 'rum', 'x-namespace-id': namespaceId('prod') }, 'prod api_key'],
    ['another than the key’s', { 'x-api-key': 'rum', 'x-namespace-id': namespaceId('stage') }, 'namespace_not_allowed'],
    ['the session’s', { authorization: 'Bearer user' }, 'stage session'],
    ['the header’s for a session', { authorization: 'Bearer user', 'x-namespace-id': namespaceId('prod') }, 'prod header'],
    [
      'one of others for a session',
      { authorization: 'Bearer user', 'x-namespace-id': namespaceId('foreign') },
      'namespace_not_allowed'
    ]
  ])('is %s', async (_name, headers, expected) => {
    const { json } = await post(headers)
    expect(json?.['code'] ?? `${String(json?.['namespace'])} ${String(json?.['namespace_source'])}`).toBe(expected)
  })
})

describe('many page views from one address', () => {
  it('are limited to ten seconds’ worth at once', async () => {
    service.clock.aheadMs += 60_000
    const send = (): Promise<CheckedResponse> =>
      service.api(PATH, { method: 'POST', json: EVENT, headers: { 'x-api-key': 'rum' } })
    for (let i = 0; i < 20; i++) expect((await send()).status).toBe(200)
    let refused = await send()
    // The bucket earns while it is emptied.
    for (let i = 0; i < 20 && refused.status === 200; i++) refused = await send()
    expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited', retryable: true })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toMatch(/^"rum-address";r=0;t=\d+$/)
  })
})
