import type { NamespaceId } from '../domain/ids.js'
import type { TimeRange } from '../domain/time-range.js'

/**
 * Sentences on records of a range that were taken and that answers lack: their file cannot be read, or is lost. To be asked
 * behind the read whose answer it is about, which may be the first to notice. Stores that can always tell by an error have none.
 */
export type KnownGaps = (ns: NamespaceId, range: TimeRange) => readonly string[]
