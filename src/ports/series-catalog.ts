import type { NamespaceId } from '../domain/ids.js'
import type { Label, MetricType } from '../domain/metric-point.js'

/** One series of a namespace as the control plane remembers it. Times are Unix nanoseconds of samples. */
export interface CatalogSeries {
  readonly name: string
  readonly type: MetricType
  /** Sorted by name. */
  readonly labels: readonly Label[]
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
}

/** Registry of series for metric stores that keep no usable one of their own. Writes resolve once they are crash-safe. */
export interface SeriesCatalog {
  /** All series of the namespace, in pages so that a large one does not lie in memory twice. */
  load(ns: NamespaceId): AsyncIterable<readonly CatalogSeries[]>
  /** Adds series and widens what is known of them: the first seen only moves back, the last only forward. One transaction. */
  save(ns: NamespaceId, series: readonly CatalogSeries[]): Promise<void>
  /** Forgets series last seen before the time. */
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  drop(ns: NamespaceId): Promise<void>
}

/** Where a namespace lies in a store with a bounded number of places (a bucket, a pool). */
export interface StorePlaces {
  /** The namespaces of a store and their places. */
  all(store: string): Promise<ReadonlyMap<NamespaceId, string>>
  of(store: string, ns: NamespaceId): Promise<string | null>
  /** Sets the place unless one is set; answers the one that stands. */
  setOnce(store: string, ns: NamespaceId, place: string): Promise<string>
  remove(store: string, ns: NamespaceId): Promise<void>
}
