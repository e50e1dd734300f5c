import { GatewayError } from '../../../domain/errors.js'
import type { Filter } from '../../../domain/filter.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { SearchRequest } from '../../../domain/search.js'
import type { TimeRange } from '../../../domain/time-range.js'
import { MANY_GROUPS, MAX_GROUPS_OF_RECORD } from './aggregate-rows.js'
import type { Snapshots } from '../snapshot.js'
import type { TableKind } from '../tables.js'
import { clampRange, type Scope } from './source.js'

/** What to read, and how much work it is. */
export interface ReadingOptions {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly range: TimeRange
  readonly heavy: boolean
  readonly signal: AbortSignal
}

/** Runs `read` on one snapshot. An aborted signal rejects with its reason, whatever the engine reported meanwhile. */
export async function inSnapshot<T>(
  snapshots: Snapshots,
  { kind, ns, range, heavy, signal }: ReadingOptions,
  read: (scope: Scope) => Promise<T>
): Promise<T> {
  signal.throwIfAborted()
  try {
    return await snapshots.withSnapshot(kind, ns, clampRange(range), { heavy, signal }, (snapshot, allowed) =>
      read({ snapshot, kind, ns, range: allowed, signal })
    )
  } catch (error) {
    signal.throwIfAborted()
    throw readable(error)
  }
}

const REGEX_FAULTS = /^Invalid Input Error: (missing|invalid|no argument|unexpected|bad|trailing|pattern too large)/
const MEMORY_FAULT = /^Out of Memory Error/
const GROUPS_FAULT = new RegExp(`^Invalid Input Error: ${MANY_GROUPS}(\\d+)`)

/** Patterns are checked before they come here; what RE2 still refuses is the caller's fault, not ours. */
function readable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (MEMORY_FAULT.test(error.message)) {
    const detail = 'the query exceeds the available memory; use a shorter time range or fewer conditions'
    return new GatewayError('overloaded', detail, { retryAfterS: 1, cause: error })
  }
  const [, groups] = GROUPS_FAULT.exec(error.message) ?? []
  if (groups !== undefined) {
    const detail = `a record is in ${groups} groups, the limit is ${MAX_GROUPS_OF_RECORD}; group by fewer fields with many values`
    return new GatewayError('query_unsupported', detail)
  }
  if (!REGEX_FAULTS.test(error.message)) return error
  return new GatewayError('query_unsupported', `invalid regular expression: ${error.message.slice(21)}`, {
    cause: error
  })
}

/** Whether a filter makes the engine read long strings instead of a few short columns. */
export function isHeavyFilter(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(isHeavyFilter)
    case 'not':
      return isHeavyFilter(filter.of)
    default:
      return filter.kind === 'contains' || filter.kind === 'regex' || filter.field.in !== 'known'
  }
}

/** Whether a search does more than list rows by their well-known fields. */
export function isHeavySearch({ total, histogram, facets, distributions, spreads, filter }: SearchRequest): boolean {
  const isCounted = [facets, distributions, spreads].some(parts => parts !== undefined && parts.length > 0)
  return total === true || histogram !== undefined || isCounted || isHeavyFilter(filter)
}
