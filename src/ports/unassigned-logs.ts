import type { NamespaceId } from '../domain/ids.js'

/** Logs of a namespace that are read and written together. */
export interface UnassignedPart {
  /** Names it within its namespace, until it is rewritten. */
  readonly part: string
  /** Its logs without a pattern; null for a part that cannot be read. */
  readonly logs: number | null
}

/** A log without a pattern. */
export interface UnassignedLog {
  /** Its place in its part; those of a page ascend. */
  readonly place: number
  readonly timestampNs: bigint
  readonly message: string
}

/** The patterns of logs of a part: `ids[of[i]]` is the one of the log at `places[i]`; places ascend. */
export interface AssignedPatterns {
  readonly places: Uint32Array
  readonly of: Uint32Array
  readonly ids: readonly string[]
}

/** Why nothing can be read from a part, or written to it: `gone` when it was merged, rewritten or deleted meanwhile. */
export type PartFault = 'gone' | 'damaged'

/**
 * Gives stored logs the patterns that they lack, while the store is in use. What lacks a pattern is the only state: after a
 * crash the same calls go on. `store_unavailable` as for other calls.
 */
export interface UnassignedLogs {
  /** The parts of a namespace with logs that lack a pattern, of all that was acknowledged; the latest logs first. */
  parts(ns: NamespaceId): Promise<readonly UnassignedPart[]>
  /** The next logs without a pattern behind a place, -1 for the first ones; empty at the end of the part. Bounded in rows and bytes. */
  page(ns: NamespaceId, part: string, after: number): Promise<readonly UnassignedLog[] | PartFault>
  /**
   * Rewrites a part; logs that have a pattern keep it. `part` names what replaces it: null when none of its logs is retained.
   * After a fault it is as it was.
   */
  assign(ns: NamespaceId, part: string, assigned: AssignedPatterns): Promise<{ readonly part: string | null } | PartFault>
}
