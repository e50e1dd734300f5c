import { open as openFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchResult } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'
import { warningSentence } from '../../src/domain/warning.js'

const HOUR_NS = 3_600_000_000_000n
// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

async function open(): Promise<void> {
  stores = await openTestStores(folder.path, { limits: QUIET })
}

const seal = (): Promise<unknown> => stores.client.call('sealAll', [])
const upkeep = (): Promise<unknown> => stores.client.call('upkeep', [])
const signal = (): AbortSignal => new AbortController().signal

async function append(count: number, timestampNs: bigint, ns = NS): Promise<void> {
  await stores.logs.append(ns, { ingestId: nextIngestId(), items: testLogs(count, { timestampNs }) })
}

function search(range = ALL_TIME, ns = NS): Promise<SearchResult<StoredLog>> {
  const rows = { limit: 1_000, order: 'desc' } as const
  return stores.logs.search(ns, { range, filter: { kind: 'and', of: [] }, rows, total: true }, signal())
}

/** Paths of the segments of logs, in the order in which they were written. */
async function segments(): Promise<string[]> {
  const below = join(folder.path, 'segments', NS)
  const names = (await readdir(below)).filter(name => /^logs-.*\.parquet$/.test(name))
  const number = (name: string): number => Number(/_(\d+)(?:\.f\d+)?\.parquet$/.exec(name)![1])
  return names.sort((a, b) => number(a) - number(b)).map(name => join(below, name))
}

const DAMAGES: Readonly<Record<string, (file: string) => Promise<void>>> = {
  missing: file => rm(file),
  truncated: async file => truncate(file, Math.floor((await stat(file)).size / 2)),
  empty: file => truncate(file, 0),
  'overwritten, of the same size': async file => writeFile(file, Buffer.alloc((await stat(file)).size, 0xab)),
  'overwritten between its first and last bytes': async file => {
    const { size } = await stat(file)
    const handle = await openFile(file, 'r+')
    await handle.write(Buffer.alloc(size - 16, 0xab), 0, size - 16, 8)
    await handle.close()
  }
}

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
  await append(10, NOON_NS)
  await seal()
  await append(20, NOON_NS + HOUR_NS)
  await seal()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

/** 20 of 30 rows are read, and every response states why it is incomplete. */
async function expectGap(): Promise<void> {
  const found = await search()
  expect(found).toMatchObject({ complete: false, total: { value: 20 } })
  expect(found.rows).toHaveLength(20)
  expect(found.warnings.map(warningSentence)).toEqual([
    '10 logs between 2023-11-15T12:00:00.000000000Z and 2023-11-15T12:00:00.000000009Z are missing: they cannot be read, because their file is damaged or missing'
  ])
  const [health] = await stores.health()
  expect(health).toMatchObject({ healthy: false, acks: true })
  expect(health!.detail).toContain(`segments/${NS}/logs-`)
}

describe.each(Object.keys(DAMAGES))('a segment that is %s', damage => {
  it('takes only its own rows from responses, noticed at the start', async () => {
    const [file] = await segments()
    await stores.close()
    await DAMAGES[damage]!(file!)
    await open()
    await expectGap()
    expect(await search({ startNs: NOON_NS + HOUR_NS, endNs: NOON_NS + 2n * HOUR_NS })).toMatchObject({
      complete: true,
      warnings: []
    })
    expect(await search(ALL_TIME, OTHER_NS)).toMatchObject({ complete: true, warnings: [] })
  })

  it('takes only its own rows from responses, noticed by a read', async () => {
    await DAMAGES[damage]!((await segments())[0]!)
    await expectGap()
    await expectGap()
  })
})

it('completes all concurrent reads of a damaged segment', async () => {
  await DAMAGES['overwritten between its first and last bytes']!((await segments())[0]!)
  const found = await Promise.all(Array.from({ length: 6 }, () => search()))
  expect(found.map(({ complete, total }) => [complete, total?.value])).toEqual(found.map(() => [false, 20]))
})

it('reads a segment that was put back', async () => {
  const [file] = await segments()
  await rename(file!, `${file}.kept`)
  await expectGap()
  await rename(`${file}.kept`, file!)
  await upkeep()
  expect(await search()).toMatchObject({ complete: true, warnings: [], total: { value: 30 } })
  expect(await stores.health()).toMatchObject([{ healthy: true }])
})

it('merges what is whole, and leaves a segment with a changed byte as it is', async () => {
  const [file] = await segments()
  const bytes = await readFile(file!)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(file!, bytes)
  for (let i = 0; i < 10; i++) {
    await append(5, NOON_NS + 2n * HOUR_NS)
    await seal()
  }
  await upkeep()
  expect((await segments()).length).toBeLessThan(10)
  expect(await readFile(file!)).toEqual(bytes)
  expect(await search()).toMatchObject({ complete: false, total: { value: 70 } })
})

it('takes records that are older than what was deleted, next to a damaged segment', async () => {
  await DAMAGES['truncated']!((await segments())[0]!)
  await stores.logs.deleteBefore(NS, NOON_NS + 5n)
  await append(1, NOON_NS)
  expect(await search()).toMatchObject({ complete: false, total: { value: 21 } })
})

it('copies what is there into a backup', async () => {
  await DAMAGES['missing']!((await segments())[0]!)
  await expectGap()
  const target = join(folder.path, 'copy')
  await stores.backup(target)
  const copy = await openTestStores(target, { limits: QUIET })
  try {
    const found = await copy.logs.search(NS, { range: ALL_TIME, filter: { kind: 'and', of: [] }, total: true }, signal())
    expect(found).toMatchObject({ complete: false, total: { value: 20 } })
  } finally {
    await copy.close()
  }
})

it('reports points', async () => {
  await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0), testPoint(1)] })
  await seal()
  const below = join(folder.path, 'segments', NS)
  const [name] = (await readdir(below)).filter(each => each.startsWith('points-'))
  await DAMAGES['truncated']!(join(below, name!))
  const range = { startNs: NOON_NS, endNs: NOON_NS + HOUR_NS }
  const request = { matchers: [], range, maxSeries: 10, maxSamples: 10 }
  expect(await stores.metrics.select(NS, request, signal())).toEqual([])
  expect(stores.metrics.gaps!(NS, range)).toMatchObject([
    { detail: expect.stringMatching(/^2 metric points between .* are missing/) }
  ])
  expect(stores.metrics.gaps!(OTHER_NS, range)).toEqual([])
})
