import type { NamespaceId } from '../domain/ids.js'
import type { UsageDelta } from './usage-ledger.js'

/** Records of one signal that arrived on one day and wait for their engine. */
export interface WaitingRecords {
  /** `YYYY-MM-DD`, UTC, of arrival. */
  readonly day: string
  readonly signal: UsageDelta['signal']
  readonly records: number
}

/** The outcome of records that were queued in the spool; each record is reported once. */
export interface ReplayedRecords extends Pick<UsageDelta, 'namespaceId' | 'day' | 'signal'> {
  /** Stored now, or by the attempt whose result never came. */
  readonly stored: number
  /** Refused by the engine one by one, or left of a namespace that was deleted meanwhile. */
  readonly rejected: number
}

/**
 * Acknowledged records that wait on this gateway's disk for an engine that does not respond. They are in no store's count
 * yet: `received = stored + rejected + deduplicated + waiting`.
 */
export interface RecordSpool {
  /** What waits of a namespace, by day and signal; from memory. */
  waiting(ns: NamespaceId): readonly WaitingRecords[]
  /** Begins to replay the queue, in order, and reports every outcome. The second call does nothing. */
  start(onReplayed: (outcome: ReplayedRecords) => void): void
}
