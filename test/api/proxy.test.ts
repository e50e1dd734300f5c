import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

const PASSWORD = 'correct horse battery'

let service: RunningService
async function start(flags: readonly string[]): Promise<void> {
  service = await startService({ flags: ['--registration', 'open', ...flags] })
}

async function countryOf(headers: Record<string, string>): Promise<unknown> {
  const response = await service.api('/api/v1/apm/rum?dry_run=true', {
    method: 'POST',
    json: { page_url: 'https://shop.example/' },
    headers: { 'x-api-key': service.app.firstCredentials!.ingestKey, ...headers }
  })
  expect(response.status).toBe(200)
  return (response.json['records'] as readonly { readonly country?: string }[])[0]!.country ?? null
}

async function register(name: string, address: string): Promise<number> {
  const json = { email: `${name}@example.com`, password: PASSWORD }
  const headers = { 'x-forwarded-for': address }
  return (await service.api('/api/v1/auth/register', { method: 'POST', json, headers })).status
}

describe('behind a trusted proxy', () => {
  beforeAll(() => start(['--trusted-proxies', 'loopback']))
  afterAll(() => service.close())

  it.each([
    ['that Cloudflare sends', { 'cf-ipcountry': 'DE' }, 'DE'],
    ['that another proxy sends', { 'x-country-code': 'fr' }, 'FR'],
    ['is missing when the proxy does not know it', { 'cf-ipcountry': 'XX' }, null],
    ['is missing when it is not a country', { 'cf-ipcountry': 'T1' }, null],
    ['is missing when no proxy sends it', {}, null]
  ])('the country of a page view is the one %s', async (_what, headers, expected) => {
    expect(await countryOf({ 'x-forwarded-for': '203.0.113.7', ...headers })).toBe(expected)
  })

  it('has no country when the proxy itself is the client', async () => {
    expect(await countryOf({ 'cf-ipcountry': 'DE' })).toBeNull()
  })

  it('counts registrations by the address of the client', async () => {
    for (let i = 0; i < 5; i++) expect(await register(`a${i}`, '203.0.113.7')).toBe(201)
    expect(await register('late', '203.0.113.7')).toBe(429)
    expect(await register('late', '203.0.113.8')).toBe(201)
  })
})

describe('without trusted proxies', () => {
  beforeAll(() => start([]))
  afterAll(() => service.close())

  it('a header sets no country', async () => {
    expect(await countryOf({ 'x-forwarded-for': '203.0.113.7', 'cf-ipcountry': 'DE' })).toBeNull()
  })

  it('a header does not hide the address that registers', async () => {
    for (let i = 0; i < 5; i++) expect(await register(`a${i}`, `203.0.113.${i}`)).toBe(201)
    expect(await register('late', '203.0.113.9')).toBe(429)
  })
})
