import type { NamespaceId } from '../domain/ids.js'
import type { RetainedSignal } from '../domain/namespace.js'
import type { TimeRange } from '../domain/time-range.js'
import type { Warning } from '../domain/warning.js'

/** Signals that are stored; each has gaps of its own. */
export type GapSignal = Exclude<RetainedSignal, 'rejected'>

/** What reads of this moment cannot find though it was acknowledged: records that wait for their store, or that it lost. */
export interface ReadGaps {
  /** One sentence each, for callers; from memory. Empty when a read of the range finds everything. */
  of(ns: NamespaceId, signal: GapSignal, range: TimeRange): readonly Warning[]
}

/**
 * Sentences about acknowledged records of a range that results lack, because their file is damaged or lost. Callers call it
 * after the read, which may be the first to notice. Stores that always report a gap by an error do not have it.
 */
export type KnownGaps = (ns: NamespaceId, range: TimeRange) => readonly Warning[]
