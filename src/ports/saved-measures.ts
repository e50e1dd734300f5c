import type { NamespaceId } from '../domain/ids.js'
import type { SavedMeasure } from '../domain/saved-measure.js'

/** Measures that become metrics, by namespace and name. They end with the namespace. */
export interface SavedMeasures {
  /** Inserts a measure. False when the namespace has one of this name. */
  add(measure: SavedMeasure): Promise<boolean>
  /** Measures of the namespace by name, at most `limit`. */
  list(ns: NamespaceId, limit: number): Promise<readonly SavedMeasure[]>
  /** Null without one of this name. */
  find(ns: NamespaceId, name: string): Promise<SavedMeasure | null>
  /** Replaces version `measure.version - 1` of the measure with this id. False when the stored version is another one. */
  replace(measure: SavedMeasure): Promise<boolean>
  /** False when the measure does not exist. */
  remove(ns: NamespaceId, name: string): Promise<boolean>
  /**
   * Measures of the namespaces of these shards (`shardOf`) that are due (`isDue`), at most `limit`: of each namespace the one that
   * waits longest, then of each the next one.
   */
  due(shards: readonly number[], nowMs: number, limit: number): Promise<readonly SavedMeasure[]>
}
