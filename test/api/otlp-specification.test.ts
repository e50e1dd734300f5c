import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { fixed64, int, keyValue, message } from '../support/protobuf.js'
import { type RunningService, startService } from '../support/running-service.js'

// Each sentence of the OTLP specification 1.11 about what a server MUST do has a test under its own words; those about
// 5xx are in otlp-retryable.test.ts, that about warnings in full success (rejected MUST be 0) in cardinality.test.ts.

const PROTOBUF = 'application/x-protobuf'
const JSON_TYPE = 'application/json'
const TRACE_ID = '5B8EFFF798038103D269B633813FC60C'
const SPAN_ID = 'EEE19B7EC3C1B174'

const SIGNALS = {
  traces: { rejected: 'rejectedSpans', empty: '{"resourceSpans":[]}' },
  metrics: { rejected: 'rejectedDataPoints', empty: '{"resourceMetrics":[]}' },
  logs: { rejected: 'rejectedLogRecords', empty: '{"resourceLogs":[]}' }
} as const
const NAMES = ['traces', 'metrics', 'logs'] as const
type Name = (typeof NAMES)[number]

let service: RunningService
let grpc: OtlpGrpcClient
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService({ flags: ['--otlp-grpc-port', String(await freePort()), '--limit-body', '1MiB'] })
  session = await service.login()
  grpc = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
})
afterAll(async () => {
  grpc.close()
  await service.close()
})

const key = (): Record<string, string> => ({ 'x-api-key': service.first.ingestKey })
const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n

async function post(
  name: string,
  body: Buffer | string,
  type: string,
  headers: Record<string, string> = {}
): Promise<{ status: number; type: string | null; bytes: Buffer }> {
  const sent = { ...key(), 'content-type': type, ...headers }
  const reply = await fetch(`${service.url}/v1/${name}`, { method: 'POST', headers: sent, body })
  return { status: reply.status, type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer()) }
}

/** A request with a record that is good and, on request, one that is not (its time is of the future). */
function request(name: Name, refused = 0): Buffer {
  const times = [nowNs(), ...Array.from({ length: refused }, () => nowNs() * 2n)]
  const records = {
    traces: (timeNs: bigint) =>
      message(2, message(1, Buffer.from(TRACE_ID, 'hex')), message(2, Buffer.from(SPAN_ID, 'hex')), fixed64(7, timeNs)),
    logs: (timeNs: bigint) => message(2, fixed64(1, timeNs), message(5, message(1, 'sent'))),
    metrics: (timeNs: bigint) => message(2, message(1, 'spec.gauge'), message(5, message(1, fixed64(3, timeNs))))
  }[name]
  return message(1, message(2, ...times.map(records)))
}

/** JSON of a span with whatever else. */
function spanJson(more: object = {}): string {
  const span = { traceId: TRACE_ID, spanId: SPAN_ID, name: 'json', startTimeUnixNano: String(nowNs()), ...more }
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
}

async function lastSpan(): Promise<Record<string, unknown>> {
  await service.settle()
  const response = await service.api(`/api/v1/traces/${TRACE_ID}`, { headers: session })
  expect(response.status).toBe(200)
  return (response.json['spans'] as Record<string, unknown>[])[0]!
}

describe('all server components MUST support', () => {
  it.each(NAMES)('no compression and gzip, for %s over HTTP', async name => {
    expect((await post(name, request(name), PROTOBUF)).status).toBe(200)
    expect((await post(name, gzipSync(request(name)), PROTOBUF, { 'content-encoding': 'gzip' })).status).toBe(200)
  })

  it('no compression and gzip over gRPC', async () => {
    const zipped = new OtlpGrpcClient(service.app.otlpGrpcUrl!, { 'grpc.default_compression_algorithm': 2 })
    expect((await grpc.export('traces', request('traces'), key())).code).toBe(0)
    expect((await zipped.export('traces', request('traces'), key())).code).toBe(0)
    zipped.close()
  })
})

describe.each(NAMES)('OTLP/HTTP, %s', name => {
  it('on success, the server MUST respond with HTTP 200 OK, and the body MUST be an Export<signal>ServiceResponse', async () => {
    expect(await post(name, request(name), PROTOBUF)).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
  })

  it('the server MUST leave the partial_success field unset in case of a successful response', async () => {
    expect((await post(name, SIGNALS[name].empty, JSON_TYPE)).bytes.toString()).toBe('{}')
  })

  it('if partially accepted, the server MUST respond with HTTP 200 OK, initialize partial_success and set the number it rejected', async () => {
    const { status, bytes } = await post(name, request(name, 2), PROTOBUF)
    expect(status).toBe(200)
    // partial_success (field 1) { rejected (field 1): 2, error_message (field 2) }
    expect([bytes[0], bytes[2], bytes[3], bytes[4]]).toEqual([0x0a, 0x08, 2, 0x12])
  })

  it('the server MUST set the Content-Type of the request in the response, a failure included', async () => {
    expect((await post(name, request(name), PROTOBUF)).type).toBe(PROTOBUF)
    expect((await post(name, '{}', JSON_TYPE)).type).toBe(JSON_TYPE)
    expect((await post(name, Buffer.from([0xff]), PROTOBUF)).type).toBe(PROTOBUF)
    expect((await post(name, '{', JSON_TYPE)).type).toBe(JSON_TYPE)
  })

  it('the server MUST respond with HTTP 400 to data that cannot be decoded, and the body MUST be a Status', async () => {
    const inProtobuf = await post(name, Buffer.from([0xff]), PROTOBUF)
    expect([inProtobuf.status, inProtobuf.bytes[0]]).toEqual([400, 0x08])
    const inJson = await post(name, '{', JSON_TYPE)
    expect([inJson.status, JSON.parse(inJson.bytes.toString())]).toEqual([400, { code: 3, message: expect.any(String) }])
  })

  it('the body of every 4xx MUST be a Status: no key, wrong key, too large, other media type', async () => {
    const big = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) })
    const responses = [
      await post(name, '{}', JSON_TYPE, { 'x-api-key': '' }),
      await post(name, '{}', JSON_TYPE, { 'x-api-key': 'wrong' }),
      await post(name, big, JSON_TYPE),
      await post(name, 'x', 'text/plain')
    ]
    expect(responses.map(response => response.status)).toEqual([401, 401, 413, 415])
    for (const { bytes } of responses) expect(JSON.parse(bytes.toString())).toMatchObject({ message: expect.any(String) })
  })

  it('the body of every 4xx MUST be a Status: another namespace, another method, another path', async () => {
    expect((await post(name, '{}', JSON_TYPE, { 'x-service-namespace': 'elsewhere' })).status).toBe(403)
    const get = await fetch(`${service.url}/v1/${name}`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
    expect(await get.json()).toEqual({ code: 12, message: 'method_not_allowed: GET is not POST' })
    const elsewhere = await post(`${name}/more`, request(name), PROTOBUF)
    expect([elsewhere.status, elsewhere.type, elsewhere.bytes[0], elsewhere.bytes[1]]).toEqual([404, PROTOBUF, 0x08, 5])
  })

  it('the server MUST limit the size of the request body, including after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * 1024 + 1, 0x20))
    expect((await post(name, bomb, JSON_TYPE, { 'content-encoding': 'gzip' })).status).toBe(413)
  })
})

describe('the JSON encoding', () => {
  it('traceId and spanId are case-insensitive hex', async () => {
    expect((await post('traces', spanJson({ parentSpanId: 'aBcDeF0123456789' }), JSON_TYPE)).status).toBe(200)
    expect(await lastSpan()).toMatchObject({ span_id: SPAN_ID.toLowerCase(), parent_span_id: 'abcdef0123456789' })
  })

  it('values of enum fields MUST be encoded as integers; the names MUST NOT be used', async () => {
    expect((await post('traces', spanJson({ kind: 2 }), JSON_TYPE)).status).toBe(200)
    expect(await lastSpan()).toMatchObject({ kind: 'server' })
    expect((await post('traces', spanJson({ kind: 'SPAN_KIND_SERVER' }), JSON_TYPE)).status).toBe(400)
  })

  it('receivers MUST ignore message fields with unknown names', async () => {
    const unknown = { laterField: { x: [1] }, start_time_unix_nano: 'not a number', name: 'known' }
    const { status, bytes } = await post('traces', spanJson(unknown), JSON_TYPE)
    expect([status, bytes.toString()]).toEqual([200, '{}'])
    expect(await lastSpan()).toMatchObject({ operation: 'known' })
  })

  it('64-bit integers are accepted as strings and as numbers', async () => {
    const attributes = [
      { key: 'a', value: { intValue: '9007199254740993' } },
      { key: 'b', value: { intValue: 7 } }
    ]
    const text = spanJson({ attributes }).replace(/"startTimeUnixNano":"(\d+)"/, '"startTimeUnixNano":$1')
    expect((await post('traces', text, JSON_TYPE)).status).toBe(200)
    expect(await lastSpan()).toMatchObject({ attributes: { a: '9007199254740993', b: 7 } })
  })
})

describe('the binary encoding', () => {
  it('ignores fields of later versions', async () => {
    const later = Buffer.concat([int(99, 1), message(98, 'later')])
    expect((await post('logs', Buffer.concat([later, request('logs'), later]), PROTOBUF)).bytes).toEqual(Buffer.alloc(0))
  })
})

describe('OTLP/gRPC', () => {
  it.each(NAMES)('on success, the response MUST be an Export<signal>ServiceResponse without partial_success: %s', async name => {
    const { code, reply } = await grpc.export(name, request(name), key())
    expect([code, reply]).toEqual([0, Buffer.alloc(0)])
  })

  it.each(NAMES)('if partially accepted, the response MUST set partial_success and the number it rejected: %s', async name => {
    const { code, reply } = await grpc.export(name, request(name, 2), key())
    expect([code, reply[0], reply[2], reply[3], reply[4]]).toEqual([0, 0x0a, 0x08, 2, 0x12])
  })

  it('the server MUST enforce a message size limit', async () => {
    const { code, trailer } = await grpc.export('traces', Buffer.alloc(64 * 1024 * 1024 + 1), key())
    // RESOURCE_EXHAUSTED without a RetryInfo: a client is not to send it again.
    expect([code, trailer.get('grpc-status-details-bin')]).toEqual([8, []])
  })

  it('an empty request SHOULD get a success', async () => {
    expect((await grpc.export('traces', Buffer.alloc(0), key())).code).toBe(0)
  })
})

it('a resource with service.namespace is data, not a namespace of ours', async () => {
  const resource = message(1, keyValue(1, 'service.namespace', message(1, 'elsewhere')))
  const span = message(2, message(1, Buffer.alloc(16, 7)), message(2, Buffer.alloc(8, 7)), fixed64(7, nowNs()))
  const { status, bytes } = await post('traces', message(1, resource, message(2, span)), PROTOBUF)
  expect([status, bytes.length]).toEqual([200, 0])
  await service.settle()
  const response = await service.api(`/api/v1/traces/${'07'.repeat(16)}`, { headers: session })
  expect((response.json['spans'] as object[])[0]).toMatchObject({ resource: { 'service.namespace': 'elsewhere' } })
})
