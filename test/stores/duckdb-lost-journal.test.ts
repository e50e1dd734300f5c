import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchResult } from '../../src/domain/search.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

/** Each request has a journal file of its own, and nothing is applied unless a read needs it. */
const ONE_EACH = { journalFileBytes: 1, applyAfterMs: 3_600_000, upkeepIntervalMs: 3_600_000 }
const MISSING = /journal\/00000002\.log is missing: requests that arrived between .* and .* may be lost; /

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

async function open(): Promise<void> {
  stores = await openTestStores(folder.path, { limits: ONE_EACH })
}

const append = (count: number): Promise<unknown> =>
  stores.logs.append(NS, {
    ingestId: nextIngestId(),
    items: testLogs(count, { timestampNs: BigInt(Date.now()) * 1_000_000n })
  })

/** The end of the process, as `kill -9` and a power cut make it. */
async function crash(): Promise<void> {
  process.kill(stores.client.pid!, 'SIGKILL')
  await stores.close()
}

function search(range: { readonly startNs: bigint; readonly endNs: bigint }): Promise<SearchResult<StoredLog>> {
  const request = { range, filter: { kind: 'and', of: [] }, rows: { limit: 1_000, order: 'asc' } } as const
  return stores.logs.search(NS, request, new AbortController().signal)
}

const recent = (): Promise<SearchResult<StoredLog>> => search({ startNs: NOON_NS, endNs: 1n << 62n })
const health = async (): Promise<unknown> => (await stores.health())[0]
const journal = (): string => join(folder.path, 'journal')

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
  for (const count of [1, 2, 4]) await append(count)
  expect(await readdir(journal())).toEqual(['00000001.log', '00000002.log', '00000003.log'])
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

it('reports that a file of the journal is missing, in health and in responses, until the file is put back', async () => {
  await crash()
  const aside = join(folder.path, 'kept.log')
  await rename(join(journal(), '00000002.log'), aside)
  for (let i = 0; i < 2; i++) {
    await open()
    expect(await health()).toMatchObject({ healthy: false, acks: true, detail: expect.stringMatching(MISSING) })
    const found = await recent()
    expect(found.rows).toHaveLength(5)
    expect(found).toMatchObject({
      complete: false,
      warnings: [{ detail: expect.stringMatching(/^logs between .* may be missing/) }]
    })
    // Long before that there is nothing that it might have held.
    expect(await search({ startNs: 0n, endNs: NOON_NS })).toMatchObject({ complete: true })
    await stores.close()
  }
  await rename(aside, join(journal(), '00000002.log'))
  await open()
  expect(await health()).toMatchObject({ healthy: true })
  expect((await recent()).rows).toHaveLength(7)
  expect(await recent()).toMatchObject({ complete: true })
})

it('reports it when the whole folder of the journal is gone', async () => {
  await crash()
  await rm(journal(), { recursive: true })
  await open()
  expect(await health()).toMatchObject({
    healthy: false,
    detail: expect.stringMatching(/journal\/00000001\.log is missing \(and 2 more files of the journal\)/)
  })
  // New files have numbers that no missing one has.
  await append(1)
  expect(await readdir(journal())).toEqual(['00000004.log'])
})

it('misses no file that was removed when its requests were stored, whatever follows', async () => {
  await recent()
  await stores.client.call('upkeep', [])
  expect(await readdir(journal())).toEqual([])
  await append(1)
  await crash()
  await open()
  expect(await health()).toMatchObject({ healthy: true, detail: '' })
  await stores.close()
  expect(await readdir(journal())).toEqual([])
  await open()
  expect(await health()).toMatchObject({ healthy: true, detail: '' })
  expect(await recent()).toMatchObject({ complete: true })
})

it('misses nothing in a folder of an earlier version, which has no list of its journal files', async () => {
  await crash()
  await rm(join(folder.path, 'journal.manifest'))
  await rm(join(journal(), '00000002.log'))
  await open()
  expect(await health()).toMatchObject({ healthy: true, detail: '' })
})

it('goes on with a list whose end was torn off, and reports when the list was damaged', async () => {
  await crash()
  const manifest = join(folder.path, 'journal.manifest')
  await truncate(manifest, 20)
  await open()
  expect(await health()).toMatchObject({
    healthy: true,
    detail: expect.stringContaining('journal.manifest was damaged at byte 8')
  })
  expect((await recent()).rows).toHaveLength(7)
  await stores.close()
  await writeFile(manifest, 'not ours')
  await open()
  expect(await health()).toMatchObject({
    healthy: true,
    detail: expect.stringContaining('journal.manifest was damaged at byte 0')
  })
  expect((await readdir(join(folder.path, 'set-aside'))).length).toBe(2)
})
