import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from '@jest/globals'
import { Deliverer, type DeliveryFault } from '../../agent/src/deliver/deliverer.js'
import { HttpPost } from '../../agent/src/deliver/http-post.js'

type Scripted = readonly [status: number, body: object, headers?: Readonly<Record<string, string>>]

const STORED: Scripted = [200, { rejected: 1, stream: { id: 's', next_seq: 3, bytes_to: 9, line_to: 4 } }]
const POSITION = { nextSeq: 3, bytesTo: 9, lineTo: 4 }

let server: Server | null = null
afterEach(() => {
  server?.close()
})

/** A service that responds by a script, and a deliverer to it. */
async function serve(...script: readonly (Scripted | 'hang up')[]): Promise<{
  readonly deliverer: Deliverer
  readonly bodies: string[]
  readonly faults: DeliveryFault[]
  /** Resolves with the first fault. */
  readonly failed: Promise<void>
  readonly stop: AbortController
}> {
  const bodies: string[] = []
  const left = [...script]
  server = createServer((req, res) => {
    const chunks: Buffer[] = []
    const { headers } = req as { headers: Record<string, string> }
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      bodies.push(`${req.url} ${headers['x-api-key']!} ${headers.authorization!} ${gunzipSync(Buffer.concat(chunks)).toString()}`)
      const next = left.shift() ?? 'hang up'
      if (next === 'hang up') return res.destroy()
      const [status, body, more = {}] = next
      return res.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
  const stop = new AbortController()
  const faults: DeliveryFault[] = []
  let onFault: () => void = () => undefined
  const failed = new Promise<void>(resolve => (onFault = resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const deliverer = new Deliverer(
    new HttpPost({ url, login: 'web:p@ss', apiKey: 'key' }),
    fault => {
      faults.push(fault)
      onFault()
    },
    stop.signal
  )
  return { deliverer, bodies, faults, failed, stop }
}

describe('the delivery of a batch', () => {
  it('sends the same bytes until the service reports them as stored', async () => {
    const busy: Scripted = [429, { code: 'rate_limited', detail: 'slower' }, { 'retry-after': '0' }]
    const { deliverer, bodies, faults } = await serve('hang up', busy, [503, {}, { 'retry-after': '0' }], STORED)
    expect(await deliverer.deliver('/api/v1/logs/batch', () => '{"a":1}')).toEqual({
      kind: 'stored',
      position: POSITION,
      rejected: 1
    })
    expect(bodies).toEqual(Array<string>(4).fill('/api/v1/logs/batch key Basic d2ViOnBAc3M= {"a":1}'))
    expect(faults.map(({ text }) => text).slice(1)).toEqual(['429 rate_limited: slower', '503'])
    expect([deliverer.retries, deliverer.fault]).toEqual([3, null])
  })

  it('takes over the position of a service that has another one', async () => {
    const { deliverer } = await serve([409, { stream: { next_seq: 3, bytes_to: 9, line_to: 4 } }])
    expect(await deliverer.deliver('/api/v1/logs/batch', () => '{}')).toEqual({ kind: 'conflict', position: POSITION })
  })

  it('reports a batch that is too large', async () => {
    const { deliverer } = await serve([413, { code: 'payload_too_large' }])
    expect(await deliverer.deliver('/api/v1/logs/batch', () => '{}')).toEqual({ kind: 'too_large' })
  })

  it.each([
    [[401, { code: 'invalid_credential', detail: 'unknown key' }], '401 invalid_credential: unknown key'],
    [[403, { code: 'namespace_not_allowed', detail: 'no' }], '403 namespace_not_allowed: no'],
    [[410, { code: 'namespace_deleted', detail: 'gone' }], '410 namespace_deleted: gone'],
    [[200, { accepted: 1 }], 'the service does not support log streams; upgrade it']
  ] as const)('waits for an operator after %j, and keeps the batch', async (response, text) => {
    const { deliverer, bodies, faults, failed, stop } = await serve(response, STORED)
    const delivery = deliverer.deliver('/api/v1/logs/batch', () => '{}')
    const refused = expect(delivery).rejects.toThrow(/abort/i)
    await failed
    stop.abort()
    await refused
    expect([faults, bodies.length]).toEqual([[{ text, isRefused: true }], 1])
  })

  it('has at most four batches in flight', async () => {
    const { deliverer, bodies, stop } = await serve()
    server!.removeAllListeners('request')
    let open = 0
    const four = new Promise<void>(resolve => {
      server!.on('request', () => {
        if (++open === 4) resolve()
      })
    })
    const all = Array.from({ length: 6 }, () => deliverer.deliver('/api/v1/logs/batch', () => '{}').catch(() => 'stopped'))
    await four
    stop.abort()
    server!.closeAllConnections()
    expect(await Promise.all(all)).toEqual(Array<string>(6).fill('stopped'))
    expect([open, bodies.length]).toEqual([4, 0])
  })
})
