import { existsSync } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { verifyTelemetry } from '../../src/stores/duckdb/verify/verify-telemetry.js'
import { nextIngestId, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores | null
let hotFile: string

async function open(): Promise<DuckDbStores> {
  stores = await openTestStores(folder.path, { limits: QUIET })
  return stores
}

beforeEach(async () => {
  folder = await openTempFolder()
  hotFile = join(folder.path, 'hot.duckdb')
})

afterEach(async () => {
  await stores?.close()
  await folder.remove()
})

async function fill(): Promise<void> {
  const opened = await open()
  await opened.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(10) })
  await opened.client.call('sealAll', [])
  await opened.close()
  stores = null
}

it('takes an empty hot file for a missing one', async () => {
  await fill()
  await truncate(hotFile, 0)
  const { findings } = await verifyTelemetry(folder.path, Date.now())
  expect(findings).toContainEqual(
    expect.objectContaining({
      state: 'bad',
      text: expect.stringMatching(/^hot\.duckdb is empty but there are \d+ segment files/)
    })
  )
  const opened = await open()
  const [state] = await opened.health()
  expect(state).toMatchObject({ healthy: true, detail: expect.stringContaining('hot.duckdb was empty at a start') })
  expect(state!.detail).toContain('1 segments with 10 rows were missing from the manifest and were added')
  const request = { range: ALL_TIME, filter: MATCH_ALL, rows: { limit: 100, order: 'asc' } } as const
  expect(await opened.logs.search(NS, request, new AbortController().signal)).toMatchObject({
    rows: { length: 10 },
    complete: false
  })
  expect(existsSync(join(folder.path, 'set-aside'))).toBe(false)
})

it('begins a folder in which nothing but an empty hot file is, without a word', async () => {
  await writeFile(hotFile, '')
  const opened = await open()
  expect(await opened.health()).toMatchObject([{ healthy: true, detail: '' }])
})

it.each([
  ['cut', () => truncate(hotFile, 5_000)],
  ['overwritten', () => writeFile(hotFile, 'no database at all')]
])('names the file and the remedy when it is %s, and leaves it alone', async (_, damage) => {
  await fill()
  await damage()
  await expect(open()).rejects.toThrow(
    /^hot\.duckdb in \S+ cannot be opened: .*; restore a backup, or move it and its \.wal away: the next start lists the segments again$/
  )
  expect(existsSync(hotFile)).toBe(true)
})
