import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { StoredLog } from '../../src/domain/records/log.js'
import { DEFAULT_INGEST_LIMITS } from '../../src/ingest/limits.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'

const LIMIT = DEFAULT_INGEST_LIMITS.bodyBytes

let service: IngestService
beforeAll(async () => {
  service = await openIngestService()
})
afterAll(() => service.close())

function send(body: string | Buffer, headers: Record<string, string> = {}, path = '/api/v1/logs'): Promise<CheckedResponse> {
  return service.api(path, {
    method: 'POST',
    body: body as string,
    headers: { 'x-api-key': 'ingest', 'content-type': 'application/json', ...headers }
  })
}

/** The log of one write, read back through the store. */
async function readBack(result: CheckedResponse, namespace = 'prod'): Promise<StoredLog | null> {
  const id = `${String(result.json?.['ingest_id'])}0000000`
  return service.stores.logs.get(namespaceId(namespace), id as StoredLog['id'])
}

/** One record of exactly so many bytes. */
function record(bytes: number): string {
  const frame = '{"message":""}'
  return `{"message":"${'x'.repeat(bytes - frame.length)}"}`
}

/** Own members in the order of their names; `__proto__` is one of them. */
function members(object: object): readonly string[] {
  return Object.entries(object)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
}

describe('a compressed body', () => {
  const plain = Buffer.from('{"message":"compressed"}')
  it.each<[string, Buffer]>([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain]
  ])('of %s is read', async (encoding, body) => {
    const result = await send(body, { 'content-encoding': encoding })
    expect(result.status).toBe(200)
    expect((await readBack(result))?.message).toBe('compressed')
  })

  it.each(['zstd', 'compress', 'gzip, gzip'])('of %s is not taken', async encoding => {
    expect((await send(plain, { 'content-encoding': encoding })).json).toMatchObject({
      status: 415,
      code: 'unsupported_media_type'
    })
  })

  it.each<[string, Buffer]>([
    ['that is not compressed', plain],
    ['truncated', gzipSync(plain).subarray(0, 20)],
    ['of nothing', Buffer.alloc(1)]
  ])('%s is refused', async (_name, body) => {
    expect((await send(body, { 'content-encoding': 'gzip' })).json).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync]
  ])('of %s may be as large as the limit, decompressed, and not a byte larger', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding }
    expect((await send(compress(Buffer.from(record(LIMIT))), headers)).status).toBe(200)
    expect((await send(compress(Buffer.from(record(LIMIT + 1))), headers)).json).toMatchObject({
      status: 413,
      code: 'payload_too_large'
    })
  })

  it('that is a bomb is stopped early', async () => {
    const bomb = gzipSync(Buffer.alloc(400 * 1024 * 1024, 0x20))
    const before = process.memoryUsage().rss
    expect((await send(bomb, { 'content-encoding': 'gzip' })).json).toMatchObject({ status: 413, code: 'payload_too_large' })
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })
})

describe('a content type', () => {
  it.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'application/vnd.shop+json'])(
    '%s is JSON',
    async type => {
      expect((await send('{"message":"x"}', { 'content-type': type })).status).toBe(200)
    }
  )

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/x-ndjson',
    'application/json; charset=latin1',
    'multipart/form-data'
  ])('%s is not taken for one log', async type => {
    expect((await send('{"message":"x"}', { 'content-type': type })).json).toMatchObject({
      status: 415,
      code: 'unsupported_media_type'
    })
  })

  it('that is missing means JSON', async () => {
    const response = await fetch(`${service.url}/api/v1/logs`, {
      method: 'POST',
      headers: { 'x-api-key': 'ingest' },
      body: Buffer.from('{"message":"x"}')
    })
    expect(response.status).toBe(200)
  })
})

describe('the size of a body', () => {
  it('may be the limit and not a byte more', async () => {
    expect((await send(record(LIMIT))).status).toBe(200)
    expect((await send(record(LIMIT + 1))).json).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  it('accepts 10,000 records and not one more', async () => {
    const batch = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, i) => ({ message: `m${i}` })))
    expect((await send(batch(10_000), {}, '/api/v1/logs/batch')).json).toMatchObject({ accepted: 10_000 })
    expect((await send(batch(10_001), {}, '/api/v1/logs/batch')).json).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe('a hostile body', () => {
  const deep = (open: string, close: string): string => `{"message":"x","a":${open.repeat(200_000)}1${close.repeat(200_000)}}`
  const keys = `{"message":"x",${Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join(',')}}`

  it.each<[string, string | Buffer, string]>([
    ['nested in arrays', deep('[', ']'), 'record_too_large'],
    ['nested in objects', deep('{"a":', '}'), 'record_too_large'],
    ['of 200,000 keys', keys, 'record_too_large'],
    ['that is empty', '', 'invalid_json'],
    ['of blanks', '   ', 'invalid_json'],
    ['of NUL bytes', Buffer.alloc(100), 'invalid_json'],
    ['of brackets', '['.repeat(1_000_000), 'record_too_large'],
    ['with a raw NUL in a text', Buffer.from('{"message":"a\0b"}'), 'invalid_json']
  ])('%s gets its documented error', async (_name, body, code) => {
    expect((await send(body)).json).toMatchObject({ status: 400, code })
  })

  it('does not take a good record with it', async () => {
    const { json } = await send(`[{"message":"good"},${deep('[', ']')},${keys},{"message":"good"}]`, {}, '/api/v1/logs/batch')
    expect(json).toMatchObject({ accepted: 2, rejected: 2, rejected_by_code: { record_too_large: 2 } })
  })
})

describe('an odd body', () => {
  it.each<[string, string | Buffer, string]>([
    ['a NUL escape', '{"message":"a\\u0000b"}', 'a\0b'],
    ['lone surrogates', '{"message":"\\ud800 and \\udc00"}', '\ufffd and \ufffd'],
    ['bytes that are not UTF-8', Buffer.from([...Buffer.from('{"message":"a'), 0xc3, 0x28, ...Buffer.from('"}')]), 'a\ufffd('],
    ['an emoji as escapes', '{"message":"\\ud83d\\ude00"}', '\u{1f600}']
  ])('with %s is kept as text', async (_name, body, message) => {
    const result = await send(body)
    expect(result.status).toBe(200)
    expect((await readBack(result))?.message).toBe(message)
  })

  it('keeps odd names, NULs, surrogates and large integers of log_fields as data', async () => {
    const fields =
      '{"__proto__":{"x":1},"constructor":"c","":"empty","a\\u0000b":"\\u0000","s":"\\ud800","n":9223372036854775807}'
    const result = await send(`{"message":"odd","log_fields":${fields}}`)
    expect(result.status).toBe(200)
    const expected =
      '{"__proto__":{"x":1},"constructor":"c","":"empty","a\\u0000b":"\\u0000","s":"\\ufffd","n":"9223372036854775807"}'
    expect(members((await readBack(result))!.fields)).toEqual(members(JSON.parse(expected) as object))
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('leaves the service responding and earlier data intact', async () => {
    const result = await send('{"message":"still here"}')
    expect((await readBack(result))?.message).toBe('still here')
  })

  it('does not spoil searches of log_fields', async () => {
    const range = { startNs: 0n, endNs: 1n << 62n }
    const field = { in: 'free', name: 'n' } as const
    const filter = { kind: 'eq', field, value: '9223372036854775807' } as const
    const facets = [{ field, filter: { kind: 'and', of: [] } as const, limit: 5 }]
    const found = await service.stores.logs.search(
      namespaceId('prod'),
      { range, filter, total: true, facets },
      new AbortController().signal
    )
    expect(found.total?.value).toBe(1)
    expect(found.facets?.[0]?.values).toMatchObject([{ value: '9223372036854775807', count: 1 }])
  })
})
