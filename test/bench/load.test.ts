import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { heldRate } from '../../bench/commands/measured-load.js'
import { FreshPoints, PooledLogs } from '../../bench/load/bodies.js'
import { parseReply } from '../../bench/load/connection.js'
import { Drive } from '../../bench/load/drive.js'
import { fill } from '../../bench/load/fill.js'
import { percentile, summarizeLatencies } from '../../bench/load/latencies.js'
import { parseOptions } from '../../bench/options.js'
import { toMarkdown } from '../../bench/report.js'
import { parseFirstRun } from '../../bench/service/first-run.js'
import { firstRunText } from '../../src/app/first-run.js'

interface Batch {
  logs: { timestamp: string; trace_id?: string }[]
}

let server: Server | null = null
afterEach(() => {
  server?.close()
})

/** Responds to each POST with the status that `statusOf` gives for its number, and hands over its body. */
async function listen(statusOf: (request: number) => number, onBody: (text: string) => void): Promise<number> {
  let requests = 0
  server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      onBody(Buffer.concat(chunks).toString())
      reply.writeHead(statusOf(requests++), { 'content-length': 2 }).end('{}')
    })
  })
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

describe('pooled log bodies', () => {
  it('carry the time of sending and new trace ids each time, in valid JSON', () => {
    let nowMs = 1_700_000_000_123
    const bodies = new PooledLogs({ seed: 1, batch: 20_000, nowMs: () => nowMs })
    const first = Array.from({ length: 4 }, () => JSON.parse(bodies.next().toString()) as Batch)
    nowMs += 5_000
    const again = JSON.parse(bodies.next().toString()) as Batch
    expect(first[0]!.logs[0]!.timestamp).toBe('2023-11-14T22:13:20.123000000Z')
    expect(again.logs[1]!.timestamp).toBe('2023-11-14T22:13:25.123000001Z')
    const at = again.logs.findIndex(log => log.trace_id !== undefined)
    expect(again.logs[at]!.trace_id).toHaveLength(32)
    expect(again.logs[at]!.trace_id).not.toBe(first[0]!.logs[at]!.trace_id)
  })
  it('hold single records when the batch is one', () => {
    const bodies = new PooledLogs({ seed: 1, batch: 1, nowMs: () => 0 })
    expect(bodies.path).toBe('/api/v1/logs')
    expect(JSON.parse(bodies.next().toString())).toHaveProperty('message')
  })
})

describe('a load run', () => {
  it('counts what was acknowledged and what was refused', async () => {
    const port = await listen(
      request => (request % 4 === 3 ? 429 : 200),
      () => {}
    )
    const bodies = new FreshPoints({ seed: 1, batch: 10, startNs: 0n })
    const result = await new Drive({ host: '127.0.0.1', port, apiKey: 'k' }, bodies).run({
      connections: 2,
      rate: 1000,
      seconds: 0.4
    })
    expect(result.requests + (result.refused['429'] ?? 0)).toBe(40)
    expect(result.refused['429']).toBe(10)
    expect(result.items).toBe(300)
    expect(result.firstRefusal).toBe('429 {}')
  })
})

describe('filling', () => {
  it('sends every row once, repeating what was refused for now', async () => {
    const messages: string[] = []
    let request = 0
    const port = await listen(
      number => (number === 1 ? 503 : 200),
      text => {
        if (request++ !== 1) messages.push(...(JSON.parse(text) as Batch).logs.map(log => log.timestamp))
      }
    )
    const target = { host: '127.0.0.1', port, apiKey: 'k' }
    await fill({ target, rows: 95, seed: 1, startNs: 0n, endNs: 95_000_000_000n, batch: 10, connections: 1 })
    expect(messages).toHaveLength(95)
    expect(new Set(messages).size).toBe(95)
  })
})

describe('numbers', () => {
  it('takes percentiles by nearest rank', () => {
    const sorted = Array.from({ length: 100 }, (_, i) => i + 1)
    expect([percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1), percentile([], 0.5)]).toEqual([
      50,
      99,
      100,
      Number.NaN
    ])
    expect(summarizeLatencies([3, 1, 2])).toEqual({ count: 3, p50: 2, p99: 3, max: 3 })
  })
  it('calls the slowest ten seconds the rate that was held', () => {
    expect(heldRate([...Array.from({ length: 10 }, () => 100), ...Array.from({ length: 10 }, () => 40)])).toBe(40)
  })
  it('writes a Markdown table', () => {
    expect(toMarkdown({ title: 'T', rows: [{ a: 1234.5, b: 'x' }, { a: 0.12345 }], notes: ['n'] })).toBe(
      '### T\n\n| a | b |\n| --- | --- |\n| 1,235 | x |\n| 0.123 |  |\n\n- n'
    )
  })
})

describe('reading', () => {
  it('waits for a whole reply', () => {
    const whole = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
    expect(parseReply(whole.subarray(0, -1))).toBeNull()
    expect(parseReply(whole)).toMatchObject({ status: 200, body: 'hi' })
    expect(parseReply(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))).toMatchObject({ status: 204, body: '' })
  })
  it('refuses flags that are not numbers', () => {
    expect(() => parseOptions(['--rows', 'many'])).toThrow('--rows wants a whole number')
    expect(parseOptions(['--long']).seconds).toBe(180)
  })
  it('finds the credentials of the first start', () => {
    const text = firstRunText(
      {
        email: 'admin@localhost',
        password: 's3cret-words',
        namespace: 'default',
        namespaceId: 'abcdefghij',
        ingestKey: 'ald_0123456789abcdef'
      },
      { apiUrl: 'http://127.0.0.1:1', ingestUrl: 'http://127.0.0.1:1', otlpHttpUrl: null, otlpGrpcUrl: null }
    )
    expect(parseFirstRun(text)).toEqual({
      email: 'admin@localhost',
      password: 's3cret-words',
      namespace: 'default',
      apiKey: 'ald_0123456789abcdef'
    })
    expect(() => parseFirstRun('operator  a@b')).toThrow('first-run.txt names no password')
  })
})
