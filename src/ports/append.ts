import type { IngestId } from '../domain/ids.js'

/**
 * The records of one request for one namespace. Each record's `index` is unique within the batch, except that samples of
 * one data point share theirs.
 */
export interface Batch<Item> {
  readonly ingestId: IngestId
  readonly items: readonly Item[]
  /** False when the records must not wait in the spool: an outage of the engine is an error instead (`ack=searchable`). */
  readonly mayWait?: boolean
  /** The ingest id was generated for this batch and no client repeats it: an engine may store the batch together with others. */
  readonly isNew?: boolean
}

/**
 * Outcome of an append. `accepted` records are crash-safe: they survive `kill -9` and a power cut.
 * `deduplicated` were stored by an earlier append of the same ingest id; they count as success.
 */
export interface AppendResult {
  readonly accepted: number
  readonly deduplicated: number
  /** True when an earlier append of the same ingest id stored no items, which `deduplicated` does not show; else absent. */
  readonly isRepeat?: boolean
  /** How many of `accepted` wait in the gateway's spool (crash-safe, replayed once the engine is back); absent when none do. */
  readonly spooled?: number
  /** Items that the store itself refused, by their `index`; the others of the batch are stored. */
  readonly failures: readonly AppendFailure[]
  /**
   * Points of `accepted` and `deduplicated` whose series exceed the limit and that were added to overflow series; absent when
   * none were.
   */
  readonly overflow?: OverflowReport
}

/** An item that was refused. */
export interface AppendFailure {
  readonly index: number
  readonly reason: string
  /** Index in the batch of a point that was refused because the namespace has reached its series limit. */
  readonly overBudgetAt?: number
}

/** Points that went into overflow series (docs/adr on cardinality), and why. */
export interface OverflowReport {
  readonly points: number
  /** The budget: active series of the namespace. */
  readonly maxSeries: number
  /** The label with the most values in the namespace, and how many; null when its series have no labels. */
  readonly offender: { readonly label: string; readonly values: number } | null
  /** The earliest time that was written to an overflow series, Unix nanoseconds. */
  readonly fromNs: bigint
}
