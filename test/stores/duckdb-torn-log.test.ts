import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchResult } from '../../src/domain/search.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { attachHotFile } from '../../src/stores/duckdb/write/attach-hot-file.js'
import { LogRepair } from '../../src/stores/duckdb/write/repair-log.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 }
const HEAD_BYTES = 16

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let log: Buffer

async function open(): Promise<void> {
  stores = await openTestStores(folder.path, { limits: QUIET })
}

const file = (...parts: readonly string[]): string => join(folder.path, ...parts)

function search(): Promise<SearchResult<StoredLog>> {
  const range = { startNs: NOON_NS, endNs: 1n << 62n }
  const request = { range, filter: { kind: 'and', of: [] }, rows: { limit: 1_000, order: 'asc' } } as const
  return stores.logs.search(NS, request, new AbortController().signal)
}

/** Places of the entries of the log: `[u64 length][u64 checksum][body]` behind a header of 8 bytes. */
function entries(): readonly number[] {
  const places: number[] = []
  for (let at = 8; at < log.length; at += HEAD_BYTES + Number(log.readBigUInt64LE(at))) places.push(at)
  return places
}

/** Where the entry is that holds the row with this message. */
function entryOf(message: string): number {
  const row = log.indexOf(message)
  expect(row).toBeGreaterThan(0)
  return entries().findLast(at => at < row)!
}

/** Only the hot file can show what was stored: the journal is gone as after a rotation. */
async function forgetJournal(): Promise<void> {
  await rm(file('journal'), { recursive: true })
  await mkdir(file('journal'))
  await rm(file('journal.manifest'))
}

async function expectFound(messages: readonly string[], complete: boolean): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const found = await search()
    expect(found.rows!.map(({ message }) => message)).toEqual(messages)
    expect(found.complete).toBe(complete)
    await stores.close()
    await open()
  }
}

const detail = async (): Promise<string> => (await stores.health())[0]!.detail

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
  // Each in a transaction of its own, which the search waits for.
  for (const message of ['first', 'second', 'third', 'fourth']) {
    const [item] = testLogs(1, { message, timestampNs: BigInt(Date.now()) * 1_000_000n })
    await stores.logs.append(NS, { ingestId: nextIngestId(), items: [{ ...item!, message }] })
    await search()
  }
  process.kill(stores.client.pid!, 'SIGKILL')
  await stores.close()
  log = await readFile(file('hot.duckdb.wal'))
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

it('keeps the rows behind an entry that is damaged, and reports that some are lost', async () => {
  await forgetJournal()
  const at = entryOf('second')
  log.fill(0x5a, at + HEAD_BYTES + 20, at + HEAD_BYTES + 24)
  await writeFile(file('hot.duckdb.wal'), log)
  await open()
  expect(await detail()).toMatch(/log was damaged at byte \d+; \d+ bytes were left out, \d+ bytes behind them were kept/)
  expect(await detail()).toMatch(/log of hot\.duckdb was damaged: records that arrived after \S+ may be incomplete/)
  const [copy] = (await readdir(folder.path)).filter(name => name.includes('.damaged-'))
  expect(await readFile(file(copy!))).toEqual(log)
  await expectFound(['first', 'third', 'fourth'], false)
})

it('has the rows of the damaged entry, too, where the journal still has them', async () => {
  const at = entryOf('second')
  log.fill(0x5a, at + HEAD_BYTES + 20, at + HEAD_BYTES + 24)
  await writeFile(file('hot.duckdb.wal'), log)
  await open()
  await expectFound(['first', 'second', 'third', 'fourth'], false)
})

it('reports that rows are lost behind an entry whose length is damaged, which ends the log for DuckDB', async () => {
  await forgetJournal()
  log.fill(0x5a, entryOf('second'), entryOf('second') + 8)
  await writeFile(file('hot.duckdb.wal'), log)
  await open()
  expect(await detail()).toMatch(/log was damaged at byte \d+; what followed was set aside in hot\.duckdb\.wal\.damaged-/)
  await expectFound(['first'], false)
})

it('misses nothing when the last transaction was torn, which was not acknowledged', async () => {
  log.fill(0x5a, entryOf('fourth') + HEAD_BYTES + 20, entryOf('fourth') + HEAD_BYTES + 24)
  await writeFile(file('hot.duckdb.wal'), log)
  await open()
  expect(await detail()).toMatch(/log was damaged at byte/)
  await expectFound(['first', 'second', 'third', 'fourth'], true)
})

it.each([
  ['an entry', (at: number) => log.fill(0x5a, at + HEAD_BYTES + 20, at + HEAD_BYTES + 24)],
  ['a length', (at: number) => log.fill(0x5a, at, at + 8)]
])('still reports that rows are lost when the start that found %s damaged ended early', async (_, damage) => {
  await forgetJournal()
  damage(entryOf('second'))
  await writeFile(file('hot.duckdb.wal'), log)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const options = { dataDir: folder.path, lockWaitMs: 0, nowMs: () => 0, sleep: () => Promise.resolve() }
  await attachHotFile(connection, file('hot.duckdb'), options)
  // Closing folds the repaired log into the hot file.
  connection.closeSync()
  instance.closeSync()
  await open()
  expect(await detail()).toMatch(/log of hot\.duckdb was damaged: records that arrived after \S+ may be incomplete/)
  expect((await search()).complete).toBe(false)
  expect((await readdir(folder.path)).filter(name => name.endsWith('.lost'))).toEqual([])
})

it('makes one copy of a damaged log, however often a start is tried', async () => {
  log.fill(0x5a, entryOf('second'), entryOf('second') + 8)
  for (let i = 0; i < 3; i++) {
    await writeFile(file('hot.duckdb.wal'), log)
    await utimes(file('hot.duckdb.wal'), 1, 1)
    await new LogRepair(file('hot.duckdb.wal')).findSilent()
  }
  expect((await readdir(folder.path)).filter(name => name.includes('.damaged-'))).toHaveLength(1)
  await open()
})
