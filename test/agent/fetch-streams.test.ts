import { describe, expect, it } from '@jest/globals'
import { FaultLog } from '../../agent/src/fault-log.js'
import type { Reply } from '../../agent/src/deliver/http-post.js'
import { fetchStreams } from '../../agent/src/recover/fetch-streams.js'
import { parseLedgerPage } from '../../agent/src/recover/ledger-streams.js'
import { toRecord } from '../../agent/src/recover/to-records.js'

const TIME = '2026-01-01T00:00:00.000Z'
const SINCE_MS = Date.parse(TIME)

function item(id: string, changes: object = {}): object {
  const place = { next_seq: 3, bytes_to: 2_000, line_to: 20, head: 'aa', anchor: 'bb' }
  return { id, path: '/a', kind: 'file', ...place, end: null, first_at: TIME, last_at: TIME, ...changes }
}

const page = (items: readonly object[], hasMore = false): Reply => ({
  ...{ status: 200, retryAfterS: null },
  json: { streams: { items, since: TIME, has_more: hasMore } }
})

async function fetched(
  replies: readonly (Reply | Error)[]
): Promise<{ result: unknown; paths: readonly string[]; faults: string[] }> {
  const paths: string[] = []
  const faults: string[] = []
  const post = {
    compress: async (body: string) => Buffer.from(body),
    put: async (path: string) => {
      const reply = replies[paths.push(path) - 1]!
      if (reply instanceof Error) throw reply
      return reply
    }
  }
  const clock = { nowMs: () => 0, elapsedMs: () => 0 }
  const log = new FaultLog((event, { err }) => faults.push(`${event}: ${String(err)}`), clock)
  const options = { post, hostId: 'm', body: '{}', url: 'http://s', faults: log, signal: new AbortController().signal }
  return { result: await fetchStreams(options), paths, faults }
}

describe('positions of the service', () => {
  it('are fetched page by page', async () => {
    const { result, paths } = await fetched([page([item('a'), item('b', { kind: 'syslog' })], true), page([item('c')])])
    expect(result).toMatchObject({ streams: [{ id: 'a', bytesTo: 2_000, isEnded: false }, { id: 'c' }], sinceMs: SINCE_MS })
    expect(paths).toEqual(['/api/v1/hosts/m?streams=true&after=', '/api/v1/hosts/m?streams=true&after=a'])
  })

  it('are waited for', async () => {
    const busy = { status: 503, retryAfterS: null, json: { code: 'overloaded', detail: 'later' } }
    const { result, faults } = await fetched([new Error('refused'), busy, page([])])
    expect(result).toEqual({ streams: [], sinceMs: SINCE_MS })
    expect(faults).toEqual([
      'waiting for positions of log streams: Error: refused',
      'waiting for positions of log streams: 503 overloaded: later'
    ])
  })

  it.each([
    { status: 400, retryAfterS: null, json: { code: 'invalid_field' } },
    { status: 429, retryAfterS: null, json: { code: 'quota_exceeded' } },
    { status: 200, retryAfterS: null, json: { status: 'ok' } }
  ])('are not waited for when the service will never have them, %j', async reply => {
    expect((await fetched([reply])).result).toBeNull()
  })

  it('that are not whole are left out', () => {
    const broken = [null, 7, {}, item('a', { path: null }), item('b', { bytes_to: '5' }), item('c', { last_at: 'x' }), item('d')]
    expect(parseLedgerPage({ streams: { items: broken, since: TIME, has_more: false } })!.streams.map(({ id }) => id)).toEqual([
      'd'
    ])
    expect(parseLedgerPage({ streams: { items: [], since: 'never' } })).toBeNull()
  })
})

describe('a stream of the service in the journal', () => {
  const [stream] = parseLedgerPage(page([item('a', { end: 'rotated' })]).json)!.streams

  it('is recognized by its first bytes and those before its place', () => {
    expect(toRecord(stream!, '/a')).toMatchObject({
      ...{ id: 'a', pattern: '/a', offset: 2_000, nextLine: 21, nextSeq: 3, pin: null, endedAtMs: SINCE_MS },
      ...{ head: { bytes: 1_024, sum: 'aa' }, anchor: { bytes: 256, sum: 'bb' } }
    })
  })

  it('that is short is recognized by what is before its place', () => {
    const short = toRecord({ ...stream!, bytesTo: 100, isEnded: false }, '/a')
    expect([short.head.bytes, short.anchor, short.endedAtMs]).toEqual([0, { bytes: 100, sum: 'bb' }, null])
    expect(toRecord({ ...stream!, anchor: null, head: null }, '/a')).toMatchObject({ head: { bytes: 0 }, anchor: { bytes: 0 } })
  })
})
