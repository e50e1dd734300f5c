import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { LOG_ENCODER } from '../../src/stores/duckdb/wire/record-columns.js'
import { storedBytes } from '../../src/stores/duckdb/wire/stored-bytes.js'
import {
  nextIngestId,
  NOON_NS,
  NS,
  openTestStores,
  OTHER_NS,
  packedRequest,
  testLog,
  testLogs,
  testPoint
} from '../support/duckdb-fixture.js'
import { readStoredRows } from '../support/stored-rows.js'
import { openTempFolder } from '../support/temp-folder.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

beforeEach(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path)
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

async function storedIds(ns: NamespaceId): Promise<readonly string[]> {
  await stores.close()
  return (await readStoredRows(folder.path, 'logs', ns)).ids
}

it('stores every record of concurrent requests of many sizes once', async () => {
  const sizes = [1, 2, 3, 500, 2047, 2048, 2049, 5000, 1]
  const requests = sizes.map(size => ({ ingestId: nextIngestId(), items: testLogs(size) }))
  const results = await Promise.all(requests.map(request => stores.logs.append(NS, request)))
  expect(results.map(({ accepted }) => accepted)).toEqual(sizes)
  const expected = requests.flatMap(({ ingestId, items }) => items.map(({ index }) => `${ingestId}/${index}`))
  expect(await storedIds(NS)).toEqual(expected.sort())
})

it('stores an ingest id once and returns its first outcome, also when both come at the same time', async () => {
  const batch = { ingestId: nextIngestId(), items: testLogs(3) }
  const [first, second] = await Promise.all([stores.logs.append(NS, batch), stores.logs.append(NS, batch)])
  expect([first, second]).toEqual([
    { accepted: 3, deduplicated: 0, failures: [] },
    { accepted: 0, deduplicated: 3, failures: [] }
  ])
  expect(await stores.logs.append(NS, batch)).toEqual({ accepted: 0, deduplicated: 3, failures: [] })
  expect(await storedIds(NS)).toHaveLength(3)
})

it('knows an ingest id after a restart, also when the clock has gone back since', async () => {
  const batch = { ingestId: nextIngestId(), items: testLogs(3) }
  const later = { ingestId: nextIngestId(), items: testLogs(2) }
  await stores.logs.append(NS, batch)
  await stores.logs.append(NS, later)
  await stores.close()
  stores = await openTestStores(folder.path)
  expect(await stores.logs.append(NS, batch)).toEqual({ accepted: 0, deduplicated: 3, failures: [] })
  // As old as the first: an id of its time that is neither of the two.
  const known: readonly string[] = [batch.ingestId, later.ingestId]
  const fresh = ['0', '1', '2'].map(last => `${batch.ingestId.slice(0, 25)}${last}`).find(id => !known.includes(id))!
  expect(await stores.logs.append(NS, { ingestId: fresh as IngestId, items: testLogs(1) })).toEqual({
    accepted: 1,
    deduplicated: 0,
    failures: []
  })
  expect(await storedIds(NS)).toHaveLength(6)
})

it('keeps the same ingest id of two namespaces apart', async () => {
  const batch = { ingestId: nextIngestId(), items: testLogs(3) }
  await stores.logs.append(NS, batch)
  expect(await stores.logs.append(OTHER_NS, batch)).toMatchObject({ accepted: 3 })
  expect(await storedIds(OTHER_NS)).toHaveLength(3)
})

it('fails only the request that is at fault of those that are committed together', async () => {
  const columns = LOG_ENCODER.columns(testLogs(5))
  const broken = { ...columns, ts: new BigInt64Array(4) }
  const good = Array.from({ length: 8 }, () => ({ ingestId: nextIngestId(), items: testLogs(5) }))
  const culprit = { kind: 'logs' as const, ns: NS, ingestId: nextIngestId(), rows: 5, columns: broken }
  const [failed, ...passed] = await Promise.allSettled([
    stores.client.append(culprit),
    ...good.map(request => stores.logs.append(NS, request))
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'internal' } })
  expect(passed.every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await storedIds(NS)).toHaveLength(40)
})

it('keeps strings byte for byte, whatever is in them', async () => {
  const strings = [
    '',
    'x',
    'twelve bytes',
    'thirteen byte',
    'a\0b and a NUL in a long text\0',
    'ÉCLAIR ünïcödé → 漢字 🙂',
    'ends with \ud83d',
    '\ude00 begins'
  ]
  const items = strings.map((message, i) => testLog(i, { message, source: i % 2 ? message : null }))
  await stores.logs.append(NS, { ingestId: nextIngestId(), items })
  const page = stores.logs.stream(NS, everything(), new AbortController().signal)
  const rows = []
  for await (const part of page) rows.push(...part)
  const expected = strings.map(text => Buffer.from(text).toString())
  expect(rows.map(({ message }) => message)).toEqual(expected)
  expect(rows.map(({ source }) => source)).toEqual(expected.map((text, i) => (i % 2 ? text : null)))
})

it('folds points beyond the limit of series, and goes on after a restart with a counter that begins again', async () => {
  const limits = { maxSeries: 2 }
  const point = (value: string, i: number, count: number): MetricPoint =>
    testPoint(i, { type: 'counter', labels: [{ name: 'host', value }], value: count })
  const append = (items: readonly MetricPoint[]) => stores.metrics.append(NS, { ingestId: nextIngestId(), items })
  const reopen = async () => {
    await stores.close()
    stores = await openTestStores(folder.path, { limits })
  }
  await reopen()
  const first = await append(['a', 'b', 'c', 'a'].map((value, i) => point(value, i, 10)))
  expect(first).toMatchObject({ accepted: 4, deduplicated: 0, failures: [], overflow: { points: 1, maxSeries: 2 } })
  await append([point('c', 5_000_000, 15)])
  await reopen()
  expect(await append([point('b', 6, 1)])).toMatchObject({ accepted: 1, failures: [] })
  // Older than what was written before the restart, and newer.
  await append([point('c', 4_000_000, 14)])
  await append([point('c', 7_000_000, 18)])
  const matchers = [{ name: '__overflow__', op: 'eq', value: 'true' }] as const
  const range = { startNs: NOON_NS - 10_000_000n, endNs: NOON_NS + 10_000_000n }
  const signal = new AbortController().signal
  const [series] = await stores.metrics.select(NS, { matchers, range, maxSeries: 5, maxSamples: 50 }, signal)
  const times = Array.from(series!.timestampsNs, ns => Number(ns - NOON_NS))
  expect(times).toEqual([2 - 1_000_000, 2, 5_000_000, 6_000_000, 7_000_000])
  expect([...series!.values]).toEqual([0, 0, 5, 0, 4])
})

it('refuses what is beyond the bytes in flight and takes it again later', async () => {
  await stores.close()
  stores = await openTestStores(folder.path, { limits: { maxQueuedBytes: 100_000 } })
  const requests = Array.from({ length: 50 }, () => ({ ingestId: nextIngestId(), items: testLogs(100) }))
  const results = await Promise.allSettled(requests.map(request => stores.logs.append(NS, request)))
  const refused = results.filter(result => result.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every(({ reason }) => reason.code === 'overloaded' && reason.retryAfterS === 1)).toBe(true)
  const stored = results.length - refused.length
  expect(stored).toBeGreaterThan(0)
  expect(await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(100) })).toMatchObject({ accepted: 100 })
  expect(await stores.gauges()).toMatchObject({ queue_bytes: 0, queue_refused: refused.length })
  expect(await storedIds(NS)).toHaveLength((stored + 1) * 100)
})

it('refuses what a text that all rows share would make too large, and takes what just fits', async () => {
  const items = testLogs(100, { tags: { team: 'x'.repeat(10_000) } })
  const columns = LOG_ENCODER.columns(items)
  const request = { kind: 'logs' as const, ns: NS, ingestId: nextIngestId(), rows: 100, columns }
  const stored = storedBytes(request, packedRequest(request).length)
  expect([packedRequest(request).length < 30_000, stored > 1_000_000]).toEqual([true, true])
  await stores.close()
  stores = await openTestStores(folder.path, { limits: { maxAppendBytes: stored - 1 } })
  const refused = stores.logs.append(NS, { ingestId: request.ingestId, items })
  await expect(refused).rejects.toMatchObject({ code: 'payload_too_large', message: expect.stringContaining(`${stored - 1}`) })
  expect(await stores.gauges()).toMatchObject({ queue_bytes: 0, pending_rows: 0, journal_bytes: 0 })
  await stores.close()
  stores = await openTestStores(folder.path, { limits: { maxAppendBytes: stored, applyBytes: 1 << 30, applyAfterMs: 3_600_000 } })
  expect(await stores.logs.append(NS, { ingestId: request.ingestId, items })).toMatchObject({ accepted: 100 })
  expect(await stores.gauges()).toMatchObject({ queue_bytes: 0, pending_rows: 100, pending_bytes: stored })
  expect(await storedIds(NS)).toHaveLength(100)
})

it('counts a shared text for every row among the bytes in flight', async () => {
  await stores.close()
  stores = await openTestStores(folder.path, { limits: { maxQueuedBytes: 400_000 } })
  const append = () =>
    stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(100, { tags: { team: 'x'.repeat(2_000) } }) })
  const [first, second] = await Promise.allSettled([append(), append()])
  expect([first, second]).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'overloaded' } }])
})

function everything(): Parameters<DuckDbStores['logs']['stream']>[1] {
  return { range: { startNs: 0n, endNs: 1n << 62n }, filter: { kind: 'and', of: [] }, order: 'asc' }
}
