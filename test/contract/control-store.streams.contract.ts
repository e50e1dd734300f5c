import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { LogStream, StreamGap, StreamRun } from '../../src/domain/log-stream.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { LostLinesRequest, StreamChange, StreamListRequest } from '../../src/ports/stream-ledger.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function stream(id: string, changes: Partial<LogStream> = {}): LogStream {
  return {
    namespaceId: SHOP,
    id,
    hostId: 'host-1',
    host: 'web-1',
    path: '/var/log/ÄÖ 日本.log',
    kind: 'file',
    service: 'shop',
    head: 'ab',
    anchor: null,
    nextSeq: 2 ** 32 - 1,
    bytesFrom: 0,
    bytesTo: 2 ** 52,
    firstLine: 1,
    lineTo: 7_000_000_000,
    lines: 7_000_000_000,
    stored: 6_999_999_999,
    rejected: 1,
    gapCount: 0,
    firstAtMs: NOW_MS,
    lastAtMs: NOW_MS + 5,
    sealedAtMs: NOW_MS - 7,
    recovered: { seq: 2 ** 32 - 1, records: 3 },
    end: null,
    pending: null,
    ...changes
  }
}

function run(from: number, to: number, changes: Partial<StreamRun> = {}): StreamRun {
  return { from, to, firstLine: from + 1, lines: to - from, stored: 3, minMs: NOW_MS, maxMs: null, atMs: NOW_MS, ...changes }
}

function gap(no: number, changes: Partial<StreamGap> = {}): StreamGap {
  const place = { from: no * 10, to: no * 10 + 5, firstLine: null, lines: null }
  return { no, ...place, reason: 'skipped', code: null, missing: null, merged: 1, atMs: NOW_MS, ...changes }
}

function change(of: LogStream, changes: Partial<StreamChange> = {}): StreamChange {
  return { stream: of, runs: [], gaps: [], closed: [], ...changes }
}

/** Which lines of log streams arrived. */
export function controlStreamsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const all = async (request: Partial<StreamListRequest> = {}): Promise<readonly string[]> =>
    (await store.streams.list(SHOP, { limit: 100, ...request })).map(({ id }) => id)

  /** Numbers of gaps by stream. */
  const gapsOf = async (ns: typeof SHOP, ids: readonly string[], limit = 10): Promise<Record<string, readonly number[]>> =>
    Object.fromEntries([...(await store.streams.gaps(ns, ids, limit))].map(([id, gaps]) => [id, gaps.map(({ no }) => no)]))

  it('gives an account of a stream, apart by namespace', async () => {
    const end = 2 ** 52
    const mine = stream('a', { gapCount: 2 })
    const gaps = [gap(1, { firstLine: 3, lines: 4 }), gap(2, { code: 'invalid_field', missing: { first: 3, end: 9 }, merged: 2 })]
    await store.streams.save([
      change(mine, { runs: [run(0, 5), run(5, end)], gaps }),
      change(stream('a', { namespaceId: BANK, end: 'rotated' }))
    ])
    expect(await store.streams.account(SHOP, 'a')).toEqual({ stream: mine, lastRun: run(5, end), gaps })
    expect(await store.streams.account(BANK, 'a')).toMatchObject({ stream: { end: 'rotated' }, lastRun: null, gaps: [] })
    expect(await store.streams.account(BANK, 'b')).toBeNull()
    expect(await gapsOf(BANK, ['a'])).toEqual({})
    expect(await store.streams.runs(BANK, 'a', { from: 0, limit: 10 })).toEqual([])
  })

  it('replaces the stream, runs by their place and gaps by their number, and removes closed gaps', async () => {
    await store.streams.save([change(stream('a', { gapCount: 2 }), { runs: [run(0, 5)], gaps: [gap(1), gap(2)] })])
    const later = stream('a', { gapCount: 2, bytesTo: 9, end: 'deleted' })
    const longer = run(0, 9, { stored: 8, maxMs: NOW_MS + 1 })
    await store.streams.save([change(later, { runs: [longer], gaps: [gap(2, { lines: 1 }), gap(3)], closed: [1] })])
    const account = { stream: later, lastRun: longer, gaps: [gap(2, { lines: 1 }), gap(3)] }
    expect(await store.streams.account(SHOP, 'a')).toEqual(account)
  })

  it('notes the first batch of a stream until one is stored', async () => {
    const pending = { to: 2 ** 52, anchor: 'cd' }
    await store.streams.save([
      change(stream('a', { nextSeq: 1, pending })),
      change(stream('b', { nextSeq: 1, pending: { to: 1, anchor: null }, sealedAtMs: null, recovered: null }))
    ])
    expect(await store.streams.account(SHOP, 'a')).toMatchObject({ stream: { pending }, lastRun: null })
    const listed = await store.streams.list(SHOP, { limit: 100 })
    expect(listed.map(one => one.pending)).toEqual([pending, { to: 1, anchor: null }])
    await store.streams.save([change(stream('a'))])
    expect(await store.streams.account(SHOP, 'a')).toMatchObject({ stream: { pending: null } })
  })

  it('reads the first gap of each stream in a time, of all namespaces, but those of lines that rules drop', async () => {
    const at = (no: number, atMs: number, changes: Partial<StreamGap> = {}): StreamGap => gap(no, { atMs, ...changes })
    const lost = { reason: 'truncated', lines: 2 ** 52, firstLine: 3, code: 'x', missing: { first: 1, end: 2 } } as const
    await store.streams.save([
      change(stream('a', { gapCount: 3 }), { gaps: [at(1, 9), at(2, 12), at(3, 11), at(4, 11, lost)] }),
      change(stream('b', { host: null, path: null, service: null, gapCount: 2 }), {
        gaps: [at(1, 10, { reason: 'dropped' }), at(2, 19)]
      }),
      change(stream('c', { gapCount: 1 }), { gaps: [at(1, 20)] }),
      change(stream('a', { namespaceId: BANK, gapCount: 1 }), { gaps: [at(1, 10)] })
    ])
    const all = { fromMs: 10, toMs: 20, streams: 9, limit: 9 }
    const origin = { host: 'web-1', path: '/var/log/ÄÖ 日本.log', service: 'shop' }
    const none = { host: null, path: null, service: null }
    expect(await store.streams.found(all)).toEqual([
      { namespaceId: BANK, streamId: 'a', ...origin, gap: at(1, 10), streams: 1 },
      { namespaceId: SHOP, streamId: 'a', ...origin, gap: at(3, 11), streams: 2 },
      { namespaceId: SHOP, streamId: 'b', ...none, gap: at(2, 19), streams: 2 }
    ])
    expect(await store.streams.found({ ...all, fromMs: 9, toMs: 10, limit: 1 })).toMatchObject([{ gap: at(1, 9), streams: 1 }])
    await store.streams.save([change(stream('d', { gapCount: 1 }), { gaps: [at(1, 40, lost)] })])
    expect(await store.streams.found({ ...all, fromMs: 40, toMs: 41 })).toMatchObject([{ gap: at(1, 40, lost) }])
    const firsts = [9, 10, 13, 20, 21, 41].map(fromMs => store.streams.firstFound(fromMs))
    expect(await Promise.all(firsts)).toEqual([9, 10, 19, 20, 40, null])
  })

  it('reads gaps of a few streams of a namespace, one of each service first', async () => {
    const found = (id: string, service: string, atMs: number, ns = SHOP): StreamChange =>
      change(stream(id, { namespaceId: ns, service, gapCount: 1 }), { gaps: [gap(1, { atMs })] })
    await store.streams.save([
      ...[found('a', 'loud', 10), found('b', 'loud', 11), found('c', 'loud', 12), found('d', 'quiet', 13)],
      found('z', 'other', 19, BANK)
    ])
    const read = async (streams: number, limit = 9): Promise<readonly string[]> =>
      (await store.streams.found({ fromMs: 10, toMs: 20, streams, limit })).map(one => `${one.streamId}${one.streams}`)
    expect([await read(2), await read(3), await read(9, 2)]).toEqual([
      ['a4', 'z1', 'd4'],
      ['a4', 'z1', 'd4', 'b4'],
      ['a4', 'z1']
    ])
  })

  it('saves all changes or none', async () => {
    const broken = { ...stream('b'), id: null as unknown as string }
    await expect(store.streams.save([change(stream('a')), change(broken)])).rejects.toThrow()
    expect(await all()).toEqual([])
  })

  it('lists streams by id, by conditions, page by page', async () => {
    const other = { hostId: 'host-2', host: 'web-2', path: '/p', service: 's', end: 'stopped', gapCount: 1 } as const
    const old = { firstAtMs: NOW_MS - 9, lastAtMs: NOW_MS - 5 }
    await store.streams.save([change(stream('b')), change(stream('a')), change(stream('c', { ...other, ...old }))])
    await store.streams.save([change(stream('d', { namespaceId: BANK }))])
    expect(await all()).toEqual(['a', 'b', 'c'])
    expect([await all({ endedSinceMs: NOW_MS - 5 }), await all({ endedSinceMs: NOW_MS - 4 })]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b']
    ])
    expect([await all({ limit: 2 }), await all({ after: 'b' })]).toEqual([['a', 'b'], ['c']])
    const some: readonly Partial<StreamListRequest>[] = [
      { hostId: 'host-2' },
      { host: 'web-2' },
      { hostOrNone: 'web-2' },
      { path: '/p' },
      { service: 's' },
      { times: [{ isEnded: true }] },
      { hasGaps: true },
      { untilMs: NOW_MS },
      { times: [{ isEnded: true, quietSinceMs: NOW_MS }] },
      { times: [{ isEnded: true }, { isEnded: false, quietSinceMs: NOW_MS }] }
    ]
    for (const request of some) expect(await all(request)).toEqual(['c'])
    for (const request of [
      { times: [{ isEnded: false }] },
      { times: [{ isEnded: false, sinceMs: NOW_MS }] },
      { hasGaps: false },
      { sinceMs: NOW_MS }
    ])
      expect(await all(request)).toEqual(['a', 'b'])
    expect([await store.streams.count(SHOP), await store.streams.count(BANK)]).toEqual([3, 1])
  })

  it('lists gaps and runs of a stream in the order of their place', async () => {
    const gaps = [gap(1, { from: 90, to: 91 }), gap(2), gap(3, { from: 20 })]
    await store.streams.save([change(stream('a', { gapCount: 3 }), { gaps, runs: [run(50, 60), run(0, 10), run(10, 20)] })])
    await store.streams.save([change(stream('b', { gapCount: 1 }), { gaps: [gap(4)] })])
    expect(await gapsOf(SHOP, ['a'], 10)).toEqual({ a: [2, 3, 1] })
    expect(await gapsOf(SHOP, ['a', 'b', 'none'], 2)).toEqual({ a: [2, 3], b: [4] })
    expect(await gapsOf(SHOP, [], 2)).toEqual({})
    const from = async (start: number, limit: number): Promise<readonly number[]> =>
      (await store.streams.runs(SHOP, 'a', { from: start, limit })).map(one => one.from)
    expect([await from(0, 10), await from(10, 1), await from(51, 9)]).toEqual([[0, 10, 50], [10], []])
  })

  it('finds gaps of any streams in the time in which their lines can have been written', async () => {
    const at = (minMs: number | null, maxMs: number | null): Partial<StreamRun> => ({ minMs, maxMs, atMs: 500 })
    await store.streams.save([
      change(stream('a', { gapCount: 3, lastAtMs: 900 }), {
        runs: [run(0, 10, at(100, 200)), run(20, 30, at(300, 400))],
        gaps: [
          gap(1, { from: 10, to: 20, lines: 4 }),
          gap(2, { from: 30, to: 30, lines: null, atMs: 950 }),
          gap(3, { from: 40, to: 50, reason: 'dropped' })
        ]
      }),
      change(stream('b', { gapCount: 1, host: 'web-2', path: '/b', service: null, lastAtMs: 700 }), {
        runs: [run(5, 9, at(null, null))],
        gaps: [gap(1, { from: 0, to: 5 })]
      }),
      change(stream('c', { namespaceId: BANK, gapCount: 1 }), { gaps: [gap(1)] })
    ])
    const lost = async (request: Partial<LostLinesRequest> = {}): Promise<readonly string[]> =>
      (await store.streams.lost(SHOP, { anyService: false, sinceMs: 0, untilMs: 10_000, limit: 10, ...request })).map(
        ({ streamId, gap: { no }, times }) => `${streamId}${no} ${times.minMs}-${times.maxMs}`
      )
    const [first, second, third] = ['a1 100-400', 'a2 300-950', 'b1 0-500']
    expect(await lost()).toEqual([first, second, third])
    expect(await lost({ limit: 2 })).toEqual([first, second])
    expect([await lost({ untilMs: 100 }), await lost({ untilMs: 101 }), await lost({ sinceMs: 950 })]).toEqual([
      [third],
      [first, third],
      [second]
    ])
    expect([await lost({ sinceMs: 951 }), await lost({ sinceMs: 401 })]).toEqual([[], [second, third]])
    expect([await lost({ hosts: ['web-2', 'x'] }), await lost({ paths: ['/b'] }), await lost({ ids: ['b'] })]).toEqual([
      [third],
      [third],
      [third]
    ])
    expect(await lost({ services: ['shop'] })).toEqual([first, second])
    expect(await lost({ services: ['shop'], anyService: true })).toEqual([first, second, third])
    const [found] = await store.streams.lost(SHOP, { anyService: false, sinceMs: 0, untilMs: 9, limit: 1 })
    expect(found).toMatchObject({ path: '/b', host: 'web-2', gap: { lines: null, reason: 'skipped' } })
  })

  it('forgets the oldest stream that is ended or idle, with its runs and gaps', async () => {
    const at = (lastAtMs: number, end: LogStream['end'] = null): Partial<LogStream> => ({ lastAtMs, end, gapCount: 1 })
    const parts = { runs: [run(0, 5)], gaps: [gap(1)] }
    await store.streams.save([
      change(stream('a', at(NOW_MS + 3, 'rotated')), parts),
      change(stream('b', at(NOW_MS + 2, 'deleted')), parts),
      change(stream('c', at(NOW_MS)), parts),
      change(stream('d', at(NOW_MS + 1)), parts),
      change(stream('e', { ...at(0, 'stopped'), namespaceId: BANK }))
    ])
    const left: (readonly string[])[] = []
    while (await store.streams.forgetOldest(SHOP, NOW_MS + 1)) left.push(await all())
    expect(left).toEqual([['a', 'b', 'd'], ['a', 'd'], ['d']])
    expect(await store.streams.runs(SHOP, 'c', { from: 0, limit: 10 })).toEqual([])
    expect(await gapsOf(SHOP, ['c', 'd'])).toEqual({ d: [1] })
    expect(await store.streams.count(BANK)).toBe(1)
  })

  it('deletes what is older than a time, but not gaps that a late batch may close', async () => {
    const old = { atMs: NOW_MS - 1 }
    const gaps = [gap(1, old), gap(2, { ...old, missing: { first: 1, end: 2 } }), gap(3)]
    await store.streams.save([
      change(stream('a', { gapCount: 3 }), { runs: [run(0, 5, old), run(5, 9)], gaps }),
      change(stream('b', { lastAtMs: NOW_MS - 1, gapCount: 1 }), { runs: [run(0, 5)], gaps: [gap(1)] }),
      change(stream('b', { namespaceId: BANK, lastAtMs: 0 }))
    ])
    await store.streams.deleteBefore(SHOP, NOW_MS)
    expect(await all()).toEqual(['a'])
    const account = await store.streams.account(SHOP, 'a')
    expect([account!.stream.gapCount, account!.gaps.map(({ no }) => no)]).toEqual([2, [2, 3]])
    expect((await store.streams.runs(SHOP, 'a', { from: 0, limit: 9 })).map(({ from }) => from)).toEqual([5])
    expect(await gapsOf(SHOP, ['b'])).toEqual({})
    expect(await store.streams.count(BANK)).toBe(1)
  })

  it('forgets those of a deleted namespace, and no others', async () => {
    await store.namespaces.insert(namespace('shop'))
    const parts = { runs: [run(0, 5)], gaps: [gap(1)] }
    await store.streams.save([change(stream('a'), parts), change(stream('a', { namespaceId: BANK }), parts)])
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    const kept = async (ns: typeof SHOP): Promise<readonly number[]> => [
      await store.streams.count(ns),
      (await gapsOf(ns, ['a']))['a']?.length ?? 0,
      (await store.streams.runs(ns, 'a', { from: 0, limit: 9 })).length
    ]
    expect([await kept(SHOP), await kept(BANK)]).toEqual([
      [0, 0, 0],
      [1, 1, 1]
    ])
  })
}
