import type { OpenStores } from './store-under-test.js'
import { traceAppendContract } from './trace-store.append.contract.js'
import { traceSearchContract } from './trace-store.search.contract.js'

/** Every suite of the trace port, on the stores of one engine. */
export function traceContract(name: string, open: OpenStores): void {
  traceAppendContract(name, open)
  traceSearchContract(name, open)
}
