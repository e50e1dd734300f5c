import type { NamespaceId } from '../domain/ids.js'
import type { Label, MetricType } from '../domain/metric-point.js'

/**
 * One series of a namespace as the control plane remembers it; `name` and `labels` are its identity. Times are Unix
 * nanoseconds of samples, within 64 bits.
 */
export interface CatalogSeries {
  readonly name: string
  readonly type: MetricType
  /** Sorted by name. */
  readonly labels: readonly Label[]
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
}

/**
 * Registry of series for metric stores that keep no usable one of their own, made for 100,000 a namespace. Writes resolve
 * once they are crash-safe. A namespace that becomes `deleted` loses its series in the same transaction.
 */
export interface SeriesCatalog {
  /** All series of the namespace, in pages, so that a large one is not in memory twice; each once, in no order. */
  load(ns: NamespaceId): AsyncIterable<readonly CatalogSeries[]>
  /**
   * Adds series and widens what is known of them: the first seen only moves back, the last only forward; the type is the
   * one saved last. In pieces of bounded size, so that others get their turn: after an error some may be saved, and a
   * repeat does no harm.
   */
  save(ns: NamespaceId, series: readonly CatalogSeries[]): Promise<void>
  /** Forgets series last seen before the time. */
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  drop(ns: NamespaceId): Promise<void>
}

/**
 * Where a namespace is in a store with a bounded number of places (a bucket, a pool). A row outlives its namespace:
 * whoever empties the place removes it.
 */
export interface StorePlaces {
  /** The namespaces of a store and their places. */
  all(store: string): Promise<ReadonlyMap<NamespaceId, string>>
  of(store: string, ns: NamespaceId): Promise<string | null>
  /** Sets the place unless one is set; returns the stored one. */
  setOnce(store: string, ns: NamespaceId, place: string): Promise<string>
  /** Sets the place, whatever was set before. */
  set(store: string, ns: NamespaceId, place: string): Promise<void>
  remove(store: string, ns: NamespaceId): Promise<void>
}
