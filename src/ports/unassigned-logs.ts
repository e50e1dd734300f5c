import type { NamespaceId } from '../domain/ids.js'

/** Logs of a namespace that are read and written together: a segment, or an index. */
export interface UnassignedPart {
  /** Names it within its namespace; a rewrite may give it another name. */
  readonly part: string
  /** Its logs without a pattern; null for a part that cannot be read. */
  readonly logs: number | null
}

/** A place in a part, where the next logs follow. */
export interface PartPlace {
  readonly part: string
  /** A whole number below 2^53; -1 before the first log. */
  readonly after: number
}

/** A log without a pattern. */
export interface UnassignedLog {
  /** Its place in its part, a whole number below 2^53; those of a page ascend. */
  readonly place: number
  readonly timestampNs: bigint
  readonly message: string
}

/** The patterns of logs of a part: `ids[of[i]]` is the one of the log at `places[i]`; places ascend. */
export interface AssignedPatterns {
  /** Whole numbers below 2^53. */
  readonly places: Float64Array
  readonly of: Uint32Array
  readonly ids: readonly string[]
}

/** What a store did with the patterns of logs. */
export interface WrittenPatterns {
  /** Logs that have their pattern now. */
  readonly assigned: number
  /** Logs that were changed or deleted since they were read. */
  readonly missed: number
  /** Logs that the store cannot write; each keeps its state without a pattern. */
  readonly refused: number
  /** The store's reason for the first of them; null for none. */
  readonly refusal: string | null
  /** Whether every log was tried; not when the time of the call was over, or the store took no more. */
  readonly isWhole: boolean
  /** Where the logs that are left begin; null when none of the part is retained. */
  readonly next: PartPlace | null
}

/** Why nothing can be read from a part, or written to it: `gone` when it was merged, rewritten or deleted meanwhile. */
export type PartFault = 'gone' | 'damaged'

/**
 * Gives stored logs the patterns that they lack, while the store is in use. What lacks a pattern is the only state: after a
 * crash the same calls go on. `store_unavailable` and `overloaded` as for other calls.
 */
export interface UnassignedLogs {
  /** Logs that one `assign` takes at most. */
  readonly maxAssigned: number
  /** The parts of a namespace with logs that lack a pattern, of all that was acknowledged; the latest logs first. */
  parts(ns: NamespaceId): Promise<readonly UnassignedPart[]>
  /** The next logs without a pattern; empty at the end of the part. Bounded in rows and bytes. */
  page(ns: NamespaceId, from: PartPlace): Promise<readonly UnassignedLog[] | PartFault>
  /**
   * Gives logs of a part their patterns; those that have one keep it. After a fault or an error, an engine that rewrites whole
   * parts has the part as it was. One that writes log by log does so for a bounded time, and returns what it wrote when an
   * error ends that; it throws the error if it wrote nothing. Each log is whole.
   */
  assign(ns: NamespaceId, part: string, assigned: AssignedPatterns): Promise<WrittenPatterns | PartFault>
}
