import { cp, mkdir, open as openFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchResult } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { FailPoint } from '../../src/stores/duckdb/process/fail-points.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const DAY_NS = 86_400_000_000_000n
// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }
/** A range long before anything that a lost hot file may have held. */
const EARLY = { startNs: NOON_NS - 5n * DAY_NS, endNs: NOON_NS - 3n * DAY_NS }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

async function open(failPoint?: FailPoint, limits: object = {}): Promise<void> {
  stores = await openTestStores(folder.path, { limits: { ...QUIET, ...limits }, ...(failPoint ? { failPoint } : {}) })
}

async function append(count: number, timestampNs: bigint): Promise<void> {
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(count, { timestampNs }) })
}

const seal = (): Promise<unknown> => stores.client.call('sealAll', [])
const signal = (): AbortSignal => new AbortController().signal

async function removeHotFile(): Promise<void> {
  for (const name of ['hot.duckdb', 'hot.duckdb.wal']) await rm(join(folder.path, name), { force: true })
}

function search(range = ALL_TIME): Promise<SearchResult<StoredLog>> {
  const rows = { limit: 1_000, order: 'asc' } as const
  return stores.logs.search(NS, { range, filter: { kind: 'and', of: [] }, rows }, signal())
}

async function pointsOf(host: string): Promise<readonly number[]> {
  const range = { startNs: 0n, endNs: 1n << 62n }
  const series = await stores.metrics.select(NS, { matchers: [], range, maxSeries: 10, maxSamples: 100 }, signal())
  return series.flatMap(each => (JSON.stringify(each, strings).includes(`"${host}"`) ? Array.from(each.values) : []))
}

function strings(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

it('starts with a segment of which pages are damaged, and reports what responses lack', async () => {
  await append(50, EARLY.startNs + DAY_NS)
  await seal()
  const below = join(folder.path, 'segments', NS)
  const [name] = await readdir(below)
  await append(20, NOON_NS)
  await seal()
  await stores.close()
  const handle = await openFile(join(below, name!), 'r+')
  // First bytes and footer stay as they are.
  const bytes = Math.floor((await stat(join(below, name!))).size / 3)
  await handle.write(Buffer.alloc(bytes, 0xab), 0, bytes, 8)
  await handle.close()
  await removeHotFile()
  await open()
  expect((await search()).rows).toHaveLength(20)
  expect(await search(EARLY)).toMatchObject({ rows: [], complete: false })
  expect(await readdir(join(folder.path, 'set-aside'))).toEqual([`logs-${NS}-${name!.slice('logs-'.length)}`])
})

it('reports what points lack their names, where the dictionary of series is gone, too', async () => {
  await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0, { timestampNs: EARLY.startNs + DAY_NS })] })
  await append(1, NOON_NS)
  await seal()
  await stores.close()
  await removeHotFile()
  await rm(join(folder.path, 'series.parquet'))
  await open()
  expect(await pointsOf('a')).toEqual([])
  expect(stores.metrics.gaps!(NS, EARLY)).toMatchObject([
    { detail: expect.stringMatching(/^metric points between .* may be missing/) }
  ])
})

it('reports that the hot file was lost though the first start without it did not come to its end', async () => {
  await stores.close()
  // The journal keeps what was acknowledged.
  await open('seal.committed')
  await append(10, NOON_NS)
  await expect(seal()).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  await removeHotFile()
  await expect(open('apply.committed')).rejects.toThrow()
  await open()
  const found = await search()
  expect(found.rows).toHaveLength(10)
  expect(found.complete).toBe(false)
  await stores.close()
  await open()
  expect((await stores.health())[0]!.detail).not.toContain('was missing at a start')
})

it('gives no points of a lost series to another that has its number now', async () => {
  // The list of journal files has it, too, since it exists.
  const removeNumberOfStart = async (): Promise<void> => {
    await removeHotFile()
    await rm(join(folder.path, 'journal.manifest'))
  }
  await stores.close()
  // The start without the hot file has the number of this one.
  await removeNumberOfStart()
  await open(undefined, { journalFileBytes: 1 })
  const point = (host: string, value: number) => testPoint(value, { labels: [{ name: 'host', value: host }], value })
  const send = async (host: string, value: number): Promise<void> => {
    await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [point(host, value)] })
  }
  const kept = join(folder.path, 'kept')
  await mkdir(kept)
  const keepJournal = (): Promise<void> => cp(join(folder.path, 'journal'), kept, { recursive: true })
  await send('lost', 1)
  await pointsOf('lost')
  await send('lost', 2)
  await pointsOf('lost')
  // Each request has a journal file of its own; of this one on the journal is not applied when the power goes.
  await send('kept', 200)
  const early = await readdir(join(folder.path, 'journal'))
  await keepJournal()
  await send('lost', 3)
  await keepJournal()
  await stores.close()
  await removeNumberOfStart()
  const newest = early.toSorted().at(-1)!
  for (const name of await readdir(kept)) if (name >= newest) await cp(join(kept, name), join(folder.path, 'journal', name))
  await rm(kept, { recursive: true })
  await open()
  expect(await pointsOf('kept')).toEqual([200])
  expect(await readdir(join(folder.path, 'set-aside'))).toHaveLength(1)
})
