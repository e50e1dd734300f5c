import type { OpenStores } from './store-under-test.js'
import { traceAppendContract } from './trace-store.append.contract.js'
import { traceEdgesContract } from './trace-store.edges.contract.js'
import { traceFilterContract } from './trace-store.filter.contract.js'
import { tracePropertyContract } from './trace-store.property.contract.js'
import { traceSearchContract } from './trace-store.search.contract.js'
import { traceStatsContract } from './trace-store.stats.contract.js'
import { traceSuffixContract } from './trace-store.suffix.contract.js'

/** Every suite of the trace port, on the stores of one engine. */
export function traceContract(name: string, open: OpenStores): void {
  traceAppendContract(name, open)
  traceFilterContract(name, open)
  traceSearchContract(name, open)
  traceSuffixContract(name, open)
  tracePropertyContract(name, open)
  traceStatsContract(name, open)
  traceEdgesContract(name, open)
}
