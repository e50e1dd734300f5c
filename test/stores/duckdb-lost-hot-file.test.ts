import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { IngestId } from '../../src/domain/ids.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { FailPoint } from '../../src/stores/duckdb/process/fail-points.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { readStoredRows } from '../support/stored-rows.js'
import { openTempFolder } from '../support/temp-folder.js'

// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }
const HOT = ['hot.duckdb', 'hot.duckdb.wal']

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let sent: string[]

async function open(failPoint?: FailPoint): Promise<void> {
  stores = await openTestStores(folder.path, { limits: QUIET, ...(failPoint ? { failPoint } : {}) })
}

async function append(count: number, ingestId: IngestId = nextIngestId()): Promise<IngestId> {
  await stores.logs.append(NS, { ingestId, items: testLogs(count) })
  sent.push(...Array.from({ length: count }, (_, i) => `${ingestId}/${i}`))
  return ingestId
}

const seal = (): Promise<unknown> => stores.client.call('sealAll', [])

async function removeHotFile(): Promise<void> {
  for (const name of HOT) await rm(join(folder.path, name), { force: true })
}

async function idsFound(): Promise<string[]> {
  const request = { range: ALL_TIME, filter: { kind: 'and', of: [] }, rows: { limit: 1_000, order: 'asc' } } as const
  const { rows } = await stores.logs.search(NS, request, new AbortController().signal)
  return (rows as readonly StoredLog[]).map(({ id }) => id.replace('-', '/')).sort()
}

async function detail(): Promise<string> {
  return (await stores.health())[0]!.detail
}

/** Each row once, in listed files alone. */
async function expectEachOnce(): Promise<void> {
  await stores.close()
  const { ids, listed, onDisk } = await readStoredRows(folder.path, 'logs', NS)
  expect(ids).toEqual([...sent].sort())
  expect(onDisk.filter(file => file.endsWith('.parquet'))).toEqual(listed)
}

beforeEach(async () => {
  sent = []
  folder = await openTempFolder()
  await open()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

it('lists sealed segments again when the hot file is missing, keeps serving them and reports what may be lost', async () => {
  await append(50)
  await seal()
  await append(20)
  await seal()
  await stores.close()
  await removeHotFile()
  await open()
  expect((await idsFound()).length).toBe(70)
  expect(await detail()).toContain('2 segments with 70 rows were missing from the manifest and were added')
  expect(await detail()).toContain('hot.duckdb was missing at a start')
  await append(5)
  await seal()
  await expectEachOnce()
})

it('knows the requests of sealed segments again, so that a repeat stores nothing twice', async () => {
  const ingestId = await append(10)
  await seal()
  await stores.close()
  await removeHotFile()
  await open()
  const repeated = await stores.logs.append(NS, { ingestId, items: testLogs(10) })
  expect(repeated).toEqual({ accepted: 0, deduplicated: 10, failures: [] })
  await expectEachOnce()
})

it('replays the journal next to segments that hold a part of it', async () => {
  await append(10)
  // The process dies behind the commit: the journal still has what is sealed.
  await stores.close()
  await open('seal.committed')
  await append(30)
  await expect(seal()).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  await removeHotFile()
  await open()
  await expectEachOnce()
})

it('reads points under the names of their series', async () => {
  const points = Array.from({ length: 6 }, (_, i) => testPoint(i, { labels: [{ name: 'host', value: `h${i % 2}` }] }))
  // The second series begins when the dictionary has been written before.
  for (const items of [points.slice(0, 1), points.slice(1)]) {
    await stores.metrics.append(NS, { ingestId: nextIngestId(), items })
    await seal()
  }
  const select = async (): Promise<unknown> =>
    stores.metrics.select(
      NS,
      { matchers: [], range: { startNs: NOON_NS, endNs: NOON_NS + 100n }, maxSeries: 10, maxSamples: 100 },
      new AbortController().signal
    )
  const before = await select()
  await stores.close()
  await removeHotFile()
  await open()
  expect(await select()).toEqual(before)
  // New series take numbers that no old one has.
  const other = testPoint(7, { labels: [{ name: 'host', value: 'new' }] })
  await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [other] })
  expect(await select()).toHaveLength(3)
})

it.each(['merge.synced', 'merge.committed'] as const)('doubles no row when a merge ended at %s', async failPoint => {
  await stores.close()
  await open(failPoint)
  const fill = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      await append(10)
      await seal()
    }
  }
  await expect(fill()).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  await removeHotFile()
  await open()
  await expectEachOnce()
  const aside = await readdir(join(folder.path, 'set-aside'))
  expect(aside.every(name => name.startsWith(`logs-${NS}-`))).toBe(true)
  expect(aside.length).toBeGreaterThan(0)
})

/** Writes all segments again as earlier versions did, which did not state what they replace. */
async function removeMarks(): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const below = join(folder.path, 'segments', NS)
  for (const name of await readdir(below)) {
    const [file, copy] = [join(below, name), join(below, `${name}.copy`)]
    await connection.run(`COPY (SELECT * FROM read_parquet('${file}')) TO '${copy}' (FORMAT parquet)`)
    await rename(copy, file)
  }
  connection.closeSync()
  instance.closeSync()
}

it.each(['merge.synced', 'merge.committed'] as const)(
  'finds by their rows what segments of earlier versions are made of, after a merge that ended at %s',
  async failPoint => {
    await stores.close()
    await open(failPoint)
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 10; i++) {
        await append(10)
        await seal()
      }
    }
    await expect(fill()).rejects.toMatchObject({ code: 'store_unavailable' })
    await stores.close()
    await removeMarks()
    await removeHotFile()
    await open()
    await append(5)
    await expectEachOnce()
  }
)

it('sets aside what it cannot read, and removes nothing', async () => {
  await append(10)
  await seal()
  await stores.close()
  const [name] = await readdir(join(folder.path, 'segments', NS))
  const whole = await readFile(join(folder.path, 'segments', NS, name!))
  const torn = `${NS}/logs-1-1_999.parquet`
  await writeFile(join(folder.path, 'segments', torn), whole.subarray(0, whole.length / 2))
  await mkdir(join(folder.path, 'segments', OTHER_NS))
  await writeFile(join(folder.path, 'segments', OTHER_NS, 'notes.txt'), 'not ours')
  await open()
  expect((await readdir(join(folder.path, 'set-aside'))).sort()).toEqual(
    [`${OTHER_NS}-notes.txt`, `logs-${NS}-1-1_999.parquet`].sort()
  )
  expect(await detail()).toContain(`${torn} cannot be read`)
  await expectEachOnce()
})

it('adds what a newer folder of segments holds to an older hot file, each row once', async () => {
  await append(10)
  await seal()
  await append(20)
  await stores.close()
  const copies = join(folder.path, 'copies')
  await mkdir(copies)
  await copyFile(join(folder.path, 'hot.duckdb'), join(copies, 'hot.duckdb'))
  await open()
  await append(30)
  for (let i = 0; i < 10; i++) {
    await append(3)
    await seal()
  }
  await stores.close()
  await removeHotFile()
  await cp(join(copies, 'hot.duckdb'), join(folder.path, 'hot.duckdb'))
  await open()
  await expectEachOnce()
})

it('keeps the log of a hot file that is missing', async () => {
  await append(10)
  await stores.close()
  await rm(join(folder.path, 'hot.duckdb'))
  await writeFile(join(folder.path, 'hot.duckdb.wal'), 'what only another engine can read')
  await open()
  expect(await readFile(join(folder.path, 'set-aside', 'hot.duckdb.wal'), 'utf8')).toBe('what only another engine can read')
})

it('keeps what was replaced while the segment in its place is missing, as in a folder that was copied in part', async () => {
  await stores.close()
  await open('merge.committed')
  const fill = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      await append(10)
      await seal()
    }
  }
  await expect(fill()).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  const { listed, onDisk } = await readStoredRows(folder.path, 'logs', NS)
  const replaced = onDisk.filter(file => !listed.includes(file))
  expect(replaced.length).toBeGreaterThan(2)
  const number = (file: string): number => Number(/_(\d+)\.parquet$/.exec(file)![1])
  const merged = listed.toSorted((a, b) => number(b) - number(a))[0]!
  await rm(join(folder.path, 'segments', merged))
  await open()
  const aside = await readdir(join(folder.path, 'set-aside'))
  expect(aside).toHaveLength(replaced.length)
})

it('removes what was replaced by other segments than the damaged one', async () => {
  await stores.close()
  await open('merge.committed')
  await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: testLogs(10) })
  const fill = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      await append(10)
      await seal()
    }
  }
  await expect(fill()).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  const [name] = await readdir(join(folder.path, 'segments', OTHER_NS))
  await rm(join(folder.path, 'segments', OTHER_NS, name!))
  await open()
  expect(existsSync(join(folder.path, 'set-aside'))).toBe(false)
  await stores.close()
  const { ids, listed, onDisk } = await readStoredRows(folder.path, 'logs', NS)
  expect(ids).toEqual([...sent].sort())
  expect(onDisk).toEqual(listed.filter(file => file.startsWith(NS)))
})
