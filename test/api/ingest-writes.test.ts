import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'

let service: IngestService
beforeAll(async () => {
  service = await openIngestService()
})
afterAll(() => service.close())

const HEADERS = { 'x-api-key': 'ingest' }
const NDJSON = { ...HEADERS, 'content-type': 'application/x-ndjson' }

function post(path: string, json: unknown, headers: Record<string, string> = HEADERS): Promise<CheckedResponse> {
  return service.api(`/api/v1${path}`, { method: 'POST', json, headers })
}

/** Messages of the newest logs of a namespace. */
async function messages(name: string, limit: number): Promise<readonly string[]> {
  const range = { startNs: 0n, endNs: 1n << 62n }
  const rows = { limit, order: 'desc' } as const
  const filter = { kind: 'and', of: [] } as const
  const found = await service.stores.logs.search(namespaceId(name), { range, filter, rows }, new AbortController().signal)
  return (found.rows ?? []).map(log => log.message)
}

describe('the success body of a write', () => {
  it.each<[string, object]>([
    ['/logs', { message: 'one' }],
    ['/logs/batch', { logs: [{ message: 'one' }] }],
    ['/logs/batch', [{ message: 'one' }]],
    ['/ingest', { name: 'm', value: 1 }],
    ['/ingest/batch', { metrics: [{ name: 'm', value: 1 }] }],
    ['/apm/rum', { page_url: 'https://shop.example/' }],
    ['/apm/metrics', { service: 's', name: 'm', value: 1 }],
    ['/apm/errors', { service: 's', message: 'boom' }]
  ])('of %s reports what was stored, where and why there', async (path, body) => {
    const { status, json, headers } = await post(path, body)
    expect(status).toBe(200)
    expect(json).toEqual({
      status: 'ok',
      accepted: 1,
      rejected: 0,
      namespace: 'prod',
      namespace_source: 'api_key',
      ingest_id: expect.stringMatching(/^[0-9A-Z]{26}$/)
    })
    expect(headers.get('x-resolved-namespace')).toBe('prod')
    expect(headers.get('ratelimit-policy')).toMatch(/^"ingest";q=104857600;w=2;qu="content-bytes"$/)
    expect(headers.get('ratelimit')).toMatch(/^"ingest";r=\d+;t=\d+$/)
  })

  it.each<[string, object]>([
    ['/logs', { message: 'by id', namespace: namespaceId('stage') }],
    ['/logs/batch', { namespace: namespaceId('stage'), logs: [{ message: 'by id', namespace: 'stage' }] }],
    ['/logs/batch', [{ message: 'by id', namespace: namespaceId('stage') }]]
  ])('of %s comes where a namespace is named by its id, too', async (path, body) => {
    const { status, json } = await post(path, body)
    expect([status, json]).toEqual([200, expect.objectContaining({ accepted: 1, rejected: 0, namespace: 'stage' })])
  })
})

describe('a batch of good and bad records', () => {
  it('counts the good and lists the bad ones', async () => {
    const { status, json } = await post('/logs/batch', {
      namespace: 'stage',
      logs: [{ message: 'good 1' }, {}, { message: 'good 2' }]
    })
    expect(status).toBe(200)
    expect(json).toEqual({
      status: 'partial',
      accepted: 2,
      rejected: 1,
      errors: [{ index: 1, code: 'missing_field', field: 'message', detail: 'message is required' }],
      rejected_by_code: { missing_field: 1 },
      errors_truncated: false,
      namespace: 'stage',
      namespace_source: 'body',
      ingest_id: expect.any(String)
    })
    expect((await messages('stage', 2)).toSorted()).toEqual(['good 1', 'good 2'])
  })

  it('lists 100 errors and counts all', async () => {
    const { json } = await post('/logs/batch', [
      { message: 'x' },
      ...Array.from({ length: 150 }, () => ({})),
      { message: 'x', host: 1 }
    ])
    expect(json).toMatchObject({
      rejected: 151,
      rejected_by_code: { missing_field: 150, invalid_field: 1 },
      errors_truncated: true
    })
    expect(json?.['errors']).toHaveLength(100)
  })

  it('is a problem with the same counts when nothing is acceptable', async () => {
    const { status, json } = await post('/logs/batch', [{}, { message: 5 }])
    expect(status).toBe(400)
    expect(json).toMatchObject({
      code: 'missing_field',
      accepted: 0,
      rejected: 2,
      rejected_by_code: { missing_field: 1, invalid_field: 1 },
      errors: [
        { index: 0, code: 'missing_field' },
        { index: 1, code: 'invalid_field' }
      ]
    })
  })

  it('is ok for a batch of nothing', async () => {
    expect((await post('/logs/batch', { logs: [] })).json).toMatchObject({ status: 'ok', accepted: 0, rejected: 0 })
  })
})

describe('NDJSON', () => {
  it('stores the good lines and names the bad ones', async () => {
    const body = '{"message":"line 1","namespace":"stage"}\nnot json\n{"message":"line 2","namespace":"stage"}\n'
    const { status, json } = await service.api('/api/v1/logs/batch', { method: 'POST', body, headers: NDJSON })
    expect(status).toBe(200)
    expect(json).toMatchObject({ accepted: 2, rejected: 1, namespace: 'stage', namespace_source: 'body' })
    expect(json?.['errors']).toMatchObject([{ index: 1, code: 'invalid_json' }])
    expect((await messages('stage', 2)).toSorted()).toEqual(['line 1', 'line 2'])
  })

  it('makes another namespace the error of its line', async () => {
    const body = '{"message":"a","namespace":"stage"}\n{"message":"b","namespace":"prod"}\n'
    const headers = { ...NDJSON, 'x-service-namespace': 'stage' }
    const { json } = await service.api('/api/v1/logs/batch', { method: 'POST', body, headers })
    expect(json).toMatchObject({ accepted: 1, rejected: 1, namespace: 'stage', namespace_source: 'header' })
    expect(json?.['errors']).toMatchObject([{ index: 1, code: 'invalid_field', field: 'namespace' }])
  })
})

describe('where a write goes', () => {
  it.each<[string, string, object, Record<string, string>, number, string]>([
    [
      'the body',
      '/logs?namespace=prod',
      { message: 'x', namespace: 'stage' },
      { 'x-service-namespace': 'prod' },
      200,
      'stage body'
    ],
    ['the header', '/logs?namespace=prod', { message: 'x' }, { 'x-service-namespace': 'stage' }, 200, 'stage header'],
    ['the query', '/logs?namespace=stage', { message: 'x' }, {}, 200, 'stage query'],
    ['a foreign one', '/logs', { message: 'x', namespace: 'foreign' }, {}, 403, 'namespace_not_allowed'],
    ['an unknown one', '/logs', { message: 'x', namespace: 'nowhere' }, {}, 403, 'namespace_not_allowed'],
    ['a deleted one', '/logs', { message: 'x', namespace: 'gone' }, {}, 410, 'namespace_deleted'],
    ['a key without namespaces', '/logs', { message: 'x' }, { 'x-api-key': 'bare' }, 200, 'default default'],
    ['no key', '/logs', { message: 'x' }, { 'x-api-key': '' }, 401, 'missing_credential'],
    ['a RUM key', '/logs', { message: 'x' }, { 'x-api-key': 'rum' }, 403, 'scope_required']
  ])('is decided by %s', async (_name, ...row) => {
    const [path, body, headers, status, expected] = row
    const response = await post(path, body, { ...HEADERS, ...headers })
    expect(response.status).toBe(status)
    const { namespace, namespace_source: source, code } = response.json ?? {}
    expect(status === 200 ? `${String(namespace)} ${String(source)}` : code).toBe(expected)
  })
})

describe('a dry run', () => {
  it('shows the normalized records and stores nothing', async () => {
    const before = await messages('prod', 1000)
    const body = {
      logs: [
        { message: 'dry', level: 'WARN', timestamp: 'nonsense' },
        { message: 'dry', level: 'WARN', extra: 1 }
      ]
    }
    const { status, json } = await post('/logs/batch?dry_run=true', body)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      status: 'partial',
      accepted: 1,
      rejected: 1,
      dry_run: true,
      namespace: 'prod',
      records_truncated: false
    })
    expect(json?.['records']).toMatchObject([
      { index: 1, message: 'dry', level: 'warn', severity_number: 13, log_fields: { extra: 1 }, server_time: true }
    ])
    expect(json).not.toHaveProperty('ingest_id')
    expect(await messages('prod', 1000)).toEqual(before)
  })

  it.each(['/logs?dry_run=maybe', '/logs?ack=never', '/logs?dry_run=true&dry_run=true'])('does not guess at %s', async path => {
    expect((await post(path, { message: 'x' })).json).toMatchObject({ status: 400, code: 'invalid_field' })
  })
})

describe('what comes later', () => {
  it.each([
    ['GET', '/api/v1/ingest/receipts/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['GET', '/api/v1/ingest/rejected'],
    ['POST', '/api/v1/ingest/rejected/replay']
  ])('%s %s reports it to those who have a key', async (method, path) => {
    expect((await service.api(path, { method, headers: HEADERS })).json).toMatchObject({ status: 501, code: 'not_implemented' })
    expect((await service.api(path, { method })).status).toBe(401)
  })
})

describe('what a sender may have misunderstood', () => {
  it('is reported: members of points that mean nothing here', async () => {
    const { json } = await post('/ingest', { name: 'm', value: 1, tags: { a: 'b' }, service: 's' })
    expect(json).toMatchObject({ status: 'ok', accepted: 1, ignored_members: ['tags', 'service'] })
    const shown = await post('/ingest?dry_run=true', { name: 'm', value: 1, tags: {} })
    expect(shown.json).toMatchObject({ dry_run: true, ignored_members: ['tags'] })
  })

  it.each(['dryrun', 'dry-run', 'dryRun', 'DRY_RUN'])('is refused: %s stores nothing', async name => {
    const { status, json } = await post(`/logs?${name}=true`, { message: 'not to be stored' })
    expect([status, json]).toEqual([400, expect.objectContaining({ code: 'invalid_field', suggestions: ['dry_run'] })])
    expect(await messages('prod', 1000)).not.toContain('not to be stored')
  })

  it.each(['dry_run', 'dry_run=', 'dry_run=1', 'dry_run=true&dry_run=true'])('is refused: ?%s stores nothing', async query => {
    const { status, json } = await post(`/logs?${query}`, { message: 'not to be stored' })
    expect([status, json?.['errors']]).toEqual([400, [expect.objectContaining({ code: 'invalid_field', field: 'dry_run' })]])
    expect(await messages('prod', 1000)).not.toContain('not to be stored')
  })

  it('is reported: how the namespace would take records that are too old', async () => {
    const { json } = await post('/logs', { message: 'old', timestamp: '2001-01-01T00:00:00Z' })
    expect(json).toMatchObject({
      code: 'timestamp_too_old',
      suggestions: ['PATCH /api/v1/namespaces/prod {"retention":{"logs":"forever"}}']
    })
  })

  it('is reported: by which names a log was recognized', async () => {
    const log = { level: 30, time: Date.now(), pid: 1, hostname: 'h', name: 'shop', msg: 'recognized' }
    const read = { message: { msg: 1 }, time: { time: 1 }, level: { level: 1 }, service: { name: 1 }, host: { hostname: 1 } }
    const one = await post('/logs', log)
    expect([one.status, one.json['read'], one.json['warnings']]).toEqual([200, read, undefined])
    const untimed = { message: 'x', created_at: new Date().toISOString() }
    const shown = await post('/logs/batch?dry_run=true', [log, untimed])
    expect(shown.json).toMatchObject({
      accepted: 2,
      read: { message: { msg: 1, message: 1 }, time: { time: 1, arrival: 1 } },
      warnings: [expect.stringContaining('time_field=created_at')],
      records: [
        { message: 'recognized', service: 'shop', host: 'h', level: 'info', read: { message: 'msg', service: 'name' } },
        { message: 'x', server_time: true }
      ]
    })
    const lines = await service.api('/api/v1/logs/batch', { method: 'POST', headers: NDJSON, body: `${JSON.stringify(log)}\n` })
    expect(lines.json).toMatchObject({ accepted: 1, read })
    expect(await messages('prod', 1)).toEqual(['recognized'])
  })

  it('names the members of its logs by parameters, then by headers', async () => {
    const at = new Date(Date.now() - 7_200_000).toISOString().slice(0, 19)
    const log = { text: 'by name', line: 'by header', at: at.replace('T', ' ') }
    const headers = { ...HEADERS, 'x-alidade-message-field': 'line', 'vl-time-field': 'at', 'x-alidade-service': 'shop' }
    const shown = async (query: string): Promise<unknown> =>
      (await post(`/logs?dry_run=true${query}`, log, headers)).json['records']
    expect(await shown('')).toMatchObject([{ message: 'by header', service: 'shop', timestamp: `${at}.000000000Z` }])
    const hourBefore = new Date(Date.parse(`${at}Z`) - 3_600_000).toISOString().slice(0, 19)
    expect(await shown('&_msg_field=text&timezone=%2B01:00')).toMatchObject([
      { message: 'by name', timestamp: `${hourBefore}.000000000Z`, log_fields: { line: 'by header' } }
    ])
    expect((await post('/logs?time_unit=m', log)).json).toMatchObject({ status: 400, code: 'invalid_field' })
    expect((await post('/logs?service=a&service=b', log)).json).toMatchObject({ status: 400, code: 'invalid_field' })
  })

  it('is reported: a message under another name', async () => {
    expect((await post('/logs', { msg: 5 })).json).toMatchObject({ code: 'missing_field', detail: 'message is required' })
    expect((await post('/logs', { log: 'hello', msg: 'x' })).json).toMatchObject({ accepted: 1 })
  })
})
