import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { AppendResult } from '../../src/ports/append.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { StoreClient } from '../../src/stores/duckdb/client/store-client.js'
import { UnknownSeries } from '../../src/stores/duckdb/wire/errors.js'
import { isNamed } from '../../src/stores/duckdb/wire/packed-append.js'
import { pointsAppend } from '../../src/stores/duckdb/wire/points.js'
import { encodeJournalEntry, JOURNAL_MAGIC } from '../../src/stores/duckdb/write/journal/journal-frames.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, packedRequest, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const HOSTS = ['a', 'b', 'c']
const ALL = { startNs: 0n, endNs: 2n ** 62n }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let appends: jest.SpiedFunction<StoreClient['append']>

async function open(limits: { readonly applyAfterMs?: number; readonly maxSeries?: number } = {}): Promise<void> {
  stores = await openTestStores(folder.path, { limits })
  appends = jest.spyOn(stores.client, 'append')
}

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

let time = NOON_NS

/** One later sample of each host. */
function sweep(hosts: readonly string[] = HOSTS): MetricPoint[] {
  time += 1_000n
  return hosts.map((host, index) => testPoint(index, { labels: [{ name: 'host', value: host }], timestampNs: time }))
}

function append(ns: NamespaceId = NS, hosts: readonly string[] = HOSTS): Promise<AppendResult> {
  return stores.metrics.append(ns, { ingestId: nextIngestId(), items: sweep(hosts) })
}

async function samples(ns: NamespaceId = NS): Promise<Record<string, number>> {
  const request = { matchers: [], range: ALL, maxSeries: 100, maxSamples: 10_000 }
  const found = await stores.metrics.select(ns, request, new AbortController().signal)
  return Object.fromEntries(found.map(({ labels, values }) => [labels[0]!.value, values.length]))
}

/** How many series each append named in full. */
function named(): readonly number[] {
  return appends.mock.calls.map(([request]) => (request.kind === 'points' ? request.seriesList.filter(isNamed).length : 0))
}

/** Appends until all series are known by their ids. */
async function numberAll(ns: NamespaceId = NS): Promise<void> {
  await append(ns)
  await samples(ns)
  await append(ns)
  appends.mockClear()
}

it('names series in full until they are stored, and by their ids from then on, next to new ones', async () => {
  await append()
  await samples()
  await append()
  await append()
  await append(NS, ['b', 'new', 'c'])
  expect(named()).toEqual([3, 3, 0, 1])
  expect(await samples()).toEqual({ a: 3, b: 4, c: 4, new: 1 })
})

it('keeps what was acknowledged by ids when the store is killed before it is applied, and after a new start', async () => {
  await numberAll()
  await stores.close()
  await open({ applyAfterMs: 3_600_000 })
  await numberAll()
  await append()
  expect(named()).toEqual([0])
  process.kill(stores.client.pid!, 'SIGKILL')
  await stores.client.whenRunning()
  // A read sees what was replayed.
  expect(await samples()).toEqual({ a: 5, b: 5, c: 5 })
  await append()
  expect(named()).toEqual([0, 0])
  await stores.close()
  await open()
  expect(await samples()).toEqual({ a: 6, b: 6, c: 6 })
  expect(await readdir(path.join(folder.path, 'set-aside')).catch(() => [])).toEqual([])
})

it('names series in full again that were deleted since', async () => {
  await numberAll()
  await stores.metrics.deleteBefore(NS, time + 1n)
  expect(await append()).toEqual({ accepted: 3, deduplicated: 0, failures: [] })
  expect(named()).toEqual([0, 3])
  expect(await samples()).toEqual({ a: 1, b: 1, c: 1 })
})

it('stores nothing of a request with the id of a series of another namespace', async () => {
  await numberAll()
  await numberAll(OTHER_NS)
  await append()
  const [request] = appends.mock.calls[0]!
  if (request.kind !== 'points') throw new Error('no points')
  const stolen = { ...request, ns: OTHER_NS, ingestId: nextIngestId() }
  await expect(stores.client.append(stolen)).rejects.toBeInstanceOf(UnknownSeries)
  expect(await samples(OTHER_NS)).toEqual({ a: 2, b: 2, c: 2 })
  // The id of the request is not used up, and the store is well.
  const full = pointsAppend(OTHER_NS, { ingestId: stolen.ingestId, items: sweep() })
  expect(await stores.client.append(full)).toMatchObject({ accepted: 3, deduplicated: 0 })
  expect(await stores.health()).toMatchObject([{ healthy: true }])
})

it('takes known series beyond the budget by their ids, and responds to a retry of them as to one', async () => {
  await stores.close()
  await open({ maxSeries: 3 })
  await numberAll()
  const batch = { ingestId: nextIngestId(), items: sweep() }
  expect(await stores.metrics.append(NS, batch)).toEqual({ accepted: 3, deduplicated: 0, failures: [] })
  expect(await stores.metrics.append(NS, batch)).toEqual({ accepted: 0, deduplicated: 3, failures: [] })
  expect(named()).toEqual([0, 0])
  const beyond = await append(NS, ['a', 'd'])
  expect(beyond).toMatchObject({ accepted: 2, overflow: { points: 1 } })
})

it('refuses points of a namespace that was deleted, and forgets its ids', async () => {
  await numberAll()
  await stores.metrics.dropNamespace(NS)
  await expect(append()).rejects.toMatchObject({ code: 'namespace_deleted' })
  expect(named()).toEqual([3])
})

it('sets aside what an earlier start acknowledged for a series that does not exist, and stores what is next to it', async () => {
  await numberAll()
  await stores.close()
  const lost = pointsAppend(NS, { ingestId: nextIngestId(), items: sweep(['a']) }, () => ({ id: 7n, request: 0, position: 0 }))
  const good = pointsAppend(NS, { ingestId: nextIngestId(), items: sweep(['b']) })
  const frames = [lost, good].flatMap(request => encodeJournalEntry({ refused: [], payload: packedRequest(request) }))
  await writeFile(path.join(folder.path, 'journal', '00009999.log'), Buffer.concat([JOURNAL_MAGIC, ...frames]))
  await open()
  expect(await samples()).toEqual({ a: 2, b: 3, c: 2 })
  expect(await readdir(path.join(folder.path, 'set-aside'))).toEqual([`points-${NS}-${lost.ingestId}.frame`])
})

it('reads what the version before journaled, where all series are named in full', async () => {
  await numberAll()
  await stores.close()
  const request = pointsAppend(NS, { ingestId: nextIngestId(), items: sweep(['a', 'new']) })
  const frame = encodeJournalEntry({ refused: [], payload: packedRequest(request) })
  await writeFile(path.join(folder.path, 'journal', '00009999.log'), Buffer.concat([Buffer.from('alidjrn3'), ...frame]))
  await open()
  expect(await samples()).toEqual({ a: 3, b: 2, c: 2, new: 1 })
})
