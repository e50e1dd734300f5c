import type { StoragePlan } from '../../src/domain/storage-plan.js'
import type { Stores } from '../../src/ports/stores.js'
import { eventStoreContract } from '../contract/event-store.contract.js'
import { logAggregateContract, logAggregateCountsContract } from '../contract/log-store.aggregate.contract.js'
import { logAppendContract } from '../contract/log-store.append.contract.js'
import { logCountsContract } from '../contract/log-store.counts.contract.js'
import { logDistributionsContract } from '../contract/log-store.distributions.contract.js'
import { logFilterContract } from '../contract/log-store.filter.contract.js'
import { logIsolationContract } from '../contract/log-store.isolation.contract.js'
import { logOrderContract } from '../contract/log-store.order.contract.js'
import { logPropertyContract } from '../contract/log-store.property.contract.js'
import { logSpreadsContract } from '../contract/log-store.spreads.contract.js'
import { logStreamContract } from '../contract/log-store.stream.contract.js'
import { logSubstringContract } from '../contract/log-store.substring.contract.js'
import { logUnassignedContract } from '../contract/log-store.unassigned.contract.js'
import type { OpenStores } from '../contract/store-under-test.js'
import { traceContract } from '../contract/trace-stores.contract.js'
import { virtualMetricsContract } from '../contract/virtual-metrics.contract.js'
import type { ServerAccess } from '../servers/variables.js'
import { openElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, type SEARCH_SERVERS } from '../support/servers.js'

/** The suites look at nothing but logs, events and spans. */
function openOn(access: ServerAccess, plan: StoragePlan): OpenStores {
  return async () => {
    const site = await openElasticsearchSite(access, plan)
    const stores: Partial<Stores> = await site.open()
    return { stores: stores as Stores, close: () => site.close() }
  }
}

const POOLED: StoragePlan = { placement: 'pooled', search: 'exact' }
const DEDICATED: StoragePlan = { placement: 'dedicated', search: 'exact' }

/** The distribution of Elasticsearch that tests can run lacks its language of scripts (Painless), which every release has. */
const HAS_SCRIPTS: Readonly<Record<(typeof SEARCH_SERVERS)[number], boolean>> = { es8: false, es9: false, opensearch: true }

/** Every suite of the ports of a search store, on one server: the servers' files run concurrently. */
export function searchStoreContract(server: (typeof SEARCH_SERVERS)[number]): void {
  describeOn(server, `search store ${server}`, access => {
    const pooled = openOn(access, POOLED)
    for (const contract of [
      logAppendContract,
      logOrderContract,
      logFilterContract,
      logSubstringContract,
      logCountsContract,
      logDistributionsContract,
      logSpreadsContract,
      HAS_SCRIPTS[server] ? logAggregateContract : logAggregateCountsContract,
      logIsolationContract,
      logStreamContract,
      logUnassignedContract,
      logPropertyContract,
      eventStoreContract,
      traceContract,
      virtualMetricsContract
    ])
      contract('all namespaces in a pool', pooled)
    // An index takes some tenths of a second to make: only what is otherwise there.
    const dedicated = openOn(access, DEDICATED)
    for (const contract of [logAppendContract, logIsolationContract, logUnassignedContract, eventStoreContract, traceContract])
      contract('an index per namespace', dedicated)
  })
}
