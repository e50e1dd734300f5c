import { eventStoreContract } from './event-store.contract.js'
import { logAggregateContract } from './log-store.aggregate.contract.js'
import { logAppendContract } from './log-store.append.contract.js'
import { logCountsContract } from './log-store.counts.contract.js'
import { logDistributionsContract } from './log-store.distributions.contract.js'
import { logFacetsContract } from './log-store.facets.contract.js'
import { logFilterContract } from './log-store.filter.contract.js'
import { logIsolationContract } from './log-store.isolation.contract.js'
import { logOrderContract } from './log-store.order.contract.js'
import { logPropertyContract } from './log-store.property.contract.js'
import { logSpreadsContract } from './log-store.spreads.contract.js'
import { closingContract, logStreamContract } from './log-store.stream.contract.js'
import { logSubstringContract } from './log-store.substring.contract.js'
import { cardinalityContract } from './metric-store.cardinality.contract.js'
import { metricStoreContract } from './metric-store.contract.js'
import { histogramsContract } from './metric-store.histograms.contract.js'
import type { OpenStores } from './store-under-test.js'
import { virtualMetricsContract } from './virtual-metrics.contract.js'

/**
 * Every suite of the telemetry ports, on the stores of one engine.
 * @param openToClose opens stores that nothing else uses; absent if `open` does.
 */
export function telemetryContract(name: string, open: OpenStores, openToClose: OpenStores = open): void {
  logAppendContract(name, open)
  logOrderContract(name, open)
  logFilterContract(name, open)
  logSubstringContract(name, open)
  logCountsContract(name, open)
  logFacetsContract(name, open)
  logDistributionsContract(name, open)
  logSpreadsContract(name, open)
  logAggregateContract(name, open)
  logIsolationContract(name, open)
  logStreamContract(name, open)
  logPropertyContract(name, open)
  metricStoreContract(name, open)
  histogramsContract(name, open)
  cardinalityContract(name, open)
  eventStoreContract(name, open)
  virtualMetricsContract(name, open)
  closingContract(name, openToClose)
}
