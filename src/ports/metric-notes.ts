import type { Exemplar } from '../domain/exemplar.js'
import type { NamespaceId } from '../domain/ids.js'
import type { MetricFacts } from '../domain/metric-facts.js'
import type { TimeRange } from '../domain/time-range.js'
import type { LabelMatcher } from './metric-store.js'

// Metadata and exemplars of metrics. They are in the control plane whichever store has the samples, so that every mix of
// stores returns the same (docs/adr/0025). A namespace that becomes `deleted` loses them in the same transaction.

/** Type, help and unit of metric families, one row per namespace and family. Writes resolve once they are crash-safe. */
export interface MetricFactsCatalog {
  /** Replaces earlier facts. */
  save(ns: NamespaceId, facts: readonly MetricFacts[]): Promise<void>
  /** What is known of these families; up to 1,000. In no order. */
  of(ns: NamespaceId, names: readonly string[]): Promise<readonly MetricFacts[]>
  /** What is known of all families, in no order, at most `limit`. */
  all(ns: NamespaceId, limit: number): Promise<readonly MetricFacts[]>
}

/** Which exemplars to read. */
export interface ExemplarRequest {
  /** Of their series. */
  readonly matchers: readonly LabelMatcher[]
  /** Start inclusive, end exclusive. */
  readonly range: TimeRange
  /** More than these are cut, the oldest first. */
  readonly limit: number
}

/** How many exemplars a namespace keeps: the newest. */
export interface ExemplarBounds {
  readonly perSeries: number
  readonly perNamespace: number
}

/** Exemplars of series, one per series and time: a second one replaces the first. */
export interface ExemplarStore {
  /** Resolves once they are crash-safe. In pieces: after an error some may be kept, and a repeat does no harm. */
  save(ns: NamespaceId, exemplars: readonly Exemplar[]): Promise<void>
  /** Those whose series match, sorted by series, then by time. `invalid_query` for an invalid regex. */
  select(
    ns: NamespaceId,
    request: ExemplarRequest
  ): Promise<{ readonly exemplars: readonly Exemplar[]; readonly hasMore: boolean }>
  /** Forgets the oldest beyond the bounds. */
  trim(ns: NamespaceId, bounds: ExemplarBounds): Promise<void>
  /** Removes exemplars with a time before `timeNs`. Idempotent. */
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
}
