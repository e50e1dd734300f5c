import { join } from 'node:path'
import type { DuckDbLimits } from '../../src/stores/duckdb/limits.js'
import { traceContract } from '../contract/trace-stores.contract.js'
import { openTestStores } from '../support/duckdb-fixture.js'
import { openReaderStores } from '../support/reader-stores.js'
import { openTempFolder } from '../support/temp-folder.js'

function openIn(limits: Partial<DuckDbLimits>) {
  return async () => {
    const folder = await openTempFolder()
    const stores = await openTestStores(join(folder.path, 'telemetry'), { limits })
    const close = async () => {
      await stores.close()
      await folder.remove()
    }
    return { stores, close }
  }
}

traceContract('DuckDB, hot tier', openIn({}))
traceContract('DuckDB, segments', openIn({ sealRows: 3, minSegmentRows: 1, maxWaitingRows: 1, upkeepIntervalMs: 50 }))

traceContract('DuckDB readers, all rows sealed', async () => {
  const stores = await openReaderStores('sealed', { maxSegments: 2 })
  return { stores, close: () => stores.close() }
})
