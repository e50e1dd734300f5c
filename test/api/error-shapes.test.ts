import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { ApiFetch } from '../support/api-fetch.js'
import { createApiFetch } from '../support/api-fetch.js'
import type { ServedRoutes } from '../support/serve-routes.js'
import { serveRoutes } from '../support/serve-routes.js'

let served: ServedRoutes
let api: ApiFetch

beforeAll(async () => {
  served = await serveRoutes(app => {
    const response = { 200: { type: 'object', properties: { seen: {} } } }
    const body = {
      type: 'object',
      required: ['name', 'size'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer' },
        list: { type: 'array', items: { type: 'integer' } },
        step: { type: ['string', 'number'] }
      }
    }
    const querystring = {
      type: 'object',
      properties: { limit: { type: 'integer', maximum: 5 }, level: { type: 'array', items: { type: 'string' } } }
    }
    app.post('/api/v1/things', { schema: { body, response } }, async request => ({ seen: request.body }))
    app.get('/api/v1/things/:id', { schema: { querystring, response } }, async request => ({ seen: request.query }))
    app.post('/api/v1/fails/:how', { schema: { response } }, async request => {
      const { how } = request.params as { how: string }
      if (how === 'unknown') throw new TypeError('secret detail')
      if (how === 'disk') throw new Error('write failed', { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) })
      if (how === 'busy') throw new GatewayError('overloaded', 'the queue is full', { retryAfterS: 2.5 })
      throw new GatewayError('expired_credential', 'the token has expired')
    })
  })
  api = await createApiFetch(served.url)
})
afterAll(() => served.close())

it('names all types that a field may have', async () => {
  const body = JSON.stringify({ name: 'a', size: 1, step: [] })
  const result = await api('/api/v1/things', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(result.json).toMatchObject({ status: 400, detail: 'step must be a string or a number' })
})

describe('paths and methods', () => {
  it('responds to an unknown path with a 404 problem that names the request', async () => {
    const result = await api('/nothing/here')
    expect(result.headers.get('content-type')).toBe('application/problem+json')
    expect(result.json).toMatchObject({
      type: '/problems/not-found',
      status: 404,
      code: 'not_found',
      retryable: false,
      errors: [],
      suggestions: []
    })
    expect(result.json['instance']).toBe(`/requests/${result.headers.get('x-request-id')}`)
  })

  it.each([
    ['/api/v1/thing', ['/api/v1/things']],
    ['/api/v1/things/5/', ['/api/v1/things/5']],
    ['/things', ['/api/v1/things/:id', '/api/v1/things']],
    ['/api/v2/fail/disk?key=x', ['/api/v1/fails/disk']],
    [`/${'x'.repeat(200)}`, []]
  ])('responds to %s with the paths that may have been meant', async (path, suggestions) => {
    expect((await api(path)).json).toMatchObject({ status: 404, suggestions })
  })

  it('responds to a wrong method with 405 and the methods that work', async () => {
    const result = await api('/api/v1/things/5', { method: 'DELETE' })
    expect(result.status).toBe(405)
    expect(result.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(result.json).toMatchObject({ code: 'method_not_allowed' })
  })

  it('responds to OPTIONS with the methods of the path', async () => {
    const result = await api('/api/v1/things', { method: 'OPTIONS' })
    expect([result.status, result.headers.get('allow')]).toEqual([204, 'OPTIONS, POST'])
  })

  it('handles HEAD as GET without a body', async () => {
    const result = await fetch(`${served.url}/api/v1/things/1`, { method: 'HEAD' })
    expect([result.status, await result.text()]).toEqual([200, ''])
  })
})

describe('bodies and queries', () => {
  it('names every missing field of a small body', async () => {
    const result = await api('/api/v1/things', { method: 'POST', json: {} })
    expect(result.json).toMatchObject({
      code: 'missing_field',
      errors: [{ code: 'missing_field', field: 'name' }, { field: 'size' }]
    })
  })

  it('does not turn text of a body into numbers', async () => {
    const result = await api('/api/v1/things', { method: 'POST', json: { name: 'a', size: '5' } })
    expect(result.json).toMatchObject({
      status: 400,
      code: 'invalid_field',
      errors: [{ field: 'size', detail: 'size must be an integer' }]
    })
  })

  it('stops at the first fault of a large body', async () => {
    const result = await api('/api/v1/things', {
      method: 'POST',
      json: { name: 'a', size: 1, list: Array.from({ length: 50_000 }, () => 'x') }
    })
    expect(result.json['errors']).toHaveLength(1)
  })

  it('coerces text of the query and names the place of a fault', async () => {
    const good = await api('/api/v1/things/1?limit=5&level=error')
    expect(good.json).toEqual({ seen: { limit: 5, level: ['error'] } })
    const bad = await api('/api/v1/things/1?limit=6')
    expect(bad.json).toMatchObject({ status: 400, errors: [{ field: 'query.limit' }] })
  })

  it.each([
    ['broken JSON', '{"a":', 'invalid_json'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalid_json'],
    ['deep nesting', '['.repeat(200_000), 'invalid_json'],
    ['no body', '', 'invalid_field']
  ])('returns 400 to %s', async (_name, body, code) => {
    const result = await api('/api/v1/things', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect(result.json).toMatchObject({ status: 400, code })
  })

  it('keeps __proto__ of a body from changing anything', async () => {
    const body = '{"name":"a","size":1,"__proto__":{"polluted":true}}'
    const result = await api('/api/v1/things', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect(result.status).toBe(200)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('keeps the digits of whole numbers beyond 2^53', async () => {
    const body = '{"name":"a","size":1,"at":1700000000123456789}'
    const result = await api('/api/v1/things', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect(result.text).toContain('1700000000123456789')
  })

  it('returns 415 to another content type and to a compressed body', async () => {
    const text = await api('/api/v1/things', { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' } })
    const gzip = await api('/api/v1/things', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    })
    expect([text.json['code'], gzip.json['code']]).toEqual(['unsupported_media_type', 'unsupported_media_type'])
  })

  it('returns 413 to a body over the limit', async () => {
    const result = await api('/api/v1/things', { method: 'POST', json: { name: 'x'.repeat(10 * 1024 * 1024) } })
    expect(result.json).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe('failures', () => {
  it('hides the cause of an unknown failure', async () => {
    const result = await api('/api/v1/fails/unknown', { method: 'POST' })
    expect([result.status, result.text.includes('secret')]).toEqual([500, false])
  })

  it('returns 503 storage_full when the disk is', async () => {
    expect((await api('/api/v1/fails/disk', { method: 'POST' })).json).toMatchObject({
      status: 503,
      code: 'storage_full',
      retryable: true
    })
  })

  it('sends Retry-After in whole seconds with 503', async () => {
    expect((await api('/api/v1/fails/busy', { method: 'POST' })).headers.get('retry-after')).toBe('3')
  })

  it('sends WWW-Authenticate with 401', async () => {
    const result = await api('/api/v1/fails/expired', { method: 'POST' })
    expect(result.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('responds to a bad path escape with a problem', async () => {
    const result = await fetch(`${served.url}/api/v1/things/%ff%zz`)
    expect([result.status, result.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  })

  it('responds to what is not HTTP with a problem', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    socket.end('what is this\r\n\r\n')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nX-Request-Id: .*"status":400/s)
  })
})
