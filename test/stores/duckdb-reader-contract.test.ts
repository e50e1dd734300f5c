import { telemetryContract } from '../contract/telemetry-stores.contract.js'
import { openReaderStores } from '../support/reader-stores.js'

for (const placement of ['hot', 'sealed', 'mixed'] as const) {
  telemetryContract(`DuckDB readers, rows ${placement}`, async () => {
    const stores = await openReaderStores(placement)
    return { stores, close: () => stores.close() }
  })
}
