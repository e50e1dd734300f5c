import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MIN_COMPRESSED_BYTES } from '../../src/http/compress-response.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

interface SentResponse {
  readonly status: number | undefined
  readonly coding: string | undefined
  readonly vary: string | undefined
  readonly length: number
  readonly body: Buffer
}

let service: RunningService
let token: string
let large: string
beforeAll(async () => {
  service = await startService()
  token = (await service.login()).authorization
  large = await queryFor(MIN_COMPRESSED_BYTES)
})
afterAll(async () => service?.close())

/** The bytes as sent: `fetch` decodes them. */
function post(query: string, accepted: string | null): Promise<SentResponse> {
  const headers = { authorization: token, 'content-type': 'application/json', ...(accepted && { 'accept-encoding': accepted }) }
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}/graphql`, { method: 'POST', headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { vary, 'content-encoding': coding, 'content-length': length } = response.headers
        resolve({ status: response.statusCode, coding, vary, length: Number(length), body: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject).end(JSON.stringify({ query }))
  })
}

/** A query whose response has exactly so many bytes. */
async function queryFor(bytes: number): Promise<string> {
  const { length } = await post('{ a: __typename }', null)
  return `{ ${'a'.repeat(bytes - length + 1)}: __typename }`
}

describe('a large response of GraphQL', () => {
  it('is compressed for a client that accepts gzip', async () => {
    const { body: plain, ...whole } = await post(large, null)
    expect(whole).toEqual({ status: 200, coding: undefined, vary: 'accept-encoding', length: plain.length })
    const { body: packed, ...coded } = await post(large, 'br, gzip;q=0.8')
    expect(coded).toEqual({ status: 200, coding: 'gzip', vary: 'accept-encoding', length: packed.length })
    expect(packed.length).toBeLessThan(plain.length / 2)
    expect(gunzipSync(packed).equals(plain)).toBe(true)
  })

  it.each([[null], ['identity'], ['br'], ['gzip;q=0']])('is sent as it is for Accept-Encoding %s', async accepted => {
    const { coding, body } = await post(large, accepted)
    expect([coding, (JSON.parse(body.toString()) as { data: object }).data]).toEqual([undefined, expect.any(Object)])
  })

  it('is compressed when it is an error, too', async () => {
    const { coding, body } = await post(`{ ${'x'.repeat(MIN_COMPRESSED_BYTES)} }`, 'gzip')
    expect([coding, gunzipSync(body).toString()]).toEqual(['gzip', expect.stringContaining('Cannot query field')])
  })
})

describe('a small response of GraphQL', () => {
  it('is sent as it is', async () => {
    const { coding, vary, body } = await post(await queryFor(MIN_COMPRESSED_BYTES - 1), 'gzip')
    expect([coding, vary, body.length]).toEqual([undefined, undefined, MIN_COMPRESSED_BYTES - 1])
  })
})
