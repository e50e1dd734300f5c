import type { NamespaceId } from '../domain/ids.js'
import type { TimeRange } from '../domain/time-range.js'
import type { Warning } from '../domain/warning.js'

/**
 * Sentences about acknowledged records of a range that results lack, because their file is damaged or lost. Callers call it
 * after the read, which may be the first to notice. Stores that always report a gap by an error do not have it.
 */
export type KnownGaps = (ns: NamespaceId, range: TimeRange) => readonly Warning[]
