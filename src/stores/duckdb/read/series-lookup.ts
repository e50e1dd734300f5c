import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesInfo } from '../../../ports/metric-store.js'

/** A series and the id that is in the `points` table. */
export interface NumberedSeries extends SeriesInfo {
  readonly id: bigint
}

/** What the metric reader needs of the registry of series: the writing side's `SeriesRegistry` satisfies it. */
export interface SeriesLookup {
  /** The limit of active series of a namespace. */
  readonly maxSeries: number
  /** How many it has. */
  sizeOf(ns: NamespaceId): number
  /** All series of the namespace; with `name` only those of that metric. Nothing for a namespace never written. */
  ofNamespace(ns: NamespaceId, name?: string): Iterable<NumberedSeries>
}
