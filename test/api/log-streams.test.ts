import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import { STREAM_LIMITS } from '../../src/ingest/streams/stream-limits.js'
import type { Stores } from '../../src/ports/stores.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'

/** Whether the response to the next append is lost after it is stored. */
let losesNext = false
/** The next append waits for `opened` when it has called `reached`. */
let gate: { readonly reached: () => void; readonly opened: Promise<void> } | null = null

function losing(stores: Stores): Pick<Stores, 'logs' | 'metrics' | 'events'> {
  const logs: Pick<Stores['logs'], 'append' | 'settle' | 'stream'> = {
    settle: ns => stores.logs.settle(ns),
    stream: (ns, request, signal) => stores.logs.stream(ns, request, signal),
    append: async (ns, batch) => {
      const isLost = losesNext
      losesNext = false
      const waited = gate
      gate = null
      waited?.reached()
      await waited?.opened
      const result = await stores.logs.append(ns, batch)
      if (isLost) throw new GatewayError('store_unavailable', 'the store process ended', { retryAfterS: 1 })
      return result
    }
  }
  return { ...stores, logs: logs as Stores['logs'] }
}

let service: IngestService
beforeAll(async () => {
  service = await openIngestService({}, losing, { ...STREAM_LIMITS, streams: 12 })
})
afterAll(() => service.close())

const SEALED = new Date().toISOString()

const IN_PROD = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }
const HOST = { name: 'web-1', interval_s: 60 }

interface Part {
  readonly seq: number
  /** Numbers of the lines; each is a byte. */
  readonly lines: readonly number[]
}

function body(id: string, { seq, lines }: Part, stream: object = {}, more: object = {}): object {
  const from = lines[0]! - 1
  const place = { from, to: from + lines.length, first_line: lines[0], lines: lines.length }
  return {
    stream: { id, host_id: 'h1', path: `/var/log/${id}.log`, kind: 'file', seq, ...place, sealed_at: SEALED, ...stream },
    defaults: { host: 'web-1', service: 'shop', source: 'file', tags: { region: 'eu' } },
    logs: lines.map(line => ({ message: `${id} line ${line}.` })),
    ...more
  }
}

function post(json: unknown, headers: Record<string, string> = {}, query = ''): Promise<CheckedResponse> {
  const all = { ...IN_PROD, ...headers }
  return service.api(`/api/v1/logs/batch${query}`, { method: 'POST', json, headers: all })
}

/** Messages of the stream in the order of the store. */
async function stored(id: string): Promise<readonly string[]> {
  await service.stores.logs.settle(namespaceId('prod'))
  const filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: `${id} ` } as const
  const range = { startNs: 0n, endNs: 1n << 62n }
  const pages = service.stores.logs.stream(namespaceId('prod'), { range, filter, order: 'asc' }, new AbortController().signal)
  const messages: string[] = []
  for await (const page of pages) messages.push(...page.map(({ message }) => message))
  return messages
}

const gapsOf = async (id: string) => (await service.control.streams.gaps(namespaceId('prod'), [id], 100)).get(id) ?? []
const messages = (id: string, ...lines: readonly number[]): readonly string[] => lines.map(line => `${id} line ${line}.`)

describe('batches of a log stream over HTTP', () => {
  it('are stored with their defaults and the id of the stream, and the response has the position', async () => {
    const response = await post(body('stream-a', { seq: 1, lines: [1, 2] }))
    expect(response).toMatchObject({
      status: 200,
      json: { status: 'ok', accepted: 2, stream: { id: 'stream-a', next_seq: 2, bytes_to: 2, line_to: 2 } }
    })
    const filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: 'stream-a' } as const
    const range = { startNs: 0n, endNs: 1n << 62n }
    await service.stores.logs.settle(namespaceId('prod'))
    const found = await service.stores.logs.search(
      namespaceId('prod'),
      { range, filter, rows: { limit: 1, order: 'desc' } },
      new AbortController().signal
    )
    expect(found.rows![0]).toMatchObject({
      host: 'web-1',
      service: 'shop',
      source: 'file',
      tags: { region: 'eu', 'log.stream.id': 'stream-a' }
    })
    expect(await service.control.streams.account(namespaceId('prod'), 'stream-a')).toMatchObject({
      stream: { host: 'web-1', service: 'shop', path: '/var/log/stream-a.log', lines: 2, stored: 2 }
    })
  })

  it('are stored once, however often they come, and one after the other', async () => {
    const first = body('stream-b', { seq: 1, lines: [1, 2] })
    const second = body('stream-b', { seq: 2, lines: [3] })
    for (const batch of [first, first, second, first, second]) expect((await post(batch)).status).toBe(200)
    expect((await post(first)).json).toMatchObject({ accepted: 2, stream: { next_seq: 3, bytes_to: 3, repeated: true } })
    expect(await stored('stream-b')).toEqual(messages('stream-b', 1, 2, 3))
  })

  it('are stored once when a repeat overtakes the first request', async () => {
    const batch = body('stream-c', { seq: 1, lines: [1, 2, 3] })
    const responses = await Promise.all([post(batch), post(batch), post(batch)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await stored('stream-c')).toEqual(messages('stream-c', 1, 2, 3))
  })

  it('are stored once when other bytes come under the number of one that is in flight', async () => {
    const later = { sealed_at: new Date(Date.parse(SEALED) + 5).toISOString() }
    const batches = [body('stream-n', { seq: 1, lines: [1, 2, 3] }), body('stream-n', { seq: 1, lines: [1, 2] }, later)]
    const responses = await Promise.all(batches.map(batch => post(batch)))
    expect(responses.map(({ status, json }) => [status, (json['stream'] as object | undefined) !== undefined])).toEqual([
      [200, true],
      [200, true]
    ])
    const found = await stored('stream-n')
    expect(new Set(found).size).toBe(found.length)
  })

  it('are stored once when the first response was lost before the ledger knew', async () => {
    losesNext = true
    const batch = body('stream-d', { seq: 1, lines: [1, 2] })
    expect((await post(batch)).status).toBe(503)
    const account = await service.control.streams.account(namespaceId('prod'), 'stream-d')
    expect(account).toMatchObject({
      stream: { nextSeq: 1, bytesTo: 0, lines: 0, pending: { to: 2, anchor: null } },
      lastRun: null
    })
    expect((await post(batch)).json).toMatchObject({ accepted: 2, stream: { next_seq: 2 } })
    expect(await stored('stream-d')).toEqual(messages('stream-d', 1, 2))
  })

  it('of a sender that was killed are listed when it requests its positions, the one in flight included', async () => {
    let [open, reach] = [() => {}, () => {}]
    const opened = new Promise<void>(resolve => (open = resolve))
    const reached = new Promise<void>(resolve => (reach = resolve))
    gate = { reached: reach, opened }
    const batch = post(body('stream-o', { seq: 1, lines: [1, 2] }, { host_id: 'h-killed' }))
    await reached
    const report = (id: string): Promise<CheckedResponse> =>
      service.api(`/api/v1/hosts/${id}?streams=true`, { method: 'PUT', json: HOST, headers: IN_PROD })
    const streams = report('h-killed')
    // Another host does not wait for it.
    expect((await report('h-other')).json).toMatchObject({ streams: { items: [] } })
    open()
    expect((await streams).json).toMatchObject({ streams: { items: [{ id: 'stream-o', bytes_to: 2, next_seq: 2 }] } })
    expect((await batch).status).toBe(200)
  })

  it('are in the ledger without NUL, which PostgreSQL would refuse along with the batches of others', async () => {
    const defaults = { host: 'web\0-1', service: '\0' }
    const reply = await post(body('stream-nul', { seq: 1, lines: [1] }, { path: '/a\0b' }, { defaults }))
    expect(reply.status).toBe(200)
    const account = await service.control.streams.account(namespaceId('prod'), 'stream-nul')
    expect(account).toMatchObject({ stream: { path: '/ab', host: 'web-1', service: null } })
  })

  it('leave a gap that a late batch closes', async () => {
    await post(body('stream-e', { seq: 1, lines: [1] }))
    await post(body('stream-e', { seq: 3, lines: [4, 5] }))
    expect(await gapsOf('stream-e')).toMatchObject([{ from: 1, to: 3, lines: 2, reason: 'skipped' }])
    expect((await post(body('stream-e', { seq: 2, lines: [2, 3] }))).json).toMatchObject({ accepted: 2 })
    expect(await gapsOf('stream-e')).toEqual([])
    expect((await stored('stream-e')).toSorted()).toEqual(messages('stream-e', 1, 2, 3, 4, 5))
  })

  it('that contradict the stream are refused, with its position', async () => {
    await post(body('stream-f', { seq: 1, lines: [1, 2, 3] }))
    const wrong = await post(body('stream-f', { seq: 2, lines: [3, 4] }))
    expect(wrong.json).toMatchObject({ status: 409, code: 'conflict', stream: { next_seq: 2, bytes_to: 3 } })
    expect(await stored('stream-f')).toEqual(messages('stream-f', 1, 2, 3))
  })

  it('go on behind records that are rejected, which the ledger knows', async () => {
    const bad = { logs: [{ message: 'stream-g line 1.' }, { message: '' }] }
    const batch = body('stream-g', { seq: 1, lines: [1, 2] }, {}, bad)
    expect((await post(batch)).json).toMatchObject({ status: 'partial', accepted: 1, rejected: 1, stream: { bytes_to: 2 } })
    expect((await post(batch)).json).toMatchObject({ status: 'partial', accepted: 1, rejected: 1, stream: { repeated: true } })
    const none = body('stream-g', { seq: 2, lines: [3] }, {}, { logs: [{}] })
    expect(await post(none)).toMatchObject({ status: 200, json: { accepted: 0, rejected: 1, stream: { next_seq: 3 } } })
    expect(await gapsOf('stream-g')).toMatchObject([
      { from: 0, to: 2, lines: 1, reason: 'rejected', code: 'missing_field' },
      { from: 2, to: 3, lines: 1, reason: 'rejected', code: 'missing_field' }
    ])
  })

  it('may be empty, to report a gap and an end', async () => {
    const gap = { from: 0, to: 9, lines: null, reason: 'truncated' }
    const place = { from: 9, to: 9, first_line: 1, lines: 0 }
    const batch = body('stream-h', { seq: 1, lines: [1] }, { ...place, gap, end: 'truncated' }, { logs: [] })
    expect((await post(batch)).json).toMatchObject({ status: 'ok', accepted: 0, stream: { next_seq: 2, bytes_to: 9 } })
    expect(await gapsOf('stream-h')).toMatchObject([{ from: 0, to: 9, lines: null, reason: 'truncated' }])
  })

  it('are apart by namespace', async () => {
    const batch = body('stream-i', { seq: 1, lines: [1] })
    await post(batch)
    const other = await post(batch, { 'x-service-namespace': 'stage' })
    expect(other.json).toMatchObject({ accepted: 1, stream: { next_seq: 2 } })
    expect(other.json['stream']).not.toHaveProperty('repeated')
  })

  it('are not stored in a dry run', async () => {
    const batch = body('stream-j', { seq: 1, lines: [1] })
    expect((await post(batch, {}, '?dry_run=true')).json).toMatchObject({ dry_run: true, accepted: 1 })
    expect(await service.control.streams.account(namespaceId('prod'), 'stream-j')).toBeNull()
  })

  it.each([
    ['no id', { id: undefined }, 'missing_field', 'stream.id'],
    ['an id of other characters', { id: 'a b c d e f' }, 'invalid_field', 'stream.id'],
    ['batch 0', { seq: 0 }, 'invalid_field', 'stream.seq'],
    ['a batch number beyond 32 bits', { seq: 2 ** 32 }, 'invalid_field', 'stream.seq'],
    ['an end before its start', { from: 5, to: 4 }, 'invalid_field', 'stream.to'],
    ['lines without bytes', { from: 5, to: 5 }, 'invalid_field', 'stream.to'],
    ['fewer lines than records', { lines: 1 }, 'invalid_field', 'stream.lines'],
    ['no sealing time', { sealed_at: 'today' }, 'invalid_field', 'stream.sealed_at'],
    ['a gap elsewhere', { gap: { from: 0, to: 3, reason: 'deleted' } }, 'invalid_field', 'stream.gap.to'],
    ['an unknown reason', { gap: { from: 0, to: 0, reason: 'lost' } }, 'invalid_field', 'stream.gap.reason'],
    ['an unknown end', { end: 'over' }, 'invalid_field', 'stream.end'],
    ['a path over the limit', { path: 'x'.repeat(4097) }, 'invalid_field', 'stream.path']
  ])('are refused with %s', async (_name, stream, code, field) => {
    const batch = body('stream-k', { seq: 1, lines: [1, 2] }, stream)
    for (const query of ['', '?dry_run=true'])
      expect((await post(batch, {}, query)).json).toMatchObject({ status: 400, code, errors: [{ field }] })
  })

  it('are refused with an Idempotency-Key', async () => {
    const batch = body('stream-k', { seq: 1, lines: [1] })
    expect((await post(batch, { 'idempotency-key': 'x' })).json).toMatchObject({ status: 400, code: 'invalid_field' })
  })

  it('of one stream too many are refused, until a stream has ended', async () => {
    const one = (n: number, stream: object = {}): Promise<CheckedResponse> =>
      post(body(`stream-many-${n}`, { seq: 1, lines: [1] }, stream), { 'x-service-namespace': 'stage' })
    let n = await service.control.streams.count(namespaceId('stage'))
    while (n < 12) await one(n++)
    expect((await one(12)).json).toMatchObject({ status: 429, code: 'quota_exceeded' })
    const next = body('stream-many-3', { seq: 2, lines: [2] }, { end: 'rotated' })
    expect((await post(next, { 'x-service-namespace': 'stage' })).status).toBe(200)
    expect((await one(12)).status).toBe(200)
    expect(await service.control.streams.count(namespaceId('stage'))).toBe(12)
    expect(await service.control.streams.account(namespaceId('stage'), 'stream-many-3')).toBeNull()
  })
})
