import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '../support/running-service.js'
import { double, fixed64, int, keyValue, message } from '../support/protobuf.js'

const PROTOBUF = 'application/x-protobuf'
const ALL_TIME = { start: '2020-01-01T00:00:00Z', end: 'now' }

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService()
  session = await service.login()
  // One log is refused for its name alone, however old it is.
  const json = { retention: { logs: 'forever' } }
  await service.api(`/api/v1/namespaces/${service.first.namespaceId}`, { method: 'PATCH', headers: session, json })
})
afterAll(() => service.close())

interface Sent {
  readonly status: number
  readonly type: string | null
  readonly retryAfter: string | null
  readonly bytes: Buffer
}

async function send(path: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<Sent> {
  const reply = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': service.first.ingestKey, 'content-type': PROTOBUF, ...headers },
    body
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  await service.settle()
  return { status: reply.status, type: reply.headers.get('content-type'), retryAfter: reply.headers.get('retry-after'), bytes }
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}

function oneLog(...fields: readonly Buffer[]): Buffer {
  const resource = message(1, keyValue(1, 'service.name', message(1, 'otlp')), keyValue(1, 'region', message(1, 'eu')))
  return message(1, resource, message(2, message(1, message(1, 'scope'), message(2, '2.0')), message(2, ...fields)))
}

const withBody = (text: string): Buffer => message(5, message(1, text))

async function findLogs(conditions: object): Promise<readonly Record<string, unknown>[]> {
  const response = await service.api('/api/v1/logs/query', {
    method: 'POST',
    headers: session,
    json: { ...ALL_TIME, ...conditions }
  })
  expect(response.status).toBe(200)
  return response.json['logs'] as Record<string, unknown>[]
}

async function findSeries(
  metric: string,
  more: object = {}
): Promise<readonly { labels: Record<string, string>; points: unknown[] }[]> {
  const response = await service.api('/api/v1/query', {
    method: 'POST',
    headers: session,
    json: { metric, start: 'now-1h', end: 'now', ...more }
  })
  expect(response.status).toBe(200)
  return response.json['series'] as { labels: Record<string, string>; points: unknown[] }[]
}

describe('an exported log', () => {
  it.each([
    ['/api/v1/otlp/v1/logs', 'canonical'],
    ['/v1/logs', 'bare']
  ])('at %s is found with everything that it contained', async (path, marker) => {
    const record = [
      fixed64(1, nowNs()),
      int(2, 14),
      message(3, 'WARN2'),
      withBody(`payment ${marker} late`),
      keyValue(6, 'order.id', int(3, 9_007_199_254_740_993n)),
      keyValue(6, 'items', message(5, message(1, message(1, 'a')), message(1, message(1, 'b')))),
      message(9, Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex')),
      message(10, Buffer.from('b7ad6b7169203331', 'hex')),
      message(12, 'payment.late')
    ]
    expect(await send(path, oneLog(...record))).toEqual({ status: 200, type: PROTOBUF, retryAfter: null, bytes: Buffer.alloc(0) })
    const [log] = await findLogs({ query: `${marker} items:b` })
    expect(log).toMatchObject({
      message: `payment ${marker} late`,
      level: 'warn',
      severity_number: 14,
      service: 'otlp',
      source: 'scope',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      log_fields: { 'order.id': '9007199254740993', items: ['a', 'b'], 'event.name': 'payment.late' },
      tags: { region: 'eu', 'service.name': 'otlp', 'otel.scope.name': 'scope', 'otel.scope.version': '2.0' }
    })
  })

  it('with a body that is not text is shown as JSON and searched by its members', async () => {
    const body = message(5, message(6, keyValue(1, 'code', int(3, 42)), keyValue(1, 'ok', int(2, 0))))
    await send('/v1/logs', oneLog(body))
    expect(await findLogs({ query: 'log_fields.body.code:42' })).toMatchObject([{ message: '{"code":42,"ok":false}' }])
  })

  it('is refused alone when only it is at fault', async () => {
    const good = message(2, withBody('good neighbor'))
    const old = message(2, fixed64(1, 1n), keyValue(6, 'x'.repeat(200), message(1, 'long name')))
    const { status, bytes } = await send('/v1/logs', message(1, message(2, good, old)))
    expect(status).toBe(200)
    // ExportLogsServiceResponse.partial_success { rejected_log_records: 1, error_message }
    expect(bytes.subarray(2, 4)).toEqual(Buffer.from([0x08, 1]))
    expect(bytes.toString()).toContain('name must not exceed 128 bytes')
    expect(await findLogs({ query: '"good neighbor"' })).toHaveLength(1)
  })

  it('that fits nowhere is a partial success of none, since senders repeat nothing else', async () => {
    const body = {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '9999999999000000000', body: { stringValue: 'x' } }] }] }]
    }
    const response = await send('/v1/logs', JSON.stringify(body), { 'content-type': 'application/json' })
    expect(response.status).toBe(200)
    expect(JSON.parse(response.bytes.toString())).toMatchObject({ partialSuccess: { rejectedLogRecords: '1' } })
  })
})

describe('exported metrics', () => {
  function sum(temporality: number, points: readonly [bigint, number][]): Buffer {
    const data = points.map(([timeNs, value]) =>
      message(1, fixed64(3, timeNs), double(4, value), keyValue(7, 'kind', message(1, 'x')))
    )
    const metric = [message(1, `otlp.${temporality === 1 ? 'delta' : 'cumulative'}`), message(3, 'By')]
    return message(1, message(2, message(2, ...metric, message(7, ...data, int(2, temporality), int(3, 1)))))
  }

  it('become the series that Prometheus would make of them', async () => {
    const at = nowNs() - 1_000_000_000n
    expect((await send('/v1/metrics', sum(2, [[at, 5]]))).status).toBe(200)
    expect(await findSeries('otlp_cumulative_bytes_total', { agg: 'last' })).toMatchObject([{ labels: { kind: 'x' } }])
  })

  it('of delta temporality are added up, a repeated request adds nothing', async () => {
    const at = nowNs() - 10_000_000_000n
    const first = sum(1, [[at, 5]])
    for (const body of [first, first, sum(1, [[at + 1_000_000_000n, 7]])])
      expect((await send('/v1/metrics', body)).status).toBe(200)
    const [series] = await findSeries('otlp_delta_bytes_total', { agg: 'max', step: '1h' })
    expect(series!.points.map(point => (point as [string, number])[1])).toContain(12)
  })

  it('that cannot be series are refused with their number', async () => {
    const { status, bytes } = await send('/v1/metrics', sum(0, [[nowNs(), 1]]))
    expect(status).toBe(200)
    expect(bytes.toString()).toContain('aggregation_temporality')
  })
})

describe('the response to a request', () => {
  it.each<[string, Record<string, string>, Buffer | string, number, number]>([
    ['without a key', { 'x-api-key': '' }, '', 401, 16],
    ['with an unknown key', { 'x-api-key': 'nope' }, '', 401, 16],
    ['whose bytes are not a message', {}, Buffer.from([0xff, 0xff]), 400, 3],
    ['that names another namespace', { 'x-service-namespace': 'elsewhere' }, '', 403, 7]
  ])('%s is a google.rpc.Status in its encoding', async (_, headers, body, status, code) => {
    const response = await send('/v1/logs', body, headers)
    expect([response.status, response.type]).toEqual([status, PROTOBUF])
    expect(response.bytes.subarray(0, 2)).toEqual(Buffer.from([0x08, code]))
    const inJson = await send('/v1/logs', '{', { 'content-type': 'application/json', ...headers })
    expect(inJson.type).toBe('application/json')
    expect(JSON.parse(inJson.bytes.toString())).toMatchObject({ message: expect.any(String) })
  })

  it('takes the key as bearer too', async () => {
    const headers = { 'x-api-key': '', authorization: `Bearer ${service.first.ingestKey}` }
    expect((await send('/v1/logs', '', headers)).status).toBe(200)
  })

  it('is success for a request without records, in both encodings', async () => {
    expect(await send('/v1/logs', '')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    const json = await send('/v1/logs', '{}', { 'content-type': 'application/json' })
    expect([json.status, json.bytes.toString()]).toEqual([200, '{}'])
  })

  it('is 415 for another content type and 413 for a body that grows beyond the limit', async () => {
    expect((await send('/v1/logs', 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    expect((await send('/v1/logs', bomb, { 'content-encoding': 'gzip' })).status).toBe(413)
  })
})
