import { expect, it } from '@jest/globals'
import type { LogStream } from '../../../../src/domain/log-stream.js'
import { firstUlidAt } from '../../../../src/domain/ulid.js'
import { recordId } from '../../../../src/domain/ids.js'
import type { StoredLog } from '../../../../src/domain/records/log.js'
import { streamIngestId } from '../../../../src/ingest/streams/stream-ingest-id.js'
import type { StreamBatch } from '../../../../src/ingest/streams/stream-batch.js'
import { type ComparisonDeps, unrecordedOf } from '../../../../src/ingest/streams/unrecorded-records.js'
import type { StreamRequest } from '../../../../src/ports/log-store.js'
import { LargeReads, MAX_WAITING_LARGE_READS } from '../../../../src/query/large-reads.js'
import { namespaceId } from '../../../contract/control-fixtures.js'

const SHOP = namespaceId('shop')
const NOW_MS = Date.parse('2026-11-28T12:00:00Z')
const DAY_MS = 86_400_000
/** What the time of an id may be ahead. */
const AHEAD_MS = 30_000
const BATCH = { id: 'stream-1', seq: 3, sealedAtMs: NOW_MS, recovered: { seq: 3, records: 0 } } as StreamBatch & {
  readonly recovered: { readonly seq: number; readonly records: number }
}

/** Records of the batch that followed, the newest first. */
function recordsOf(count: number): readonly StoredLog[] {
  const ingestId = streamIngestId(SHOP, BATCH, NOW_MS)
  return Array.from({ length: count }, (_, i) => {
    const index = count - 1 - i
    return { id: recordId(ingestId, index), timestampNs: BigInt(index) } as unknown as StoredLog
  })
}

interface Reading {
  readonly requests: StreamRequest[]
  readonly deps: ComparisonDeps
}

/** @param opened until then no page comes. */
function reading(pages: readonly (readonly StoredLog[])[], limits = {}, opened: Promise<void> = Promise.resolve()): Reading {
  const requests: StreamRequest[] = []
  async function* stream(_: unknown, request: StreamRequest, signal: AbortSignal): AsyncGenerator<readonly StoredLog[]> {
    requests.push(request)
    const aborted = new Promise<void>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('the engine was interrupted')), { once: true })
    )
    await Promise.race([opened, aborted])
    yield* pages
  }
  const deps = {
    logs: { settle: async () => undefined, stream },
    limits: { compared: 100, comparedMs: 60_000, ...limits },
    reads: new LargeReads()
  } as ComparisonDeps
  return { requests, deps }
}

function compared({ deps }: Reading, stream: Partial<LogStream> | null = null, batch: Partial<StreamBatch> = {}) {
  const about = { ns: SHOP, batch: { ...BATCH, ...batch } as typeof BATCH, stream: stream as LogStream | null, nowMs: NOW_MS }
  return unrecordedOf(deps, about, 10)
}

it.each([
  ['after the latest batch of the ledger', NOW_MS, { lastAtMs: NOW_MS - 10, sealedAtMs: NOW_MS - 20 }, NOW_MS - 19],
  ['of a day where that is not known', NOW_MS, { lastAtMs: NOW_MS, sealedAtMs: null }, NOW_MS + AHEAD_MS - DAY_MS],
  ['of a day where that is long ago', NOW_MS, { lastAtMs: NOW_MS, sealedAtMs: 5 }, NOW_MS + AHEAD_MS - DAY_MS],
  [
    'of a day where the clock is ahead',
    NOW_MS + AHEAD_MS + 1,
    { lastAtMs: NOW_MS, sealedAtMs: NOW_MS },
    NOW_MS + AHEAD_MS - DAY_MS
  ],
  [
    'of a day where the clock was ahead',
    NOW_MS,
    { lastAtMs: NOW_MS, sealedAtMs: NOW_MS + AHEAD_MS + 1 },
    NOW_MS + AHEAD_MS - DAY_MS
  ],
  ['of all times where the ledger has no stream', NOW_MS, null, 0]
])('records are read that were sealed %s', async (_, sealedAtMs, stream, fromMs) => {
  const one = reading([])
  await compared(one, stream, { sealedAtMs })
  const since = { kind: 'range', field: { in: 'known', name: 'ingest_id' }, gte: firstUlidAt(fromMs) }
  expect(one.requests[0]!.filter).toMatchObject({ kind: 'and', of: [{ kind: 'eq', value: BATCH.id }, since] })
})

it.each([
  [4, 5, [1, 2, 3, 4]],
  [5, 5, [0, 1, 2, 3, 4]],
  [6, 5, [0, 1, 2, 3, 4]]
])('at most %s records are compared, of %s the newest', async (most, count, expected) => {
  const all = recordsOf(count)
  const { indexes } = await compared(reading([all.slice(0, 3), all.slice(3)], { compared: most }))
  expect([...indexes].toSorted((a, b) => a - b)).toEqual(expected)
})

it('no page is read behind the last record that is compared', async () => {
  let pages = 0
  const one = reading([])
  const stream: ComparisonDeps['logs']['stream'] = async function* () {
    for (; ; pages++) yield recordsOf(3)
  }
  await compared({
    ...one,
    deps: { ...one.deps, logs: { ...one.deps.logs, stream }, limits: { compared: 6, comparedMs: 60_000 } }
  })
  expect(pages).toBe(1)
})

it('a comparison that does not end in time is refused for now, and leaves its share to the next one', async () => {
  const late = reading([], { comparedMs: 1 }, new Promise(() => undefined))
  await expect(compared(late)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
  const next = reading([recordsOf(2)])
  expect((await compared({ ...next, deps: { ...next.deps, reads: late.deps.reads } })).indexes.size).toBe(2)
})

it('of a hundred at once one of a namespace is read, some wait, and the others are refused for now', async () => {
  let open = (): void => undefined
  const one = reading([recordsOf(2)], {}, new Promise(resolve => (open = resolve)))
  const start = () => compared(one).catch((error: { code: string }) => error.code)
  const first = start()
  await new Promise(resolve => setImmediate(resolve))
  const results = [first, ...Array.from({ length: 99 }, start)]
  const refused = 100 - 1 - MAX_WAITING_LARGE_READS
  expect(await Promise.all(results.slice(-refused))).toEqual(Array.from({ length: refused }, () => 'overloaded'))
  expect(one.requests).toHaveLength(1)
  open()
  expect((await Promise.all(results)).filter(result => typeof result !== 'string')).toHaveLength(1 + MAX_WAITING_LARGE_READS)
})
