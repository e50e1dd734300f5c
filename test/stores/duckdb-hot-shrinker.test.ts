import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { IngestId } from '../../src/domain/ids.js'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { NEVER } from '../contract/store-under-test.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const MIB = 1024 * 1024
// Nothing happens by itself: the tests trigger each step.
const STILL = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }
const LOAD = 80_000
const BATCH = 10_000
const LATER = 7

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

beforeEach(async () => {
  folder = await openTempFolder()
})
afterEach(async () => {
  await stores?.close()
  await folder?.remove()
})

/** Bytes of the hot file and its log. */
async function hotBytes(): Promise<number> {
  const files = (await readdir(folder.path)).filter(file => file.startsWith('hot.duckdb'))
  const sizes = await Promise.all(files.map(file => stat(join(folder.path, file))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

async function append(rows: number): Promise<IngestId> {
  const ingestId = nextIngestId()
  await stores.logs.append(NS, { ingestId, items: testLogs(rows) })
  return ingestId
}

/** Leaves a hot file that has been checkpointed with all rows of a load in it. */
async function load(): Promise<void> {
  stores = await openTestStores(folder.path, { limits: STILL })
  // A mark: rows of other tables than the manifest.
  await stores.logs.deleteBefore(OTHER_NS, NOON_NS)
  for (let rows = 0; rows < LOAD; rows += BATCH) await append(BATCH)
  await stores.close()
}

async function total(): Promise<number> {
  return (await stores.logs.search(NS, { range: ALL_TIME, filter: MATCH_ALL, total: true }, NEVER)).total!.value
}

it.each([
  ['gives back the room of the hot file after a load', { quietBytes: MIB }, true],
  ['keeps it while much is appended', { quietBytes: 0 }, false],
  ['keeps it where there is little to give back', { quietBytes: MIB, shrinkBytes: 1024 * MIB }, false]
])('%s, and all that is in it', async (_, limits, isShrunk) => {
  await load()
  expect(await hotBytes()).toBeGreaterThan(8 * MIB)
  stores = await openTestStores(folder.path, { limits: { ...STILL, shrinkBytes: MIB, sealIdleMs: 0, ...limits } })
  const last = await append(LATER)
  await stores.client.call('sealAll', [])
  expect((await hotBytes()) < 8 * MIB).toBe(isShrunk)
  await append(1)
  for (const isReopened of [false, true]) {
    if (isReopened) {
      await stores.close()
      stores = await openTestStores(folder.path, { limits: STILL })
    }
    expect(await total()).toBe(LOAD + LATER + 1)
    const repeated = await stores.logs.append(NS, { ingestId: last, items: testLogs(LATER) })
    expect(repeated).toEqual({ accepted: 0, deduplicated: LATER, failures: [] })
  }
})
