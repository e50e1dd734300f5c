/** Bounds of live tails. */

/** Interval of deliveries that a client may choose, in milliseconds. */
export const MIN_EVERY_MS = 100
/** Longest time between two deliveries that a client may request. */
export const MAX_EVERY_MS = 60_000
/** Records of one delivery. */
export const MAX_DELIVERY_ROWS = 1_000
/** A delivery ends early once its records are about so many bytes of JSON. */
export const MAX_DELIVERY_BYTES = 256 * 1024
/** A read ends early, too: it also returns records that were delivered before. */
export const MAX_READ_BYTES = 16 * 1024 * 1024
/** Bounds of what a tail keeps, of itself and in a cursor. */
export interface TailBounds {
  /** Undelivered records that wait in the store for their tail; more are dropped and counted. */
  readonly backlog: number
  /** Delivered records that a tail remembers, to deliver each once. Over it, half of them are kept. */
  readonly seen: number
  /** Delivered records that a cursor names; a tail that resumes from a busier moment can repeat records. */
  readonly digests: number
  /** Spans of arrival that are to be counted once more; more are joined. */
  readonly spans: number
}

/** The bounds of tails of the service. */
export const TAIL_BOUNDS: TailBounds = { backlog: 10_000, seen: 50_000, digests: 500, spans: 8 }
/** Records become searchable within this time of their arrival; each pass reads as far back. */
export const OVERLAP_MS = 2_000
/**
 * Records that become searchable later are found by counting, up to this time after their arrival. After it, a tail counts
 * once more what it reads no more.
 */
export const LATE_MS = 60_000
/** How often a tail counts them. */
export const COUNT_EVERY_MS = 5_000
/** A tail that goes back for them reads from at most so long before the earliest. */
export const LATE_GRAIN_MS = 4_000
/** How often a backlog is counted. */
export const BACKLOG_COUNT_EVERY_MS = 2_000
/** A tail without new records delivers its cursor this often. */
export const IDLE_DELIVERY_MS = 5_000
/** Time limit of one read. */
export const READ_TIMEOUT_MS = 10_000
/** Reads that fail in a row before the tail fails, and the pause after each. */
export const MAX_FAILURES = 4
/** Time before a failed read is repeated. */
export const RETRY_MS = 500
/** Reads of all tails that run at once. A namespace has one. */
export const READS_AT_ONCE = 2
/** Characters of a cursor that is accepted. */
export const MAX_CURSOR_CHARS = 8_192
