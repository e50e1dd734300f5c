import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { instantQuery } from '../support/prometheus-api.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { double, int, message } from '../support/protobuf.js'
import { snappyBlock, STALE_VALUE, writeRequest, writeRequestV2 } from '../support/remote-write.js'

const V1 = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0'
}
const V2 = {
  ...V1,
  'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
  'x-prometheus-remote-write-version': '2.0.0'
}
/** A full minute that has just gone. */
const NOW_MS = Math.floor(Date.now() / 60_000) * 60_000 - 60_000

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service.close())

async function write(body: Buffer, headers: Record<string, string> = V1, path = '/api/v1/write'): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.first.ingestKey}`, ...headers },
    body: new Uint8Array(body)
  })
}

const request = (query: string, timeMs = NOW_MS) => instantQuery(service, service.session, query, timeMs)

/** Ten observations: [-4,-2) 2, [-0.5,0.5] 1, (1,2] 3, (2,4] 4. Buckets as differences, zigzag. */
function wholeHistogram(timeMs: number): Buffer {
  return Buffer.concat([
    ...[int(1, 10), double(3, 12.5), int(4, 0), double(5, 0.5), int(6, 1)],
    ...[message(8, int(1, 4), int(2, 1)), message(9, Buffer.of(4))],
    ...[message(11, int(1, 2), int(2, 2)), message(12, Buffer.of(6, 2))],
    int(15, BigInt(timeMs))
  ])
}

/** The same in doubles, with a gap in which nothing is. */
function floatHistogram(timeMs: number): Buffer {
  const packed = (field: number, ...values: readonly number[]) =>
    message(field, ...values.map(value => double(1, value).subarray(1)))
  return Buffer.concat([
    ...[double(2, 10), double(3, 12.5), int(4, 0), double(5, 0.5), double(7, 1)],
    ...[message(8, int(1, 4), int(2, 1)), packed(10, 2)],
    ...[message(11, int(1, 2), int(2, 2)), message(11, int(1, 6), int(2, 1)), packed(13, 3, 4, 0)],
    ...[int(14, 3), int(15, BigInt(timeMs))]
  ])
}

/** Samples and native histograms that were written according to a response. */
function written({ headers }: Response): readonly (string | null)[] {
  return ['samples', 'histograms'].map(kind => headers.get(`x-prometheus-remote-write-${kind}-written`))
}

describe('remote write', () => {
  it.each([
    ['1.0', V1, writeRequest, '/api/v1/write'],
    ['2.0', V2, writeRequestV2, '/api/v1/prometheus/api/v1/write']
  ] as const)('%s stores samples that PromQL finds', async (version, headers, encode, path) => {
    const labels = { __name__: 'written_total', version, path: 'C:\\x "y"' }
    const reply = await write(snappyBlock(encode(labels, [NOW_MS - 15_000, 1], [NOW_MS, 2.5])), headers, path)
    expect([reply.status, reply.headers.get('x-prometheus-remote-write-samples-written')]).toEqual([204, '2'])
    expect(await request(`written_total{version="${version}"}`)).toEqual([{ metric: labels, value: [NOW_MS / 1000, '2.5'] }])
  })

  it('keeps the mark of a series that ended', async () => {
    const labels = { __name__: 'ended' }
    expect((await write(snappyBlock(writeRequest(labels, [NOW_MS - 15_000, 1], [NOW_MS, STALE_VALUE])))).status).toBe(204)
    expect(await request('ended', NOW_MS - 1)).toHaveLength(1)
    expect(await request('ended')).toEqual([])
    expect(await request('count_over_time(ended[1m])')).toMatchObject([{ value: [expect.any(Number), '1'] }])
  })

  it('stores what is good next to what is not, and reports it with a status that is not repeated', async () => {
    const good = writeRequest({ __name__: 'good_neighbor' }, [NOW_MS, 1])
    const bad = writeRequest({ no_name: 'x' }, [NOW_MS, 1])
    const reply = await write(snappyBlock(Buffer.concat([good, bad])))
    expect([reply.status, reply.headers.get('x-prometheus-remote-write-samples-written')]).toEqual([400, '1'])
    expect(await reply.json()).toMatchObject({ accepted: 1, rejected: 1, detail: expect.stringContaining('name is required') })
    expect(await request('good_neighbor')).toHaveLength(1)
  })

  it('keeps native histograms, of whole numbers and of floats, in both versions', async () => {
    for (const [name, histogram] of Object.entries({ whole_histogram: wholeHistogram, float_histogram: floatHistogram })) {
      const labels = message(1, message(1, '__name__'), message(2, name))
      const reply = await write(snappyBlock(message(1, labels, message(4, histogram(NOW_MS)))))
      expect([reply.status, ...written(reply)]).toEqual([204, '0', '1'])
      const symbols = ['', '__name__', `${name}_2`].map(symbol => message(4, symbol))
      const series = message(5, message(1, Buffer.of(1, 2)), message(3, histogram(NOW_MS)), message(5, int(1, 3)))
      expect((await write(snappyBlock(Buffer.concat([...symbols, series])), V2)).status).toBe(204)
      for (const stored of [name, `${name}_2`]) {
        const buckets = [
          [1, '-4', '-2', '2'],
          [3, '-0.5', '0.5', '1'],
          [0, '1', '2', '3'],
          [0, '2', '4', '4']
        ]
        const value = { count: '10', sum: '12.5', buckets }
        expect(await request(stored)).toEqual([{ metric: { __name__: stored }, histogram: [NOW_MS / 1000, value] }])
      }
    }
    expect(await request('histogram_quantile(1, whole_histogram)')).toMatchObject([{ value: [NOW_MS / 1000, '4'] }])
  })

  it('keeps native histograms with bounds of their own, and ends their series', async () => {
    const labels = message(1, message(1, '__name__'), message(2, 'custom_histogram'))
    const custom = (timeMs: number, sum: Buffer) =>
      message(
        4,
        ...[
          int(1, 3),
          sum,
          int(4, 105),
          message(11, int(1, 0), int(2, 2)),
          message(12, Buffer.of(2, 2)),
          int(15, BigInt(timeMs))
        ],
        message(16, double(1, 5).subarray(1))
      )
    const stale = Buffer.concat([Buffer.of(0x19), STALE_VALUE.subarray(1)])
    const body = message(1, labels, custom(NOW_MS - 15_000, double(3, 9)), custom(NOW_MS, stale))
    const reply = await write(snappyBlock(body))
    expect([reply.status, ...written(reply)]).toEqual([204, '0', '2'])
    const buckets = [
      [3, '-Inf', '5', '1'],
      [0, '5', '+Inf', '2']
    ]
    expect(await request('custom_histogram', NOW_MS - 1)).toMatchObject([
      { histogram: [expect.any(Number), { count: '3', sum: '9', buckets }] }
    ])
    expect(await request('custom_histogram')).toEqual([])
  })

  it('refuses a native histogram that is invalid, and keeps the samples next to it', async () => {
    const labels = message(1, message(1, '__name__'), message(2, 'beside_histogram'))
    const wrong = message(4, message(11, int(1, 0), int(2, 3)), message(12, Buffer.of(2)), int(15, BigInt(NOW_MS)))
    const body = message(1, labels, message(2, double(1, 1), int(2, BigInt(NOW_MS))), wrong)
    const reply = await write(snappyBlock(body))
    const errors = [{ field: 'histogram', detail: 'spans need 3 buckets, have 1' }]
    expect(written(reply)).toEqual(['1', '0'])
    expect([reply.status, await reply.json()]).toMatchObject([400, { accepted: 1, rejected: 1, errors }])
    expect(await request('beside_histogram')).toHaveLength(1)
  })

  it('refuses a time that no nanoseconds can hold', async () => {
    const wraps = 2n ** 64n / 1_000_000n + BigInt(NOW_MS)
    const body = message(1, message(1, message(1, '__name__'), message(2, 'wrapped')), message(2, double(1, 1), int(2, wraps)))
    expect((await write(snappyBlock(body))).status).toBe(400)
  })

  it.each<[string, Buffer, Record<string, string>, number]>([
    ['what is not a snappy block', Buffer.from('nonsense'), V1, 400],
    ['a block that would grow beyond the limit', Buffer.from([0xff, 0xff, 0xff, 0x7f, 0x00]), V1, 413],
    ['a block that is not a message', snappyBlock(Buffer.from([0xff])), V1, 400],
    ['another compression', Buffer.alloc(0), { ...V1, 'content-encoding': 'gzip' }, 415],
    ['another type', Buffer.alloc(0), { ...V1, 'content-type': 'application/json' }, 415],
    ['a reference to no symbol', snappyBlock(Buffer.from([0x2a, 0x04, 0x0a, 0x02, 0x08, 0x09])), V2, 400],
    ['an unknown key', snappyBlock(Buffer.alloc(0)), { ...V1, authorization: 'Bearer nope' }, 401]
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await write(body, headers)).status).toBe(status)
  })
})
