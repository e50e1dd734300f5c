import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import { STREAM_LIMITS } from '../../src/ingest/streams/stream-limits.js'
import type { Stores } from '../../src/ports/stores.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'

/** Whether the gateway ends after the next append, before the ledger has the batch. */
let endsNext = false

function ending(stores: Stores): Pick<Stores, 'logs' | 'metrics' | 'events'> {
  const logs: Pick<Stores['logs'], 'append' | 'settle' | 'stream'> = {
    settle: ns => stores.logs.settle(ns),
    stream: (ns, request, signal) => stores.logs.stream(ns, request, signal),
    append: async (ns, batch) => {
      const result = await stores.logs.append(ns, batch)
      const isEnd = endsNext
      endsNext = false
      if (isEnd) throw new GatewayError('store_unavailable', 'the gateway ended', { retryAfterS: 1 })
      return result
    }
  }
  return { ...stores, logs: logs as Stores['logs'] }
}

let service: IngestService
beforeAll(async () => {
  service = await openIngestService({}, ending, STREAM_LIMITS)
})
afterAll(() => service.close())

let sealedMs = Date.now()

/** Sends a batch of lines, each a byte, as a sender without state does: sealed at another time than before. */
async function send(id: string, seq: number, lines: readonly number[], more: object = {}): Promise<Record<string, unknown>> {
  const from = lines[0]! - 1
  const place = { from, to: from + lines.length, first_line: lines[0], lines: lines.length }
  const stream = { id, seq, ...place, sealed_at: new Date(sealedMs++).toISOString(), ...more }
  const logs = lines.map(line => ({ message: `${id} line ${line}.` }))
  const headers = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }
  const { json } = await service.api('/api/v1/logs/batch', { method: 'POST', json: { stream, logs }, headers })
  return json
}

/** Numbers of the lines that are stored, in the order of the store. */
async function stored(id: string): Promise<readonly number[]> {
  const ns = namespaceId('prod')
  await service.stores.logs.settle(ns)
  const filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: `${id} line` } as const
  const range = { startNs: 0n, endNs: 1n << 62n }
  const lines: number[] = []
  for await (const page of service.stores.logs.stream(ns, { range, filter, order: 'asc' }, new AbortController().signal))
    lines.push(...page.map(({ message }) => Number(/(\d+)\.$/.exec(message)![1])))
  return lines.toSorted((a, b) => a - b)
}

const fromStart = { recovered: { seq: 1, records: 0 } }

/** The streams of a host, as its agent requests them. */
async function positions(hostId: string): Promise<readonly Record<string, unknown>[]> {
  const headers = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }
  const json = { name: 'web-1', interval_s: 60 }
  const reply = await service.api(`/api/v1/hosts/${hostId}?streams=true`, { method: 'PUT', json, headers })
  return (reply.json['streams'] as { items: Record<string, unknown>[] }).items
}

describe('the first batch of a stream', () => {
  const PLACE = { head: 'aa', anchor: 'bb' }

  it('is noted before it is stored, so that a sender that lost its state sends it again as what it is', async () => {
    const origin = { host_id: 'h-first', ...PLACE }
    endsNext = true
    await send('first-batch-a', 1, [1, 2, 3], origin)
    const place = { next_seq: 1, bytes_to: 0, line_to: 0, end: null }
    expect(await positions('h-first')).toMatchObject([
      { id: 'first-batch-a', ...place, head: 'aa', anchor: null, pending: { to: 3, anchor: 'bb' } }
    ])
    const reply = await send('first-batch-a', 1, [1, 2, 3, 4], { ...origin, ...fromStart })
    expect(reply).toMatchObject({ accepted: 4, stream: { next_seq: 2, bytes_to: 4 } })
    expect(await stored('first-batch-a')).toEqual([1, 2, 3, 4])
    expect(await positions('h-first')).toMatchObject([
      { id: 'first-batch-a', next_seq: 2, bytes_to: 4, anchor: 'bb', pending: null }
    ])
    const account = await service.control.streams.account(namespaceId('prod'), 'first-batch-a')
    expect(account).toMatchObject({ stream: { lines: 4, stored: 4, gapCount: 0 }, lastRun: { from: 0, to: 4, lines: 4 } })
  })

  it.each([
    ['of a sender that names no host', 'first-batch-b', {}],
    ['behind a gap', 'first-batch-c', { host_id: 'h-c', gap: { from: 0, to: 0, lines: null, reason: 'truncated' } }],
    ['with another number than 1', 'first-batch-d', { host_id: 'h-d', seq: 2 }]
  ])('is not noted %s', async (_, id, more) => {
    endsNext = true
    expect(await send(id, 1, [1], more)).toMatchObject({ code: 'store_unavailable' })
    expect(await service.control.streams.account(namespaceId('prod'), id)).toBeNull()
  })
})

describe('a batch that was stored when its gateway ended, of a sender that lost its state', () => {
  it('is not stored again when the next batch has more', async () => {
    endsNext = true
    await send('recovered-a', 1, [1, 2, 3])
    const reply = await send('recovered-a', 1, [1, 2, 3, 4, 5], fromStart)
    expect(reply).toMatchObject({ accepted: 5, stream: { next_seq: 2, bytes_to: 5 } })
    expect(reply['stream']).not.toHaveProperty('recovered')
    expect(await stored('recovered-a')).toEqual([1, 2, 3, 4, 5])
    const account = await service.control.streams.account(namespaceId('prod'), 'recovered-a')
    expect(account).toMatchObject({ stream: { lines: 5, stored: 5 } })
  })

  it('is not stored again when the next batches have less, also when a response is lost', async () => {
    endsNext = true
    await send('recovered-b', 1, [1, 2, 3, 4, 5])
    const first = { stream: { next_seq: 2, recovered: { seq: 1, records: 2 } } }
    const sealed_at = new Date(sealedMs).toISOString()
    expect(await send('recovered-b', 1, [1, 2], { ...fromStart, sealed_at })).toMatchObject({ accepted: 2, ...first })
    expect(await send('recovered-b', 1, [1, 2], { ...fromStart, sealed_at })).toMatchObject(first)
    const second = await send('recovered-b', 2, [3, 4, 5, 6], { recovered: { seq: 1, records: 2 } })
    expect(second['stream']).not.toHaveProperty('recovered')
    await send('recovered-b', 3, [7])
    expect(await stored('recovered-b')).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('is not stored again when the gateway ended twice', async () => {
    endsNext = true
    await send('recovered-f', 1, [1, 2, 3])
    endsNext = true
    await send('recovered-f', 1, [1, 2, 3, 4, 5], fromStart)
    expect(await send('recovered-f', 1, [1, 2, 3, 4, 5, 6], fromStart)).toMatchObject({ accepted: 6 })
    expect(await stored('recovered-f')).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('is not stored again when the sender loses its state between two parts of it', async () => {
    endsNext = true
    const origin = { host_id: 'h-parts' }
    await send('recovered-h', 1, [1, 2, 3, 4, 5], origin)
    await send('recovered-h', 1, [1, 2], { ...origin, ...fromStart })
    const recovered = { seq: 1, records: 2 }
    expect(await positions('h-parts')).toMatchObject([{ next_seq: 2, bytes_to: 2, recovered }])
    await send('recovered-h', 2, [3, 4, 5, 6], { ...origin, recovered })
    expect(await positions('h-parts')).toMatchObject([{ next_seq: 3, recovered: null }])
    expect(await stored('recovered-h')).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('is not compared with a batch that the ledger has whole', async () => {
    const aheadMs = sealedMs + 60_000
    await send('recovered-j', 1, [1, 2], { sealed_at: new Date(aheadMs).toISOString() })
    const ofFirst = { sealed_at: new Date(aheadMs + 1000).toISOString(), recovered: { seq: 1, records: 0 } }
    expect(await send('recovered-j', 2, [3, 4], ofFirst)).toMatchObject({ accepted: 2 })
    expect(await stored('recovered-j')).toEqual([1, 2, 3, 4])
  })

  it.each([
    ['repeated', { seq: 1, lines: [1, 2, 3] }, { repeated: true }],
    ['refused', { seq: 2, lines: [2, 3] }, {}]
  ])('is at the place of the ledger when a batch is %s', async (name, { seq, lines }, more) => {
    const id = `recovered-k-${name}`
    endsNext = true
    await send(id, 1, [1, 2, 3, 4, 5])
    await send(id, 1, [1, 2], fromStart)
    const reply = await send(id, seq, lines, fromStart)
    const place = { id, next_seq: 2, bytes_to: 2, line_to: 2, recovered: { seq: 1, records: 2 } }
    expect(reply).toMatchObject({ stream: { ...place, ...more } })
  })

  it('is completed where the sender sealed both at the same time', async () => {
    const sealed_at = new Date(sealedMs++).toISOString()
    endsNext = true
    await send('recovered-i', 1, [1, 2, 3], { sealed_at })
    expect(await send('recovered-i', 1, [1, 2, 3, 4, 5], { ...fromStart, sealed_at })).toMatchObject({ accepted: 5 })
    expect(await stored('recovered-i')).toEqual([1, 2, 3, 4, 5])
  })

  it('is not stored again when its gateway ended, too, and the sender loses its state again', async () => {
    endsNext = true
    await send('recovered-l', 1, [1, 2, 3, 4, 5])
    await send('recovered-l', 1, [1, 2], fromStart)
    const recovered = { seq: 1, records: 2 }
    endsNext = true
    await send('recovered-l', 2, [3, 4, 5, 6, 7], { recovered })
    expect(await send('recovered-l', 2, [3, 4, 5, 6], { recovered })).toMatchObject({
      accepted: 4,
      stream: { next_seq: 3, recovered: { seq: 2, records: 4 } }
    })
    await send('recovered-l', 3, [7, 8], { recovered: { seq: 2, records: 4 } })
    expect(await stored('recovered-l')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('is stored again where lines were added to its last record', async () => {
    endsNext = true
    await send('recovered-m', 1, [1, 2])
    const place = { from: 0, to: 4, first_line: 1, lines: 4, sealed_at: new Date(sealedMs++).toISOString() }
    const logs = ['1.', '2.\n  at 22.', '3.'].map(end => ({ message: `recovered-m line ${end}` }))
    const json = { stream: { id: 'recovered-m', seq: 1, ...place, ...fromStart }, logs }
    const headers = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }
    const reply = await service.api('/api/v1/logs/batch', { method: 'POST', json, headers })
    expect(reply.json).toMatchObject({ accepted: 3 })
    expect(await stored('recovered-m')).toEqual([1, 2, 3, 22])
  })

  it('leaves errors at the positions of their records', async () => {
    endsNext = true
    await send('recovered-g', 1, [1, 2, 3])
    const place = { from: 0, to: 5, first_line: 1, lines: 5, sealed_at: new Date(sealedMs++).toISOString() }
    const stream = { id: 'recovered-g', seq: 1, ...place, ...fromStart }
    const logs = [1, 2, 3, 4, 5].map(line => ({ message: line === 4 ? '' : `recovered-g line ${line}.` }))
    const headers = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }
    const { json } = await service.api('/api/v1/logs/batch', { method: 'POST', json: { stream, logs }, headers })
    expect(json).toMatchObject({ accepted: 4, rejected: 1, errors: [{ index: 3 }] })
    expect(await stored('recovered-g')).toEqual([1, 2, 3, 5])
  })

  it('is compared with nothing behind a gap', async () => {
    endsNext = true
    await send('recovered-c', 1, [1, 2])
    await send('recovered-c', 1, [5, 6], { ...fromStart, gap: { from: 0, to: 4, lines: 4, reason: 'truncated' } })
    expect(await stored('recovered-c')).toEqual([1, 2, 5, 6])
  })

  it('is not confused with batches that were stored before', async () => {
    await send('recovered-d', 1, [1, 2])
    await send('recovered-d', 2, [3, 4], { recovered: { seq: 2, records: 0 } })
    expect(await stored('recovered-d')).toEqual([1, 2, 3, 4])
  })

  it.each([
    ['a number', 7, 'stream.recovered'],
    ['no batch', { seq: 0, records: 0 }, 'stream.recovered.seq'],
    ['less than no records', { seq: 1, records: -1 }, 'stream.recovered.records']
  ])('with %s is invalid', async (_, recovered, field) => {
    expect(await send('recovered-e', 1, [1], { recovered })).toMatchObject({ code: 'invalid_field', errors: [{ field }] })
  })
})
