import { telemetryContract } from '../contract/telemetry-stores.contract.js'
import { openReaderStores } from '../support/reader-stores.js'

// Rows in hot tables alone and in both tiers are what the engine itself is held to (`duckdb-contract`).
telemetryContract('DuckDB readers, all rows sealed', async () => {
  const stores = await openReaderStores('sealed')
  return { stores, close: () => stores.close() }
})
