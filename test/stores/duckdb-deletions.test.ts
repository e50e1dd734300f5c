import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const DAY_NS = 86_400_000_000_000n
const DOOMED = 'testnamespace03' as NamespaceId

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

it('carries out deletions that are requested at the same time', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `testnamespace1${i}` as NamespaceId)
  await stores.logs.append(DOOMED, { ingestId: nextIngestId(), items: testLogs(1) })
  const outcomes = await Promise.allSettled([
    ...names.map(ns => stores.logs.deleteBefore(ns, NOON_NS - DAY_NS)),
    stores.logs.dropNamespace(DOOMED),
    ...names.map(ns => stores.events.deleteBefore(ns, 'rum', NOON_NS - DAY_NS)),
    stores.metrics.dropNamespace(DOOMED)
  ])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
})

it('keeps the latest of several marks that are requested at the same time', async () => {
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(10) })
  await Promise.all([3n, 7n, 5n].map(ns => stores.logs.deleteBefore(NS, NOON_NS + ns)))
  await stores.close()
  stores = await openTestStores(folder.path)
  expect(await messagesOf(NS)).toHaveLength(3)
})

it('shows and keeps old records that come after older ones were deleted, and nothing that was deleted', async () => {
  const append = (count: number, timestampNs: bigint): Promise<unknown> =>
    stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(count, { timestampNs }) })
  const points = (from: bigint): Promise<unknown> =>
    stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0, { timestampNs: from })] })
  // Of a sealed file and of hot rows, some before the mark and some behind it.
  await append(10, NOON_NS)
  await points(NOON_NS)
  await stores.client.call('sealAll', [])
  await append(10, NOON_NS + 100n)
  await append(10, NOON_NS - DAY_NS)
  await stores.logs.deleteBefore(NS, NOON_NS + 105n)
  await stores.metrics.deleteBefore(NS, NOON_NS + 105n)
  expect(await messagesOf(NS)).toHaveLength(5)
  await append(3, NOON_NS)
  await points(NOON_NS + 1n)
  expect(await messagesOf(NS)).toHaveLength(8)
  expect(await samplesOf(NS)).toEqual([NOON_NS + 1n])
  await stores.client.call('sealAll', [])
  await stores.close()
  stores = await openTestStores(folder.path)
  expect(await messagesOf(NS)).toHaveLength(8)
})

async function samplesOf(ns: NamespaceId): Promise<bigint[]> {
  const range = { startNs: 0n, endNs: 1n << 62n }
  const request = { matchers: [], range, maxSeries: 10, maxSamples: 10 }
  const series = await stores.metrics.select(ns, request, new AbortController().signal)
  return series.flatMap(({ timestampsNs }) => [...timestampsNs])
}

async function messagesOf(ns: NamespaceId): Promise<string[]> {
  const messages: string[] = []
  const range = { startNs: 0n, endNs: 1n << 62n }
  const page = stores.logs.stream(ns, { range, filter: { kind: 'and', of: [] }, order: 'asc' }, new AbortController().signal)
  for await (const part of page) messages.push(...part.map(({ message }) => message))
  return messages
}
