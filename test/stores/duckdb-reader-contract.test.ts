import { logAppendContract } from '../contract/log-store.append.contract.js'
import { logFilterContract } from '../contract/log-store.filter.contract.js'
import { logOrderContract } from '../contract/log-store.order.contract.js'
import { logSubstringContract } from '../contract/log-store.substring.contract.js'
import { openReaderStores } from '../support/reader-stores.js'

for (const placement of ['hot', 'sealed', 'mixed'] as const) {
  const name = `DuckDB readers, rows ${placement}`
  const open = async () => {
    const stores = await openReaderStores(placement)
    return { stores, close: () => stores.close() }
  }
  for (const contract of [logAppendContract, logOrderContract, logFilterContract, logSubstringContract]) contract(name, open)
}
