import { once } from 'node:events'
import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

const TEN_MIB = 10 * 1024 * 1024

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service.close())

/** Announces a body and sends none of it yet. */
function announce(
  path: string,
  headers: Record<string, string>,
  length: number
): { call: ClientRequest; status: Promise<number> } {
  const all = { 'content-type': 'application/json', 'content-length': String(length), ...headers }
  const call = request(`${service.url}${path}`, { method: 'POST', headers: all })
  const status = new Promise<number>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', response => {
      response.resume()
      resolve(response.statusCode!)
    })
  })
  call.flushHeaders()
  return { call, status }
}

async function makeKey(kind: string): Promise<{ readonly id: string; readonly key: string }> {
  const result = await service.api('/api/v1/keys', { method: 'POST', json: { name: kind, kind }, headers: service.session })
  return result.json as { id: string; key: string }
}

describe('a caller without a credential', () => {
  it.each([
    '/api/v1/logs',
    '/api/v1/logs/batch',
    '/api/v1/ingest',
    '/api/v1/apm/rum',
    '/api/v1/apm/metrics',
    '/api/v1/logs/query',
    '/api/v1/logs/facets',
    '/api/v1/aggregate',
    '/api/v1/measures',
    '/api/v1/views',
    '/api/v1/compare',
    '/api/v1/query',
    '/api/v1/keys',
    '/api/v1/namespaces'
  ])('is refused by %s before the body has come', async path => {
    const { call, status } = announce(path, {}, TEN_MIB)
    expect(await status).toBe(401)
    call.destroy()
  })

  it.each([
    ['GET', '/api/v1/logs/services?limit=many'],
    ['GET', '/api/v1/apm/rum?group_by=nothing'],
    ['GET', '/api/v1/apm/errors?limit=0'],
    ['POST', '/api/v1/logs/query'],
    ['POST', '/api/v1/query'],
    ['POST', '/api/v1/keys']
  ])('hears of that first, and of its other faults with a credential: %s %s', async (method, path) => {
    const send = async (headers: Record<string, string>): Promise<number> =>
      (await service.api(path, { method, headers, ...(method === 'POST' ? { json: [] } : {}) })).status
    expect(await send({})).toBe(401)
    expect(await send({ 'x-api-key': service.first.ingestKey })).toBe(403)
    expect(await send(service.session)).toBe(400)
  })
})

describe('a credential', () => {
  it('of the wrong kind is refused before the body has come', async () => {
    const { key } = await makeKey('query')
    const { call, status } = announce('/api/v1/logs', { 'x-api-key': key }, TEN_MIB)
    expect(await status).toBe(403)
    call.destroy()
  })

  it('that is revoked while the body comes writes nothing', async () => {
    const { id, key } = await makeKey('ingest')
    const body = JSON.stringify({ message: 'too late' })
    const { call, status } = announce('/api/v1/logs', { 'x-api-key': key, expect: '100-continue' }, body.length)
    // The key has been looked at.
    await once(call, 'continue')
    call.write(body.slice(0, 5))
    expect((await service.api(`/api/v1/keys/${id}`, { method: 'DELETE', headers: service.session })).status).toBeLessThan(300)
    call.end(body.slice(5))
    expect(await status).toBe(401)
  })
})
