import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const LOGS = '/api/v1/logs/query'
const messages = (response: Readonly<Record<string, unknown>>) =>
  (response['logs'] as readonly { message: string }[]).map(log => log.message)
const agoIso = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

describe('retention', () => {
  let service: ReadingService
  beforeAll(async () => {
    service = await startReadingService()
    await service.write('/api/v1/logs/batch', {
      logs: [3, 2, 0].map(hours => ({ message: `${hours} hours old`, timestamp: agoIso(hours), trace_id: 't' }))
    })
    await service.write('/api/v1/ingest', { name: 'm', value: 1, timestamp_ns: `${Date.now() - 3 * 3_600_000}000000` })
    const auth = await service.login()
    const path = `/api/v1/namespaces/${service.first.namespaceId}`
    const patched = await service.api(path, {
      method: 'PATCH',
      json: { retention: { logs: '150m', metrics: '1h' } },
      headers: auth
    })
    expect(patched.status).toBe(200)
  })
  afterAll(() => service.close())

  it('holds at reading, before the files are gone, and reports that it cut the window', async () => {
    const response = await service.ok(service.post(LOGS, { start: 'now-1d' }))
    expect(messages(response)).toEqual(['0 hours old', '2 hours old'])
    expect(response).toMatchObject({ complete: false, warnings: [expect.stringMatching(/^logs before .* retention$/)] })
  })

  it('responds to a window that is past it with nothing, and reports why', async () => {
    expect(await service.ok(service.post(LOGS, { start: 'now-5h', end: 'now-4h', total: true }))).toMatchObject({
      ...{ logs: [], total: { value: 0 }, complete: false }
    })
  })

  it('bounds what all of a trace means', async () => {
    const response = await service.ok(service.get('/api/v1/logs/correlate/traces/t'))
    expect(messages(response)).toEqual(['2 hours old', '0 hours old'])
    expect(response).toMatchObject({ complete: true })
  })

  it('is its own for each signal', async () => {
    const response = await service.ok(service.post('/api/v1/query', { metric: 'm', start: 'now-1d' }))
    expect(response).toMatchObject({ series: [], complete: false, warnings: [expect.stringMatching(/^metrics before/)] })
  })
})

describe('a cursor', () => {
  it('goes on where it was after a restart, while new logs arrive', async () => {
    const folder = await openTempFolder()
    const first = await startReadingService({ dataDir: folder.path })
    await first.write('/api/v1/logs/batch', { logs: [4, 3, 2, 1].map(n => ({ message: `m${n}`, timestamp: agoIso(n / 100) })) })
    const before = await first.ok(first.post(LOGS, { start: 'now-15m', limit: 2 }))
    await first.write('/api/v1/logs', { message: 'late', timestamp: agoIso(0.015) })
    await first.close()
    const second = await startReadingService({ dataDir: folder.path, as: first.first })
    try {
      const { next_cursor: cursor } = before['page'] as { next_cursor: string }
      const after = await second.ok(second.post(LOGS, { start: 'now-15m', limit: 10, cursor }))
      expect([...messages(before), ...messages(after)]).toEqual(['m1', 'm2', 'm3', 'm4'])
      expect(after['window']).toEqual(before['window'])
    } finally {
      await second.close()
      await folder.remove()
    }
  })
})

describe('the rate of queries', () => {
  it('is limited per namespace, with a time to come back', async () => {
    const service = await startReadingService({ flags: ['--rate-queries', '2'] })
    try {
      const responses = await Promise.all(Array.from({ length: 8 }, () => service.post(LOGS, { limit: 0 })))
      const refused = responses.filter(response => response.status === 429)
      expect(responses.length - refused.length).toBeGreaterThanOrEqual(2)
      expect(refused[0]!.json).toMatchObject({
        code: 'rate_limited',
        retryable: true,
        detail: expect.stringMatching(/2 per second/)
      })
      expect(refused[0]!.headers.get('retry-after')).toBe('1')
    } finally {
      await service.close()
    }
  })
})

describe('a parameter that a read does not know', () => {
  let service: ReadingService
  beforeAll(async () => {
    service = await startReadingService()
  })
  afterAll(() => service.close())

  it.each([
    ['/api/v1/logs/levels?limt=1', 'limt', ['limit']],
    ['/api/v1/logs/services?limit=1&serivce=a&serivce=b', 'serivce', ['service']],
    ['/api/v1/logs/correlate/traces/t?spanid=1', 'spanid', ['span_id']],
    ['/api/v1/apm/rum?groupby=page', 'groupby', ['group_by']],
    ['/api/v1/apm/metrics?steps=1m', 'steps', ['step']],
    ['/api/v1/apm/errors?finger_print=x', 'finger_print', ['fingerprint']],
    ['/api/v1/apm/errors?__proto__=x', '__proto__', []]
  ])('is refused by %s as an unknown member of a body is', async (path, name, suggestions) => {
    const response = await service.get(path)
    const field = `query.${name}`
    const detail = `the parameter ${name} is unknown`
    expect(response.json).toMatchObject({ status: 400, code: 'invalid_field', detail, suggestions, errors: [{ field }] })
  })

  it('is refused next to a body too', async () => {
    const response = await service.post(`${LOGS}?limit=5`, {})
    expect(response.json).toMatchObject({ status: 400, errors: [{ field: 'query.limit' }] })
    expect((await service.post(LOGS, { limt: 5 })).json).toMatchObject({ suggestions: ['limit'], errors: [{ field: 'limt' }] })
    expect((await service.post(LOGS, { from: 'now-1h', size: 5 })).json).toMatchObject({ suggestions: ['start', 'limit'] })
  })
})

describe('bodies of queries', () => {
  let service: ReadingService
  let headers: { readonly authorization: string }
  beforeAll(async () => {
    service = await startReadingService()
    headers = await service.login()
  })
  afterAll(() => service.close())

  // Of JSON, 10 MiB of members took 1.5 s to be read, for anybody.
  it.each(['/api/v1/auth/login', '/api/v1/query', LOGS, '/api/v1/keys'])(
    'of more than 256 KiB are refused unread: %s',
    async path => {
      const reply = await service.api(path, {
        method: 'POST',
        json: { email: 'x'.repeat(256 * 1024) },
        headers
      })
      expect([reply.status, reply.json]).toMatchObject([413, { code: 'payload_too_large' }])
    }
  )

  it('are refused as forms, too', async () => {
    const body = new URLSearchParams({ query: 'x'.repeat(256 * 1024) })
    const url = `${service.url}/api/v1/prometheus/api/v1/query`
    const reply = await fetch(url, { method: 'POST', body, headers })
    expect(reply.status).toBe(413)
  })
})
