import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { LogStream, StreamRun } from '../../../src/domain/log-stream.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import type { Cut } from '../../../src/domain/warning.js'
import type { LogStore } from '../../../src/ports/log-store.js'
import type { StreamLedger } from '../../../src/ports/stream-ledger.js'
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
