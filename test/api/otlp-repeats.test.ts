import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { AppendResult } from '../../src/ports/append.js'
import type { Stores } from '../../src/ports/stores.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'
import { double, fixed64, int, message } from '../support/protobuf.js'

/** Whether the response of the next append is lost: stored, and then a fault. */
let isLost = false

async function losing(appending: Promise<AppendResult>): Promise<AppendResult> {
  const result = await appending
  if (!isLost) return result
  isLost = false
  throw new GatewayError('store_unavailable', 'the store process ended', { retryAfterS: 1 })
}

function faulty({ logs, metrics, events }: Stores): Pick<Stores, 'logs' | 'metrics' | 'events'> {
  const lossyLogs: Pick<Stores['logs'], 'append' | 'settle'> = {
    settle: ns => logs.settle(ns),
    append: async (ns, batch) => losing(logs.append(ns, batch))
  }
  const lossyMetrics: Pick<Stores['metrics'], 'append' | 'settle'> = {
    settle: ns => metrics.settle(ns),
    append: async (ns, batch) => losing(metrics.append(ns, batch))
  }
  return { logs: lossyLogs as Stores['logs'], metrics: lossyMetrics as Stores['metrics'], events }
}

let service: IngestService
beforeAll(async () => {
  service = await openIngestService({}, faulty)
})
afterAll(() => service.close())

const PROTOBUF = 'application/x-protobuf'
const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n

async function send(signal: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<number> {
  const reply = await fetch(`${service.url}/v1/${signal}`, {
    method: 'POST',
    headers: { 'x-api-key': 'ingest', 'x-service-namespace': 'prod', 'content-type': PROTOBUF, ...headers },
    body
  })
  await reply.arrayBuffer()
  return reply.status
}

function logBody(text: string, ...time: readonly Buffer[]): Buffer {
  return message(1, message(2, message(2, ...time, message(5, message(1, text)))))
}

function jsonLog(text: string): string {
  const logRecords = [{ observedTimeUnixNano: String(nowNs()), body: { stringValue: text } }]
  return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
}

async function countOf(text: string, namespace = 'prod'): Promise<number> {
  const filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: text } as const
  const range = { startNs: 0n, endNs: 1n << 62n }
  const { signal } = new AbortController()
  return (await service.stores.logs.search(namespaceId(namespace), { range, filter, total: true }, signal)).total!.value
}

describe('a request of OTLP that its sender repeats', () => {
  it('is stored once when its response was lost, in protobuf, compressed or not', async () => {
    const body = logBody('lost-a', fixed64(1, nowNs()))
    isLost = true
    expect(await send('logs', body)).toBe(503)
    expect(await send('logs', body)).toBe(200)
    expect(await send('logs', gzipSync(body), { 'content-encoding': 'gzip' })).toBe(200)
    expect(await countOf('lost-a')).toBe(1)
  })

  it('is stored once in JSON, also when both come at once', async () => {
    const body = jsonLog('lost-b')
    const json = { 'content-type': 'application/json' }
    expect(await Promise.all([1, 2, 3].map(() => send('logs', body, json)))).toEqual([200, 200, 200])
    expect(await countOf('lost-b')).toBe(1)
  })

  it('puts back no value that was replaced since', async () => {
    const at = nowNs()
    const gauge = (value: number): Buffer =>
      message(1, message(2, message(2, message(1, 'lost.gauge'), message(5, message(1, fixed64(3, at), double(4, value))))))
    isLost = true
    expect(await send('metrics', gauge(1))).toBe(503)
    expect(await send('metrics', gauge(2))).toBe(200)
    expect(await send('metrics', gauge(1))).toBe(200)
    const select = { matchers: [{ name: '__name__', op: 'eq', value: 'lost_gauge' }], maxSeries: 9, maxSamples: 9 } as const
    const range = { startNs: at - 1n, endNs: at + 1n }
    const { signal } = new AbortController()
    const found = await service.stores.metrics.select(namespaceId('prod'), { ...select, range }, signal)
    expect(found.map(({ values }) => [...values])).toEqual([[2]])
  })

  it('is another request in another namespace', async () => {
    const body = logBody('lost-c', fixed64(11, nowNs()))
    await send('logs', body)
    await send('logs', body, { 'x-service-namespace': 'stage' })
    expect([await countOf('lost-c'), await countOf('lost-c', 'stage')]).toEqual([1, 1])
  })

  it('is counted as deduplicated', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const sums = async (): Promise<number[]> => {
      await service.ingest.close()
      const usage = await service.control.usage.of(namespaceId('stage'), day, day)
      const logs = usage.find(delta => delta.signal === 'logs')
      return logs ? [logs.stored, logs.rejected, logs.deduplicated] : [0, 0, 0]
    }
    const before = await sums()
    const body = logBody('lost-d', fixed64(1, nowNs()))
    for (let i = 0; i < 3; i++) await send('logs', body, { 'x-service-namespace': 'stage' })
    const after = await sums()
    expect(after.map((value, i) => value - before[i]!)).toEqual([1, 0, 2])
  })
})

describe('two requests of OTLP with the same bytes', () => {
  it('are two when no record states when it was made', async () => {
    const body = logBody('timeless', int(2, 9))
    await send('logs', body)
    await send('logs', body)
    expect(await countOf('timeless')).toBe(2)
  })

  it('are two when nothing of the first was stored', async () => {
    const body = logBody('too early', fixed64(1, nowNs() + 3_700_000_000_000n))
    expect(await send('logs', body)).toBe(200)
    expect(await countOf('too early')).toBe(0)
    service.clock.aheadMs += 600_000
    expect(await send('logs', body)).toBe(200)
    expect(await countOf('too early')).toBe(1)
  })
})
