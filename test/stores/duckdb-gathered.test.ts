import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import type { LogRecord } from '../../src/domain/records/log.js'
import { type NamespaceId, recordId } from '../../src/domain/ids.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NS, openTestStores, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
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

/** A request as `POST /api/v1/logs` makes it. */
function newBatch(log: Partial<LogRecord> = {}, count = 1) {
  return { ingestId: nextIngestId(), items: Array.from({ length: count }, (_, i) => testLog(i, log)), isNew: true }
}

type NewBatch = ReturnType<typeof newBatch>

function idsOf(batches: readonly NewBatch[]): string[] {
  return batches.flatMap(({ ingestId, items }) => items.map(({ index }) => `${ingestId}/${index}`)).sort()
}

async function storedIds(ns: NamespaceId): Promise<readonly string[]> {
  await stores.close()
  return (await readStoredRows(folder.path, 'logs', ns)).ids
}

it('sends small new requests of one turn as one for each namespace, and stores each under its own id', async () => {
  const append = jest.spyOn(stores.client, 'append')
  const own = Array.from({ length: 40 }, (_, i) =>
    newBatch({ message: `own ${i}`, traceId: i % 2 ? null : `t${i}` }, (i % 16) + 1)
  )
  const others = Array.from({ length: 5 }, (_, i) => newBatch({ message: `other ${i}` }))
  const results = await Promise.all([
    ...own.map(batch => stores.logs.append(NS, batch)),
    ...others.map(batch => stores.logs.append(OTHER_NS, batch))
  ])
  expect(results).toEqual([...own, ...others].map(({ items }) => ({ accepted: items.length, deduplicated: 0, failures: [] })))
  expect(append.mock.calls.map(([{ ns, rows }]) => [ns, rows])).toEqual([
    [NS, own.flatMap(({ items }) => items).length],
    [OTHER_NS, 5]
  ])
  const id = recordId(own[6]!.ingestId, 3)
  expect(await stores.logs.get(NS, id)).toMatchObject({ id, message: 'own 6', traceId: 't6' })
  expect(await storedIds(NS)).toEqual(idsOf(own))
  expect(await storedIds(OTHER_NS)).toEqual(idsOf(others))
})

it('leaves alone what is large or may be sent again', async () => {
  const append = jest.spyOn(stores.client, 'append')
  const repeated = { ...newBatch(), isNew: false }
  const batches = [newBatch({}, 17), repeated, newBatch({}, 16), newBatch()]
  await Promise.all(batches.map(batch => stores.logs.append(NS, batch)))
  expect(append.mock.calls.map(([{ rows }]) => rows).sort((a, b) => a - b)).toEqual([1, 17, 17])
  expect(await stores.logs.append(NS, repeated)).toMatchObject({ deduplicated: 1 })
})

it('sends at most 1,024 rows at once', async () => {
  const append = jest.spyOn(stores.client, 'append')
  const batches = Array.from({ length: 150 }, () => newBatch({}, 15))
  await Promise.all(batches.map(batch => stores.logs.append(NS, batch)))
  expect(append.mock.calls.map(([{ rows }]) => rows)).toEqual([1_020, 1_020, 210])
  expect(await storedIds(NS)).toEqual(idsOf(batches))
})

it('sends in parts what together would be too large, and refuses only what alone is', async () => {
  await stores.close()
  stores = await openTestStores(folder.path, { limits: { maxAppendBytes: 60_000 } })
  const append = jest.spyOn(stores.client, 'append')
  const good = Array.from({ length: 10 }, () => newBatch({ message: 'm'.repeat(1_000) }, 10))
  const culprit = newBatch({ message: 'm'.repeat(10_000) }, 10)
  const results = await Promise.allSettled([...good, culprit].map(batch => stores.logs.append(NS, batch)))
  expect(results.slice(0, 10)).toEqual(
    good.map(() => ({ status: 'fulfilled', value: { accepted: 10, deduplicated: 0, failures: [] } }))
  )
  expect(results[10]).toMatchObject({ reason: { code: 'payload_too_large' } })
  expect(append.mock.calls.map(([{ rows }]) => rows).slice(0, 2)).toEqual([110, 50])
  expect(await storedIds(NS)).toEqual(idsOf(good))
})

it('fails all of one namespace when that is deleted, and none of another', async () => {
  await stores.logs.append(NS, newBatch())
  await stores.logs.dropNamespace(NS)
  const [first, second, other] = await Promise.allSettled([
    stores.logs.append(NS, newBatch()),
    stores.logs.append(NS, newBatch()),
    stores.logs.append(OTHER_NS, newBatch())
  ])
  for (const refused of [first, second])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'namespace_deleted' } })
  expect(other).toMatchObject({ value: { accepted: 1 } })
})

it('replays each request of a journal entry once', async () => {
  const before = newBatch()
  await stores.logs.append(NS, before)
  await stores.close()
  stores = await openTestStores(folder.path, { failPoint: 'journal.synced' })
  const batches = Array.from({ length: 30 }, () => newBatch())
  const results = await Promise.allSettled(batches.map(batch => stores.logs.append(NS, batch)))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await stores.close()
  for (let start = 0; start < 2; start++) {
    stores = await openTestStores(folder.path)
    expect(await storedIds(NS)).toEqual(idsOf([before, ...batches]))
  }
})
