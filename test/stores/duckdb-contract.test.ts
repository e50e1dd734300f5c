import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { DuckDbLimits } from '../../src/stores/duckdb/limits.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { overflowContract } from '../contract/metric-store.overflow.contract.js'
import { logSubstringContract } from '../contract/log-store.substring.contract.js'
import { windowsContract } from '../contract/metric-store.windows.contract.js'
import { logUnassignedContract } from '../contract/log-store.unassigned.contract.js'
import { openedOnce } from '../contract/store-under-test.js'
import { telemetryContract } from '../contract/telemetry-stores.contract.js'
import { openTempFolder } from '../support/temp-folder.js'
import { quietJobs, SILENT_LOGGER } from '../support/quiet-jobs.js'

/** Seals after nearly every append, so that one namespace is in both tiers and in many small files. */
const SEALING: Partial<DuckDbLimits> = {
  sealRows: 3,
  minSegmentRows: 1,
  maxWaitingRows: 1,
  upkeepIntervalMs: 50
}

async function countSegments(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true })).filter(file => file.endsWith('.parquet')).length
}

/** Opens stores in folders of their own; `segments` is how many files were on disk when each was closed. */
function openIn(limits: Partial<DuckDbLimits>, segments: number[] = []) {
  return async () => {
    const folder = await openTempFolder()
    const stores = await openDuckDbStores({
      logger: SILENT_LOGGER,
      jobs: quietJobs(),
      dataDir: join(folder.path, 'telemetry'),
      clock: systemClock,
      limits
    })
    const close = async () => {
      await stores.close()
      segments.push(await countSegments(folder.path))
      await folder.remove()
    }
    return { stores, close }
  }
}

describe('one store process', () => {
  telemetryContract('DuckDB, hot tier', openedOnce(openIn({})), openIn({}))
})

windowsContract('DuckDB', openIn({}), 100)

overflowContract('DuckDB', maxSeries => openIn({ maxSeries }))

// Nothing is merged between two calls.
logUnassignedContract('DuckDB', openIn({ upkeepIntervalMs: 3_600_000 }))

const segments: number[] = []
describe('one store process that seals', () => {
  const open = openIn(SEALING, segments)
  telemetryContract('DuckDB, hot tier and segments', openedOnce(open), open)
})

// Alone, since an index for each of thousands of tiny files takes its time.
logSubstringContract('DuckDB, segments with an index of their messages', openIn({ ...SEALING, gramIndexRows: 1 }))

it('had rows in segments in the second run', () => {
  expect(Math.max(...segments)).toBeGreaterThan(0)
})
