import { eventStoreContract } from '../contract/event-store.contract.js'
import { logCountsContract } from '../contract/log-store.counts.contract.js'
import { logFilterContract } from '../contract/log-store.filter.contract.js'
import { logIsolationContract } from '../contract/log-store.isolation.contract.js'
import { logOrderContract } from '../contract/log-store.order.contract.js'
import { logPropertyContract } from '../contract/log-store.property.contract.js'
import { logStreamContract } from '../contract/log-store.stream.contract.js'
import { logSubstringContract } from '../contract/log-store.substring.contract.js'
import { SEARCH_SERVERS, serverAccess } from '../support/servers.js'
import { openSearchReaderStores } from '../support/search-reader-stores.js'

for (const name of SEARCH_SERVERS.filter(each => (process.env['ONLY'] ?? each).split(',').includes(each))) {
  const open = async () => {
    const stores = await openSearchReaderStores(
      serverAccess(name)!,
      name === 'opensearch' ? 'opensearch' : 'elasticsearch',
      Number(process.env['GENERATIONS'] ?? 1)
    )
    return { stores, close: () => stores.close() }
  }
  logOrderContract(name, open)
  logFilterContract(name, open)
  logSubstringContract(name, open)
  logCountsContract(name, open)
  logIsolationContract(name, open)
  logStreamContract(name, open)
  logPropertyContract(name, open)
  eventStoreContract(name, open)
}
