import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '../support/running-service.js'
import { double, int, message } from '../support/protobuf.js'
import { snappyBlock, STALE_VALUE, writeRequest, writeRequestV2 } from '../support/remote-write.js'

const CAPTURES = fileURLToPath(new URL('../../../shared/suites/clients/', import.meta.url))
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

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService()
  session = await service.login()
  await service.api(`/api/v1/namespaces/${service.first.namespaceId}`, {
    method: 'PATCH',
    headers: session,
    json: { retention: { metrics: 'forever' } }
  })
})
afterAll(() => service.close())

async function write(body: Buffer, headers: Record<string, string> = V1, path = '/api/v1/write'): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.first.ingestKey}`, ...headers },
    body: new Uint8Array(body)
  })
}

async function ask(
  query: string,
  timeMs = NOW_MS
): Promise<readonly { metric: Record<string, string>; value: [number, string] }[]> {
  const params = new URLSearchParams({ query, time: String(timeMs / 1000) })
  const reply = await fetch(`${service.url}/prometheus/api/v1/query?${params.toString()}`, { headers: session })
  const body = (await reply.json()) as { data: { result: { metric: Record<string, string>; value: [number, string] }[] } }
  return body.data.result
}

describe('remote write', () => {
  it.each([
    ['1.0', V1, writeRequest, '/api/v1/write'],
    ['2.0', V2, writeRequestV2, '/api/v1/prometheus/api/v1/write']
  ] as const)('%s stores samples that PromQL finds', async (version, headers, encode, path) => {
    const labels = { __name__: 'written_total', version, path: 'C:\\x "y"' }
    const reply = await write(snappyBlock(encode(labels, [NOW_MS - 15_000, 1], [NOW_MS, 2.5])), headers, path)
    expect([reply.status, reply.headers.get('x-prometheus-remote-write-samples-written')]).toEqual([204, '2'])
    expect(await ask(`written_total{version="${version}"}`)).toEqual([{ metric: labels, value: [NOW_MS / 1000, '2.5'] }])
  })

  it('keeps the mark of a series that ended', async () => {
    const labels = { __name__: 'ended' }
    expect((await write(snappyBlock(writeRequest(labels, [NOW_MS - 15_000, 1], [NOW_MS, STALE_VALUE])))).status).toBe(204)
    expect(await ask('ended', NOW_MS - 1)).toHaveLength(1)
    expect(await ask('ended')).toEqual([])
    expect(await ask('count_over_time(ended[1m])')).toMatchObject([{ value: [expect.any(Number), '1'] }])
  })

  it('stores what is good beside what is not, and says so with a status that is not repeated', async () => {
    const good = writeRequest({ __name__: 'good_neighbour' }, [NOW_MS, 1])
    const bad = writeRequest({ no_name: 'x' }, [NOW_MS, 1])
    const reply = await write(snappyBlock(Buffer.concat([good, bad])))
    expect([reply.status, reply.headers.get('x-prometheus-remote-write-samples-written')]).toEqual([400, '1'])
    expect(await reply.json()).toMatchObject({ accepted: 1, rejected: 1, detail: expect.stringContaining('name is required') })
    expect(await ask('good_neighbour')).toHaveLength(1)
  })

  it('says that native histograms are refused, and keeps the samples beside them', async () => {
    const labels = message(1, message(1, '__name__'), message(2, 'beside_histogram'))
    const body = message(1, labels, message(2, double(1, 1), int(2, BigInt(NOW_MS))), message(4, ''))
    const reply = await write(snappyBlock(body))
    expect([reply.status, await reply.json()]).toMatchObject([400, { accepted: 1, rejected: 1 }])
    expect(await ask('beside_histogram')).toHaveLength(1)
  })

  it('refuses a time that no nanoseconds can hold', async () => {
    const wraps = 2n ** 64n / 1_000_000n + BigInt(NOW_MS)
    const body = message(1, message(1, message(1, '__name__'), message(2, 'wrapped')), message(2, double(1, 1), int(2, wraps)))
    expect((await write(snappyBlock(body))).status).toBe(400)
  })

  it.each<[string, Buffer, Record<string, string>, number]>([
    ['what is no snappy block', Buffer.from('nonsense'), V1, 400],
    ['a block that would grow beyond the limit', Buffer.from([0xff, 0xff, 0xff, 0x7f, 0x00]), V1, 413],
    ['a block that is no message', snappyBlock(Buffer.from([0xff])), V1, 400],
    ['another compression', Buffer.alloc(0), { ...V1, 'content-encoding': 'gzip' }, 415],
    ['another type', Buffer.alloc(0), { ...V1, 'content-type': 'application/json' }, 415],
    ['a reference to no symbol', snappyBlock(Buffer.from([0x2a, 0x04, 0x0a, 0x02, 0x08, 0x09])), V2, 400],
    ['an unknown key', snappyBlock(Buffer.alloc(0)), { ...V1, authorization: 'Bearer nope' }, 401]
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await write(body, headers)).status).toBe(status)
  })
})

// First requests of real senders, where they stand beside the repository.
const describeCaptures = existsSync(CAPTURES) ? describe : describe.skip

describeCaptures('the captured requests of real senders', () => {
  it.each(['prometheus_api_v1_write', 'vmagent_api_v1_write', 'fluentbit_api_v1_write'])('%s', async name => {
    const { headers } = JSON.parse(readFileSync(`${CAPTURES}${name}.headers.json`, 'utf8')) as { headers: Record<string, string> }
    const sent = { 'content-type': headers['content-type']!, 'content-encoding': headers['content-encoding'] ?? 'snappy' }
    const reply = await write(readFileSync(`${CAPTURES}${name}.body`), sent)
    expect([reply.status, await reply.text()]).toEqual([204, ''])
    expect(Number(reply.headers.get('x-prometheus-remote-write-samples-written'))).toBeGreaterThan(10)
  })
})
