import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
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

it('carries out deletions that are asked for at the same time', async () => {
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

it('keeps the latest of several marks that are asked for at the same time', async () => {
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(10) })
  await Promise.all([3n, 7n, 5n].map(ns => stores.logs.deleteBefore(NS, NOON_NS + ns)))
  await stores.close()
  stores = await openTestStores(folder.path)
  const rows = []
  const page = stores.logs.stream(
    NS,
    { range: { startNs: 0n, endNs: 1n << 62n }, filter: { kind: 'and', of: [] }, order: 'asc' },
    new AbortController().signal
  )
  for await (const part of page) rows.push(...part)
  expect(rows).toHaveLength(3)
})
