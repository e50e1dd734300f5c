import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchResult } from '../../src/domain/search.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { repairManifest } from '../../src/stores/duckdb/verify/repair.js'
import { verifyTelemetry } from '../../src/stores/duckdb/verify/verify-telemetry.js'
import { readStoredRows } from '../support/stored-rows.js'
import { openTempFolder } from '../support/temp-folder.js'

// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 }
const OLDER = /hot\.duckdb was older than other files at a start: records that arrived after \S+Z may be incomplete/

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

async function open(): Promise<void> {
  stores = await openTestStores(folder.path, { limits: QUIET })
}

const file = (...parts: readonly string[]): string => join(folder.path, ...parts)
const seal = (): Promise<unknown> => stores.client.call('sealAll', [])

async function append(count: number): Promise<void> {
  const items = testLogs(count, { timestampNs: BigInt(Date.now()) * 1_000_000n })
  await stores.logs.append(NS, { ingestId: nextIngestId(), items })
}

function search(startNs = NOON_NS, endNs = 1n << 62n): Promise<SearchResult<StoredLog>> {
  const request = { range: { startNs, endNs }, filter: { kind: 'and', of: [] }, rows: { limit: 1_000, order: 'asc' } } as const
  return stores.logs.search(NS, request, new AbortController().signal)
}

async function detail(): Promise<string> {
  const [health] = await stores.health()
  expect(health).toMatchObject({ healthy: true })
  return health!.detail
}

/** Responses state what they may lack, health only at the start that noticed it. */
async function expectNoticed(rows: number): Promise<void> {
  expect(await detail()).toMatch(OLDER)
  for (let i = 0; i < 2; i++) {
    const found = await search()
    expect(found.rows).toHaveLength(rows)
    expect(found).toMatchObject({
      complete: false,
      warnings: [{ detail: expect.stringMatching(/^logs between .* may be missing/) }]
    })
    expect(await search(0n, NOON_NS)).toMatchObject({ complete: true })
    await stores.close()
    await open()
    expect(await detail()).toBe('')
  }
}

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
  await append(10)
  await seal()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

it('notices a hot file of an earlier start, and keeps what is in segments', async () => {
  await stores.close()
  await copyFile(file('hot.duckdb'), file('copy'))
  await open()
  await append(20)
  await seal()
  await append(40)
  await stores.close()
  await rename(file('copy'), file('hot.duckdb'))
  const { findings } = await verifyTelemetry(folder.path, Date.now())
  expect(findings.filter(({ state }) => state === 'bad')).toMatchObject([
    { text: expect.stringMatching(/^hot\.duckdb is older/) }
  ])
  await open()
  expect(await detail()).toContain('1 segments with 20 rows were missing from the manifest and were added')
  await expectNoticed(30)
})

it('notices one of the same start by the segments that were written since', async () => {
  await stores.backup(file('backup'))
  await append(20)
  await seal()
  await append(40)
  await stores.close()
  await rename(file('backup', 'hot.duckdb'), file('hot.duckdb'))
  await rm(file('backup'), { recursive: true })
  await open()
  await expectNoticed(30)
})

it('notices one of an earlier start though no segment was written since', async () => {
  await stores.close()
  await copyFile(file('hot.duckdb'), file('copy'))
  await open()
  await append(40)
  await stores.close()
  await rename(file('copy'), file('hot.duckdb'))
  await open()
  await expectNoticed(10)
})

it('sets the log of a newer hot file aside, which it cannot be read with', async () => {
  await stores.close()
  await copyFile(file('hot.duckdb'), file('copy'))
  await open()
  await append(20)
  await seal()
  await stores.close()
  await open()
  await append(40)
  await search()
  process.kill(stores.client.pid!, 'SIGKILL')
  await stores.close()
  await rm(file('journal'), { recursive: true })
  await mkdir(file('journal'))
  await rm(file('journal.manifest'))
  await rename(file('copy'), file('hot.duckdb'))
  await open()
  expect(await detail()).toMatch(/the write-ahead log does not fit hot\.duckdb .* it was set aside as hot\.duckdb\.wal/)
  expect(await readdir(file('set-aside'))).toEqual(['hot.duckdb.wal'])
  expect(await search()).toMatchObject({ complete: false })
  expect((await search()).rows).toHaveLength(30)
})

it('takes no hot file for older because a segment was put back', async () => {
  await stores.close()
  const [name] = await readdir(file('segments', NS))
  const path = file('segments', NS, name!)
  await rename(path, file('kept'))
  const { bad } = await verifyTelemetry(folder.path, Date.now())
  await repairManifest(folder.path, bad)
  await rename(file('kept'), path)
  await open()
  expect(await detail()).not.toContain('older')
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', NS)).ids).toHaveLength(10)
})

it('takes no hot file for older that an earlier version wrote', async () => {
  await append(20)
  await seal()
  await stores.close()
  await removeNewest()
  await open()
  expect(await detail()).toBe('')
})

/** As in hot files of earlier versions. */
async function removeNewest(): Promise<void> {
  const instance = await DuckDBInstance.create(file('hot.duckdb'))
  const connection = await instance.connect()
  await connection.run("DELETE FROM meta WHERE key = 'newest_segment'")
  connection.closeSync()
  instance.closeSync()
}
