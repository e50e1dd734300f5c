import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { LogStream, StreamRun } from '../../../src/domain/log-stream.js'
import type { AgentSource, ReportedHost } from '../../../src/domain/reported-host.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import type { Cut } from '../../../src/domain/warning.js'
import type { LogStore } from '../../../src/ports/log-store.js'
import type { StreamLedger } from '../../../src/ports/stream-ledger.js'
import { NO_HOSTS } from '../../support/no-hosts.js'
import { type StreamProofResult, StreamReport } from '../../../src/query/streams/stream-report.js'

const NOW_MS = Date.parse('2026-11-20T10:00:00Z')
const DAY_MS = 86_400_000
const NAMESPACE = { id: 'namespace01' as NamespaceId, retention: DEFAULT_RETENTION } as Namespace
const STREAM = { id: 'stream-1', host: 'web-1', path: '/a', end: null, lastAtMs: NOW_MS } as LogStream

/** The proof of a stream of five records, of which the log store has some. */
async function recount(found: number, atMs = NOW_MS, cuts: readonly Cut[] = []): Promise<StreamProofResult> {
  const run: StreamRun = { from: 0, to: 50, firstLine: 1, lines: 5, stored: 5, minMs: atMs, maxMs: atMs, atMs }
  const streams = { account: async () => ({ stream: STREAM, lastRun: run, gaps: [] }), runs: async () => [run] }
  const total = { value: found, relation: 'eq' }
  const logs = { settle: async () => undefined, search: async () => ({ total, complete: cuts.length === 0, warnings: cuts }) }
  const clock = { nowMs: () => NOW_MS, nowNs: () => BigInt(NOW_MS) * 1_000_000n, monotonicMs: () => 0 }
  const report = new StreamReport({
    streams: streams as unknown as StreamLedger,
    logs: logs as unknown as LogStore,
    hosts: NO_HOSTS,
    clock
  })
  return (await report.prove(NAMESPACE, STREAM.id, { recount: true }, new AbortController().signal))!
}

it('is not complete when the log store has fewer records than it took', async () => {
  const proof = await recount(3)
  const detail = 'Of 5 records of /a on web-1 that were stored, the log store has 3.'
  expect(proof).toMatchObject({ complete: false, recounted: 3, sentence: detail, warnings: [{ kind: 'store', detail }] })
  expect(await recount(5)).toMatchObject({ complete: true, recounted: 5, warnings: [] })
})

it('misses no records where some cannot be counted now, and proves nothing', async () => {
  const waiting: Cut = { kind: 'spooled', detail: '2 logs are spooled on other gateways', remedy: 'Repeat the query later.' }
  const proof = await recount(3, NOW_MS, [waiting])
  const sentence = 'Of 5 records of /a on web-1 that were stored, 3 can be counted now.'
  expect(proof).toMatchObject({ complete: false, recounted: 3, sentence, warnings: [waiting] })
  expect(await recount(5, NOW_MS, [waiting])).toMatchObject({ complete: true, recounted: 5, warnings: [waiting] })
})

it('does not miss records that are past the retention', async () => {
  expect(await recount(3, NOW_MS - 400 * DAY_MS)).toMatchObject({ complete: true, recounted: 3, warnings: [] })
})

/** What is listed of two streams of one host when its agent reported these sources. */
async function lags(
  sources: readonly AgentSource[],
  { id = 'machine-1', lastSeenMs = NOW_MS, end = null }: { id?: string; lastSeenMs?: number; end?: LogStream['end'] } = {}
): Promise<readonly (number | null)[]> {
  const of = (path: string): LogStream => ({ ...STREAM, id: path, path, hostId: 'machine-1', end, gapCount: 0 })
  const streams = { list: async () => [of('/a'), of('/b')], gaps: async () => new Map() }
  const host = { id, name: 'web-1', intervalMs: 60_000, lastSeenMs, agent: { sources } } as unknown as ReportedHost
  const clock = { nowMs: () => NOW_MS, nowNs: () => BigInt(NOW_MS) * 1_000_000n, monotonicMs: () => 0 }
  const report = new StreamReport({
    streams: streams as unknown as StreamLedger,
    logs: {} as LogStore,
    hosts: { named: async (_, names) => (names.includes('web-1') ? [host] : []) },
    clock
  })
  return (await report.list(NAMESPACE, {})).streams.map(({ lagBytes }) => lagBytes)
}

it('states what its agent reports as not stored yet of a stream', async () => {
  const a = { path: '/a', state: 'reading', lagBytes: 7 }
  expect(await lags([a, { path: '/b', state: 'reading', lagBytes: null }])).toEqual([7, null])
})

it('does not state how far a stream is behind where that is not known', async () => {
  const a = { path: '/a', state: 'reading', lagBytes: 7 }
  const unknown = [null, null]
  expect(await lags([])).toEqual(unknown)
  // Of two files of one path it is not known which the stream is.
  expect(await lags([a, { ...a, state: 'rotated' }])).toEqual(unknown)
  expect(await lags([a], { id: 'clone' })).toEqual(unknown)
  expect(await lags([a], { lastSeenMs: NOW_MS - 4 * 60_000 })).toEqual(unknown)
  expect(await lags([a], { end: 'rotated' })).toEqual(unknown)
})
