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

/** Records of a batch, the newest first. */
function recordsOf(count: number, seq = BATCH.seq): readonly StoredLog[] {
  const ingestId = streamIngestId(SHOP, { ...BATCH, seq }, NOW_MS)
  return Array.from({ length: count }, (_, i) => {
    const index = count - 1 - i
    return { id: recordId(ingestId, index), timestampNs: BigInt(index), message: 'a' } as unknown as StoredLog
  })
}

interface Reading {
  readonly requests: StreamRequest[]
  /** Resolves when records are requested. */
  readonly begun: Promise<void>
  readonly deps: ComparisonDeps
}

/** @param opened until then no page comes. */
function reading(pages: readonly (readonly StoredLog[])[], limits = {}, opened: Promise<void> = Promise.resolve()): Reading {
  const requests: StreamRequest[] = []
  let begin = (): void => undefined
  const begun = new Promise<void>(resolve => (begin = resolve))
  async function* stream(_: unknown, request: StreamRequest, signal: AbortSignal): AsyncGenerator<readonly StoredLog[]> {
    requests.push(request)
    begin()
    const aborted = new Promise<void>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('the engine was interrupted')), { once: true })
    )
    await Promise.race([opened, aborted])
    yield* pages
  }
  const deps = {
    logs: { settle: async () => undefined, stream },
    limits: { compared: 100, comparedMs: 60_000, ...limits },
    reads: new LargeReads('comparisons of batches')
  } as ComparisonDeps
  return { requests, begun, deps }
}

const TEN = Array.from({ length: 10 }, () => ({ message: 'a' }))

function compared(
  { deps }: Reading,
  stream: Partial<LogStream> | null = null,
  batch: Partial<StreamBatch> = {},
  items: readonly unknown[] = TEN
) {
  const about = { ns: SHOP, batch: { ...BATCH, ...batch } as typeof BATCH, stream: stream as LogStream | null, nowMs: NOW_MS }
  return unrecordedOf(deps, about, items)
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

it('a store that does not settle in time is waited for no longer than for the records', async () => {
  const one = reading([], { comparedMs: 1 })
  const settle = (): Promise<void> => new Promise(() => undefined)
  await expect(compared({ ...one, deps: { ...one.deps, logs: { ...one.deps.logs, settle } } })).rejects.toMatchObject({
    code: 'overloaded'
  })
})

it.each([
  ['more of the batch that followed', [recordsOf(6)], { seq: 3, records: 5 }],
  ['more of an earlier attempt of the batch itself', [recordsOf(3, 4)], { seq: 4, records: 2 }],
  ['both', [recordsOf(6), recordsOf(3, 4)], { seq: 3, records: 5 }],
  ['no more', [recordsOf(5), recordsOf(2, 4)], null]
])('the next batch is compared with %s', async (_, pages, expected) => {
  const part = { seq: 4, recovered: { seq: 3, records: 3 } }
  expect((await compared(reading(pages), null, part, TEN.slice(0, 2))).next).toEqual(expected)
})

it.each([
  ['is longer', 'a\n  at b', [1, 2]],
  ['is another, since rules changed it', 'b\n  at b', [0, 1, 2]],
  ['is the same', 'a', [0, 1, 2]],
  ['is not a text', 7, [0, 1, 2]]
])('a record whose message %s than what is stored of it', async (_, message, expected) => {
  const { indexes } = await compared(reading([recordsOf(3)]), null, {}, [{ message }, ...TEN])
  expect([...indexes].toSorted((a, b) => a - b)).toEqual(expected)
})

it('of a hundred at once one of a namespace is read, some wait, and the others are refused for now', async () => {
  let open = (): void => undefined
  const one = reading([recordsOf(2)], {}, new Promise(resolve => (open = resolve)))
  const first = compared(one)
  await one.begun
  const detail = (error: Error): string => error.message
  const results = [first, ...Array.from({ length: 99 }, () => compared(one).catch(detail))]
  const refused = 100 - 1 - MAX_WAITING_LARGE_READS
  const queued = `${MAX_WAITING_LARGE_READS} comparisons of batches of this namespace are queued; retry later`
  expect(await Promise.all(results.slice(-refused))).toEqual(Array.from({ length: refused }, () => queued))
  expect(one.requests).toHaveLength(1)
  open()
  expect((await Promise.all(results)).filter(result => typeof result !== 'string')).toHaveLength(1 + MAX_WAITING_LARGE_READS)
})
