import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'node:http'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

/** Headers of `fetch` cannot name the host: requests go out by `node:http`. */
function send(
  service: RunningService,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(service.url)
  const json = body === undefined ? undefined : JSON.stringify(body)
  const all = { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method: json === undefined ? 'GET' : 'POST', headers: all }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode!, text }))
    })
    sent.on('error', reject)
    sent.end(json)
  })
}

let users = 0
const person = (): object => ({ email: `user${users++}@example.com`, password: 'correct horse battery' })

const PROXIED = [
  ['Forwarded', { forwarded: 'for=203.0.113.7' }],
  ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.7' }],
  ['X-Forwarded-Proto', { 'X-FORWARDED-PROTO': 'https' }],
  ['Via', { via: '1.1 proxy' }],
  ['X-Real-IP', { 'x-real-ip': '203.0.113.7' }],
  ['CF-Connecting-IP', { 'cf-connecting-ip': '203.0.113.7' }],
  ['another host', { host: 'logs.example.com' }],
  ['a host that looks like loopback', { host: '127.0.0.1.example.com' }]
] as const
const LOCAL = [
  ['no header', {}],
  ['localhost', { host: 'localhost:8080' }],
  ['IPv6', { host: '[::1]:8080' }],
  ['another address of the loopback network', { host: '127.8.9.1' }]
] as const

describe('on a loopback address, with no word of the operator', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service?.close()
  })

  it.each(PROXIED)('a request with %s neither registers nor reads the metrics', async (_name, headers) => {
    const registered = await send(service, '/api/v1/auth/register', headers, person())
    expect([registered.status, (JSON.parse(registered.text) as { code: string }).code]).toEqual([403, 'role_required'])
    expect(registered.text).toContain('came through a proxy')
    expect((await send(service, '/metrics', headers)).status).toBe(403)
    expect((await send(service, '/api/v1/metrics', headers)).status).toBe(403)
  })

  it.each(LOCAL)('a request with %s does both', async (_name, headers) => {
    expect((await send(service, '/api/v1/auth/register', headers, person())).status).toBe(201)
    expect((await send(service, '/metrics', headers)).status).toBe(200)
  })
})

describe('where the operator opened both', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ flags: ['--registration', 'open', '--metrics-access', 'open'] })
  })
  afterAll(() => service?.close())

  it('a request through a proxy registers and reads the metrics', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', host: 'logs.example.com' }
    expect((await send(service, '/api/v1/auth/register', headers, person())).status).toBe(201)
    expect((await send(service, '/metrics', headers)).status).toBe(200)
  })
})

describe('metrics behind a token', () => {
  let service: RunningService
  const token = 'a-token-of-metrics'
  beforeAll(async () => {
    service = await startService({ env: { ALIDADE_METRICS_TOKEN: token } })
  })
  afterAll(() => service?.close())

  it.each([
    [{}, 401],
    [{ authorization: 'Bearer another-token-of-metrics' }, 401],
    [{ authorization: `Basic ${token}` }, 401],
    [{ authorization: `Bearer ${token}` }, 200],
    [{ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' }, 200]
  ])('respond to %j with %d', async (headers: Readonly<Record<string, string>>, status) => {
    expect((await send(service, '/metrics', headers)).status).toBe(status)
  })
})

describe('metrics that are off', () => {
  it('are not found', async () => {
    const service = await startService({ flags: ['--metrics-access', 'off'] })
    try {
      expect((await service.api('/metrics')).status).toBe(404)
    } finally {
      await service.close()
    }
  })
})
