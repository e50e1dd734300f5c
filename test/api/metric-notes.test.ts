import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { keyValue, double, fixed64, int, message } from '../support/protobuf.js'
import { prometheusData } from '../support/prometheus-api.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { snappyBlock } from '../support/remote-write.js'

// Metadata of metrics that senders add to samples: type, help and unit, and exemplars.

const V1 = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
const V2 = { ...V1, 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request' }
/** A full minute that has just gone. */
const NOW_MS = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
const NOW_NS = BigInt(NOW_MS) * 1_000_000n
const TRACE = '5bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service.close())

async function send(path: string, body: Buffer, headers: Record<string, string>): Promise<Response> {
  const authorization = `Bearer ${service.first.ingestKey}`
  return fetch(service.url + path, { method: 'POST', headers: { authorization, ...headers }, body: new Uint8Array(body) })
}

const write = (body: Buffer, headers: Record<string, string> = V1): Promise<Response> =>
  send('/api/v1/write', snappyBlock(body), headers)

const request = (endpoint: string, params: Record<string, string>, form?: Record<string, string>) =>
  prometheusData(service, service.session, endpoint, params, form)

const label = (name: string, value: string): Buffer => message(1, message(1, name), message(2, value))

/** A `TimeSeries` of remote write 1.0 with an exemplar, and a sample when it has a value. */
function seriesWithExemplar(name: string, exemplarMs: number, value?: number): Buffer {
  const sample = value === undefined ? [] : [message(2, double(1, value), int(2, BigInt(NOW_MS)))]
  const exemplar = message(3, label('trace_id', TRACE), double(2, 0.25), int(3, BigInt(exemplarMs)))
  return message(1, label('__name__', name), label('path', '/a'), ...sample, exemplar)
}

describe('facts of metrics', () => {
  it('are kept from remote write 1.0, where they come without series', async () => {
    const reported = message(
      3,
      int(1, 1),
      message(2, 'rw1_requests_total'),
      message(4, 'Requests, by\npath.'),
      message(5, 'requests')
    )
    const reply = await write(reported)
    expect([reply.status, reply.headers.get('x-prometheus-remote-write-samples-written')]).toEqual([204, '0'])
    expect(await request('metadata', { metric: 'rw1_requests_total' })).toEqual({
      rw1_requests_total: [{ type: 'counter', help: 'Requests, by\npath.', unit: 'requests' }]
    })
  })

  it('are kept from remote write 2.0 by the family of the series, and give the samples their type', async () => {
    const symbols = ['', '__name__', 'rw2_seconds_bucket', 'le', '0.5', 'How long.', 'seconds']
    const series = message(
      5,
      message(1, Buffer.from([1, 2, 3, 4])),
      message(2, double(1, 3), int(2, BigInt(NOW_MS))),
      message(5, int(1, 3), int(3, 5), int(4, 6))
    )
    const body = Buffer.concat([...symbols.map(symbol => message(4, symbol)), series])
    expect((await write(body, V2)).status).toBe(204)
    expect(await request('metadata', { metric: 'rw2_seconds' })).toEqual({
      rw2_seconds: [{ type: 'histogram', help: 'How long.', unit: 'seconds' }]
    })
    expect(await request('metadata', { metric: 'rw2_seconds_bucket' })).toEqual({
      rw2_seconds_bucket: [{ type: 'counter', help: '', unit: '' }]
    })
  })

  it('are kept from OTLP, under the names that Prometheus would give', async () => {
    const point = message(1, fixed64(3, NOW_NS), double(4, 7))
    const metric = message(
      2,
      message(1, 'otlp.size'),
      message(2, 'How large.'),
      message(3, 'By'),
      message(7, point, int(2, 2), int(3, 1))
    )
    const reply = await send('/v1/metrics', message(1, message(2, metric)), { 'content-type': 'application/x-protobuf' })
    expect(reply.status).toBe(200)
    expect(await request('metadata', { metric: 'otlp_size_bytes_total' })).toEqual({
      otlp_size_bytes_total: [{ type: 'counter', help: 'How large.', unit: 'bytes' }]
    })
  })

  it('are listed once per family, as many as requested', async () => {
    const all = (await request('metadata', {})) as Record<string, unknown>
    // The part of a family of which something is known is not a family of its own.
    expect(Object.keys(all)).toEqual(expect.arrayContaining(['rw1_requests_total', 'rw2_seconds', 'otlp_size_bytes_total']))
    expect(Object.keys(all)).not.toContain('rw2_seconds_bucket')
    expect(Object.keys((await request('metadata', { limit: '2' })) as object)).toHaveLength(2)
  })

  it('are shown by GraphQL', async () => {
    const range = `{ from: "${new Date(NOW_MS - 3_600_000).toISOString()}" }`
    const query = `{ metrics(range: ${range}, contains: "rw2") { nodes { name unit description } } metric(name: "otlp_size_bytes_total") { unit description } }`
    const reply = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { ...service.session, 'content-type': 'application/json' },
      body: JSON.stringify({ query })
    })
    expect(await reply.json()).toEqual({
      data: {
        metrics: { nodes: [{ name: 'rw2_seconds_bucket', unit: 'seconds', description: 'How long.' }] },
        metric: { unit: 'bytes', description: 'How large.' }
      }
    })
  })
})

describe('exemplars', () => {
  const shown = (name: string, extra: object = {}): object => ({
    seriesLabels: { __name__: name, path: '/a' },
    exemplars: [{ labels: { trace_id: TRACE }, value: '0.25', timestamp: (NOW_MS - 500) / 1000 }],
    ...extra
  })
  const window = { start: String(NOW_MS / 1000 - 60), end: String(NOW_MS / 1000) }

  it('of remote write 1.0 are found by any query over their series, by GET and by POST', async () => {
    const reply = await write(
      Buffer.concat([seriesWithExemplar('rw1_seen', NOW_MS - 500, 1), seriesWithExemplar('rw1_other', NOW_MS - 500)])
    )
    const { headers } = reply
    const written = ['samples', 'exemplars'].map(what => headers.get(`x-prometheus-remote-write-${what}-written`))
    expect([reply.status, ...written]).toEqual([204, '1', '2'])
    const query = 'sum(rate(rw1_seen{path=~"/.*"}[5m])) / rw1_other + rw1_seen'
    expect(await request('query_exemplars', { query, ...window })).toEqual([shown('rw1_other'), shown('rw1_seen')])
    expect(await request('query_exemplars', {}, { query: 'rw1_seen', ...window })).toEqual([shown('rw1_seen')])
    expect(await request('query_exemplars', { query: 'rw1_seen', ...window, end: String(NOW_MS / 1000 - 1) })).toEqual([])
    expect(await request('query_exemplars', { query: 'rw1_seen' })).toEqual([shown('rw1_seen')])
  })

  it('of remote write 2.0 take their labels from the symbols', async () => {
    const symbols = ['', '__name__', 'rw2_seen', 'path', '/a', 'trace_id', TRACE]
    const exemplar = message(4, message(1, Buffer.from([5, 6])), double(2, 0.25), int(3, BigInt(NOW_MS - 500)))
    const series = message(5, message(1, Buffer.from([1, 2, 3, 4])), exemplar)
    const reply = await write(Buffer.concat([...symbols.map(symbol => message(4, symbol)), series]), V2)
    expect([reply.status, reply.headers.get('x-prometheus-remote-write-exemplars-written')]).toEqual([204, '1'])
    expect(await request('query_exemplars', { query: 'rw2_seen', ...window })).toEqual([shown('rw2_seen')])
  })

  it('of OTLP belong to the smallest bucket that counts them', async () => {
    const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
    const exemplar = (value: number): Buffer =>
      message(
        8,
        keyValue(7, 'user.id', message(1, 'ada')),
        fixed64(2, NOW_NS - 500_000_000n),
        double(3, value),
        message(4, bytes(SPAN)),
        message(5, bytes(TRACE))
      )
    const counts = [1n, 1n, 1n].map(count => {
      const buffer = Buffer.alloc(8)
      buffer.writeBigInt64LE(count)
      return buffer
    })
    const bounds = [0.5, 1].map(bound => {
      const buffer = Buffer.alloc(8)
      buffer.writeDoubleLE(bound)
      return buffer
    })
    const point = message(
      1,
      fixed64(3, NOW_NS),
      fixed64(4, 3n),
      message(6, ...counts),
      message(7, ...bounds),
      exemplar(0.7),
      exemplar(9)
    )
    const metric = message(2, message(1, 'otlp.seen'), message(9, point, int(2, 2)))
    expect((await send('/v1/metrics', message(1, message(2, metric)), { 'content-type': 'application/x-protobuf' })).status).toBe(
      200
    )
    const own = { user_id: 'ada', trace_id: TRACE, span_id: SPAN }
    const found = (le: string, value: string): object => ({
      seriesLabels: { __name__: 'otlp_seen_bucket', le },
      exemplars: [{ labels: own, value, timestamp: (NOW_MS - 500) / 1000 }]
    })
    expect(await request('query_exemplars', { query: 'otlp_seen_bucket', ...window })).toEqual([
      found('+Inf', '9'),
      found('1', '0.7')
    ])
  })

  it('that are refused refuse no sample, and are reported', async () => {
    const reply = await write(seriesWithExemplar('rw1_late', 1, 1))
    const { headers } = reply
    const written = ['samples', 'exemplars'].map(what => headers.get(`x-prometheus-remote-write-${what}-written`))
    expect([reply.status, ...written]).toEqual([204, '1', '0'])
  })

  it.each([
    ['no query', {}],
    ['an invalid query', { query: 'sum(' }],
    ['an end before the start', { query: 'up', start: '2', end: '1' }]
  ])('%s is bad data', async (_, params) => {
    const url = `${service.url}/prometheus/api/v1/query_exemplars?${new URLSearchParams(params as Record<string, string>).toString()}`
    const reply = await fetch(url, { headers: service.session })
    expect([reply.status, await reply.json()]).toMatchObject([400, { status: 'error', errorType: 'bad_data' }])
  })
})
