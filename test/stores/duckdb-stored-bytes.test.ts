import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { AppendRequest } from '../../src/stores/duckdb/wire/calls.js'
import { packAppend } from '../../src/stores/duckdb/wire/packed-append.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { storedBytes } from '../../src/stores/duckdb/wire/stored-bytes.js'
import { pointsAppend } from '../../src/stores/duckdb/wire/points.js'
import { ERROR_ENCODER, LOG_ENCODER, RUM_ENCODER } from '../../src/stores/duckdb/wire/record-columns.js'
import { spanColumns } from '../../src/stores/duckdb/wire/span-columns.js'
import { toSpan } from '../contract/trace-fixtures.js'
import { toError, toRum } from '../contract/event-fixtures.js'
import { NEVER } from '../contract/fresh-ids.js'
import { nextIngestId, NS, openTestStores, testLog, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const ROWS = 2_000
/** What the engine writes about a transaction as a whole. */
const PER_COMMIT = 2_048
const COUNT = { range: ALL_TIME, filter: MATCH_ALL, total: true } as const

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
beforeAll(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path)
})
afterAll(async () => {
  await stores.close()
  await folder.remove()
})

/** How much the engine's own log grows while this is stored, which is when a read needs it. */
async function logged(append: () => Promise<unknown>, read: () => Promise<unknown>): Promise<number> {
  const size = () => statSync(join(folder.path, 'hot.duckdb.wal'), { throwIfNoEntry: false })?.size ?? 0
  const before = size()
  await append()
  await read()
  return size() - before
}

function expectEnough(request: AppendRequest, loggedBytes: number): void {
  const estimated = storedBytes(request, packAppend(request, LAYOUT.format).bytes)
  expect(loggedBytes).toBeGreaterThan(ROWS * 40)
  expect(loggedBytes).toBeLessThanOrEqual(estimated + PER_COMMIT)
  // Far too much would refuse what has room.
  expect(estimated).toBeLessThan(loggedBytes * 1.5)
}

function rows<T>(make: (index: number) => T): readonly T[] {
  return Array.from({ length: ROWS }, (_, index) => make(index))
}

it('of points whose series are known are those of their rows', async () => {
  const series = (i: number) => ({ labels: [{ name: 'host', value: `h${i % 50}` }] })
  const append = () => {
    const items = rows(i => testPoint(i, series(i)))
    return stores.metrics.append(NS, { ingestId: nextIngestId(), items })
  }
  const read = () => stores.metrics.select(NS, { matchers: [], range: ALL_TIME, maxSeries: ROWS, maxSamples: 10 * ROWS }, NEVER)
  await logged(append, read)
  await logged(append, read)
  const known = { id: 1n, request: 0, position: 0 }
  const ids = new Map(Array.from({ length: 50 }, (_, i) => [`h${i}`, { ...known, id: BigInt(i) }]))
  const request = pointsAppend(NS, { ingestId: nextIngestId(), items: rows(i => testPoint(i, series(i))) }, key =>
    ids.get(/h\d+$/.exec(key)![0])
  )
  expectEnough(request, await logged(append, read))
})

it('of logs that are almost empty are those of their rows', async () => {
  const items = rows(i => testLog(i, { service: null }))
  const batch = { ingestId: nextIngestId(), items }
  const request: AppendRequest = {
    kind: 'logs',
    ns: NS,
    ingestId: batch.ingestId,
    rows: ROWS,
    columns: LOG_ENCODER.columns(items)
  }
  expectEnough(
    request,
    await logged(
      () => stores.logs.append(NS, batch),
      () => stores.logs.search(NS, COUNT, NEVER)
    )
  )
})

it('of spans that are almost empty are those of their rows', async () => {
  const items = rows(i => toSpan({ trace: i, service: 'a', at: i }, i))
  const batch = { ingestId: nextIngestId(), items }
  const columns = await spanColumns(items)
  const request: AppendRequest = { kind: 'spans', ns: NS, ingestId: batch.ingestId, rows: ROWS, columns }
  expectEnough(
    request,
    await logged(
      () => stores.traces.append(NS, batch),
      () => stores.traces.searchSpans(NS, COUNT, NEVER)
    )
  )
})

it('of page timings and errors that are almost empty are those of their rows', async () => {
  const views = rows(i => toRum({ at: i, pageUrl: '/', pageGroup: '/' }, i))
  const errors = rows(i => toError({ at: i, message: 'm', stack: null }, i))
  const [viewed, failed] = [nextIngestId(), nextIngestId()]
  const ofViews = await logged(
    () => stores.events.appendRum(NS, { ingestId: viewed, items: views }),
    () => stores.events.searchRum(NS, COUNT, NEVER)
  )
  expectEnough({ kind: 'rum', ns: NS, ingestId: viewed, rows: ROWS, columns: RUM_ENCODER.columns(views) }, ofViews)
  const ofErrors = await logged(
    () => stores.events.appendErrors(NS, { ingestId: failed, items: errors }),
    () => stores.events.searchErrors(NS, COUNT, NEVER)
  )
  expectEnough({ kind: 'errors', ns: NS, ingestId: failed, rows: ROWS, columns: ERROR_ENCODER.columns(errors) }, ofErrors)
})
