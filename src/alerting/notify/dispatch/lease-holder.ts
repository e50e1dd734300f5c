import type { ShardLease } from '../../../ports/alert-states.js'

/** Who holds leases of shards here: the scheduler of rules. What notifies follows the same leases. */
export interface LeaseHolder {
  /** Leases that are held now. */
  held(): readonly ShardLease[]
}
