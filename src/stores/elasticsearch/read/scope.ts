import type { TimeRange } from '../../../domain/time-range.js'
import { formatNs } from '../../../domain/timestamp.js'
import { ALL, every, NONE, type Query } from './query.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { IndexKind, SubstringSearch } from '../../../ports/index-catalog.js'

/** The location of the records of one kind of a namespace, and the condition of every read of them. */
interface ReadTarget {
  /** Explicit names, no patterns; none when the namespace was never written. */
  readonly indices: readonly string[]
  /** Keeps other namespaces of a pool out, and records that a deletion has passed but not removed yet. */
  readonly mandatory: readonly Query[]
  /** The weakest among the indices. */
  readonly search: SubstringSearch
}

/** Finds targets; the manifest's reading side. Throws `store_unavailable` when the manifest cannot be read. */
export interface ReadTargets {
  of(ns: NamespaceId, kind: IndexKind): Promise<ReadTarget>
}

declare const confined: unique symbol

/** A query that nothing of another namespace can match; only a `Scope` makes one, and only such are sent. */
export type ConfinedQuery = Query & { readonly [confined]: true }

/** The last time that `date_nanos` can contain; the first is 1970-01-01. */
export const MAX_TIME_NS = 2n ** 63n - 1n

/** The clause for `startNs <= time < endNs`; bounds outside what can be stored bound nothing. */
export function timeClause({ startNs, endNs }: TimeRange): Query {
  if (endNs <= 0n || startNs > MAX_TIME_NS || endNs <= startNs) return NONE
  if (startNs <= 0n && endNs > MAX_TIME_NS) return ALL
  // Both bounds, always: histograms of Elasticsearch fail on a range that is open below.
  const to = endNs > MAX_TIME_NS ? { lte: formatNs(MAX_TIME_NS) } : { lt: formatNs(endNs) }
  return { range: { '@timestamp': { gte: formatNs(startNs > 0n ? startNs : 0n), ...to } } }
}

/** One namespace's records of one kind within a range. */
export class Scope {
  readonly target: ReadTarget
  readonly range: TimeRange

  constructor(target: ReadTarget, range: TimeRange) {
    this.target = target
    this.range = range
  }

  /** The query within this scope: the one place where a read meets its mandatory filter. */
  confine(query: Query): ConfinedQuery {
    return every([...this.target.mandatory, timeClause(this.range), query]) as ConfinedQuery
  }
}
