import { telemetryContract } from '../contract/telemetry-stores.contract.js'
import { openReaderStores } from '../support/reader-stores.js'

// Rows in hot tables alone and in both tiers are what the engine itself is held to (`duckdb-contract`).
// What a read costs grows with its segments: two show what there is to show, merged ones and new ones.
telemetryContract('DuckDB readers, all rows sealed', async () => {
  const stores = await openReaderStores('sealed', { maxSegments: 2 })
  return { stores, close: () => stores.close() }
})
