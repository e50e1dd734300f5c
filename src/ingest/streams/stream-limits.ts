/** Bounds of the stream ledger. */
export interface StreamLimits {
  /** Streams of a namespace that the ledger remembers. */
  readonly streams: number
  /** A stream that wrote nothing for so long may be forgotten in favor of a new one. */
  readonly idleMs: number
  /** Gaps of a stream; more are merged, or refused where they are batches that may still come. */
  readonly gaps: number
  /** A run takes in neighbors that arrive within this time of its first batch. */
  readonly runMs: number
  /** Stored records that a batch of a sender without state is compared with. */
  readonly compared: number
  /** How long the comparison may take. */
  readonly comparedMs: number
}

export const STREAM_LIMITS: StreamLimits = Object.freeze({
  streams: 20_000,
  idleMs: 7 * 24 * 3_600_000,
  gaps: 1_000,
  runMs: 3_600_000,
  compared: 20_000,
  comparedMs: 30_000
})
