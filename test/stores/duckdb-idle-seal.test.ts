import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { NEVER } from '../contract/fresh-ids.js'
import { nextIngestId, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const HOUR_MS = 3_600_000
const LEAST_ROWS = 10
const ALL = { range: ALL_TIME, filter: MATCH_ALL, total: true }
// Nothing happens by itself: the tests trigger each step.
const QUIET = { upkeepIntervalMs: HOUR_MS, minSegmentRows: LEAST_ROWS, sealAgeMs: HOUR_MS }

it.each([
  ['is sealed', LEAST_ROWS, 0, 1],
  ['is not sealed while it has few rows', LEAST_ROWS - 1, 0, 0],
  ['is not sealed before it is idle long enough', LEAST_ROWS, HOUR_MS, 0]
])('a generation without appends %s', async (_, rows, sealIdleMs, segments) => {
  const folder = await openTempFolder()
  const stores = await openTestStores(folder.path, { limits: { ...QUIET, sealIdleMs } })
  try {
    await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(rows) })
    // A read waits until all rows are in the hot table.
    expect(await stores.logs.search(NS, ALL, NEVER)).toMatchObject({ total: { value: rows } })
    await stores.client.call('upkeep', [])
    const files = await readdir(join(folder.path, 'segments'), { recursive: true })
    expect(files.filter(file => file.endsWith('.parquet'))).toHaveLength(segments)
  } finally {
    await stores.close()
    await folder.remove()
  }
})
