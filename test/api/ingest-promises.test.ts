import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { Stores } from '../../src/ports/stores.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'

/** What the next append of logs does instead; faults are the one thing that is played here. */
let fault: 'before' | 'after' | null = null

function faulty(stores: Stores): Pick<Stores, 'logs' | 'metrics' | 'events'> {
  const logs: Pick<Stores['logs'], 'append' | 'settle'> = {
    settle: ns => stores.logs.settle(ns),
    append: async (ns, batch) => {
      const now = fault
      fault = null
      if (now === 'before') throw new GatewayError('overloaded', 'queue is full', { retryAfterS: 2 })
      const result = await stores.logs.append(ns, batch)
      if (now === 'after') throw new GatewayError('store_unavailable', 'the store process ended', { retryAfterS: 1 })
      return result
    }
  }
  return { ...stores, logs: logs as Stores['logs'] }
}

let service: IngestService
beforeAll(async () => {
  service = await openIngestService({ bytesPerSecond: 10_000, burstSeconds: 2 }, faulty)
})
afterAll(() => service.close())

function post(json: unknown, headers: Record<string, string> = {}, path = '/logs/batch'): Promise<CheckedResponse> {
  service.clock.aheadMs += 60_000
  return service.api(`/api/v1${path}`, {
    method: 'POST',
    json,
    headers: { 'x-api-key': 'ingest', 'x-service-namespace': 'prod', ...headers }
  })
}

async function countOf(message: string): Promise<number> {
  const filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: message } as const
  const range = { startNs: 0n, endNs: 1n << 62n }
  const found = await service.stores.logs.search(
    namespaceId('prod'),
    { range, filter, total: true },
    new AbortController().signal
  )
  return found.total!.value
}

describe('an Idempotency-Key over HTTP', () => {
  it('stores a repeat once and returns the first result', async () => {
    const body = { logs: [{ message: 'once-a' }, {}] }
    const first = await post(body, { 'idempotency-key': 'a' })
    const repeat = await post(body, { 'idempotency-key': 'a' })
    expect([first.status, repeat.status]).toEqual([200, 200])
    expect(repeat.json).toEqual(first.json)
    expect([first, repeat].map(response => response.headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(await countOf('once-a')).toBe(1)
  })

  it('is 422 with another body', async () => {
    await post([{ message: 'once-b' }], { 'idempotency-key': 'b' })
    expect((await post([{ message: 'other-b' }], { 'idempotency-key': 'b' })).json).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch'
    })
    expect(await countOf('other-b')).toBe(0)
  })

  it('stores once when the response of the first request was lost', async () => {
    fault = 'after'
    const body = [{ message: 'once-c' }]
    expect((await post(body, { 'idempotency-key': 'c' })).json).toMatchObject({ status: 503, code: 'store_unavailable' })
    const repeat = await post(body, { 'idempotency-key': 'c' })
    expect(repeat.json).toMatchObject({ status: 'ok', accepted: 1 })
    expect(repeat.headers.get('idempotency-replayed')).toBe('true')
    expect(await countOf('once-c')).toBe(1)
  })

  it('is free after a refusal, bound to its body after a fault of the service', async () => {
    const key = { 'idempotency-key': 'd' }
    expect((await post([{}], key)).status).toBe(400)
    fault = 'before'
    expect((await post([{ message: 'once-d' }], key)).status).toBe(503)
    expect((await post([{ message: 'once-d2' }], key)).json).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
    expect((await post([{ message: 'once-d' }], key)).json).toMatchObject({ accepted: 1 })
    expect([await countOf('once-d'), await countOf('once-d2')]).toEqual([1, 0])
  })

  it('belongs to its credential', async () => {
    const first = await post([{ message: 'once-e' }], { 'idempotency-key': 'e' })
    const other = await post([{ message: 'once-e' }], { 'idempotency-key': 'e', 'x-api-key': 'other' })
    expect(other.json?.['ingest_id']).not.toBe(first.json?.['ingest_id'])
  })
})

describe('a store that fails', () => {
  it('gets its status and when to come back, nothing acknowledged', async () => {
    fault = 'before'
    const response = await post([{ message: 'lost-f' }])
    expect(response.json).toMatchObject({ status: 503, code: 'overloaded', retryable: true })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await countOf('lost-f')).toBe(0)
  })
})

describe('ack=searchable', () => {
  it('responds once a query sees the records', async () => {
    expect((await post([{ message: 'seen-g' }], {}, '/logs/batch?ack=searchable')).status).toBe(200)
    expect(await countOf('seen-g')).toBe(1)
  })
})

describe('the rate of a namespace', () => {
  it('refuses a request whole before any of it is stored', async () => {
    service.clock.aheadMs += 60_000
    const send = (message: string): Promise<CheckedResponse> =>
      service.api('/api/v1/logs', {
        method: 'POST',
        json: { message: `${message} ${'x'.repeat(12_000)}` },
        headers: { 'x-api-key': 'ingest' }
      })
    expect((await send('rate-1')).headers.get('ratelimit')).toMatch(/^"ingest";r=79\d\d;t=2$/)
    const refused = await send('rate-2')
    expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited', retryable: true })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('x-resolved-namespace')).toBe('prod')
    expect(await countOf('rate-2')).toBe(0)
    const elsewhere = await service.api('/api/v1/logs', {
      method: 'POST',
      json: { message: 'rate-3', namespace: 'stage' },
      headers: { 'x-api-key': 'ingest' }
    })
    expect(elsewhere.status).toBe(200)
    service.clock.aheadMs += 2_000
    expect((await send('rate-2')).status).toBe(200)
  })
})

describe('the ledger over HTTP', () => {
  async function sums(signal: 'logs' | 'metrics'): Promise<number[]> {
    const day = new Date(Date.now() + service.clock.aheadMs).toISOString().slice(0, 10)
    await service.ingest.close()
    const usage = await service.control.usage.of(namespaceId('stage'), day, day)
    const found = usage.find(delta => delta.signal === signal)
    return found ? [found.stored, found.rejected, found.deduplicated] : [0, 0, 0]
  }

  it('counts values that were left out, of a repeat too', async () => {
    const headers = { 'x-api-key': 'ingest', 'x-service-namespace': 'stage', 'idempotency-key': 'strings' }
    const before = await sums('metrics')
    for (let i = 0; i < 2; i++) {
      const { status } = await fetch(`${service.url}/api/v2/write`, { method: 'POST', headers, body: 'cpu n=1,a="x",b="y"' })
      expect(status).toBe(204)
    }
    const after = await sums('metrics')
    expect(after.map((value, i) => value - before[i]!)).toEqual([1, 4, 1])
  })

  it('has received = stored + rejected + deduplicated', async () => {
    const headers = { 'x-service-namespace': 'stage', 'idempotency-key': 'h' }
    const before = await sums('logs')
    await post([{ message: 'h1' }, { message: 'h2' }, {}], headers)
    await post([{ message: 'h1' }, { message: 'h2' }, {}], headers)
    await post([{}], { 'x-service-namespace': 'stage' })
    await post([{ message: 'shown' }], { 'x-service-namespace': 'stage' }, '/logs/batch?dry_run=true')
    const after = await sums('logs')
    expect(after.map((value, i) => value - before[i]!)).toEqual([2, 3, 2])
  })
})
