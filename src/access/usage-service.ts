import type { Principal } from '../domain/principal.js'
import type { UsageDelta } from '../ports/control-store.js'

/** Sums of one day and signal: `received = stored + rejected + deduplicated`. */
export interface UsageRow extends Omit<UsageDelta, 'namespaceId'> {
  readonly received: number
}

/** What a namespace sent, day by day, for its members. */
export class UsageService {
  /** Days `from` to `to` inclusive as `YYYY-MM-DD`; default the last 30. `invalid_time_range` when they are not days in order. */
  of(
    _principal: Principal,
    _namespaceId: string,
    _days: { readonly from?: string; readonly to?: string }
  ): Promise<{ readonly from: string; readonly to: string; readonly rows: readonly UsageRow[] }> {
    throw new Error('unbuilt')
  }
}
