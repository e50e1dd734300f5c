import type { AggregateRequest, AggregateResult } from '../domain/aggregate.js'
import type { Filter } from '../domain/filter.js'
import type { NamespaceId, RecordId } from '../domain/ids.js'
import type { LogRecord, StoredLog } from '../domain/records/log.js'
import type { FieldSummary, Order, SearchRequest, SearchResult } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { AppendResult, Batch } from './append.js'
import type { KnownGaps } from './read-gaps.js'
import type { UnassignedLogs } from './unassigned-logs.js'

/** What `stream` gives out: everything in the range that matches, in pages of the store's own size. */
export interface StreamRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly order: Order
}

/**
 * Logs of all namespaces, each method confined to one. A namespace that was never written reads as an empty one.
 *
 * Errors: `store_unavailable` when the engine cannot be reached or is being restarted, `overloaded` when its queue is
 * full, `storage_full` when the disk is, `query_timeout` when a read was interrupted by its own limit,
 * `unsupported_by_store` for a filter that this engine cannot evaluate exactly (never an empty result instead).
 * A read whose signal is aborted stops its work in the engine and rejects with the signal's reason.
 */
export interface LogStore {
  /**
   * Resolves once the records are crash-safe. The same ingest id again stores nothing and returns the first outcome as
   * `deduplicated`. Records of one batch become visible together.
   */
  append(ns: NamespaceId, batch: Batch<LogRecord>): Promise<AppendResult>
  /** Rows, count, histogram and facets as requested, all from one consistent view. */
  search(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredLog>>
  /**
   * All matching records in order, page after page. At most one page is held for a slow reader. Records that arrive
   * meanwhile may or may not appear; none appears twice and none that was there at the start is left out.
   */
  stream(ns: NamespaceId, request: StreamRequest, signal: AbortSignal): AsyncIterable<readonly StoredLog[]>
  /** One record; null if this namespace has no record of this id. */
  get(ns: NamespaceId, id: RecordId): Promise<StoredLog | null>
  /**
   * Fields of `log_fields` and `tags` seen in the newest matching rows (at most `sampleRows` of them), most frequent
   * first, at most `limit`. `sampled` is true if more rows matched than were examined.
   */
  fields(
    ns: NamespaceId,
    request: { readonly range: TimeRange; readonly filter: Filter; readonly limit: number; readonly sampleRows: number },
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }>
  /**
   * Measures over fields, by groups and over time. `unsupported_by_store` for what this engine cannot compute, with `exact` also
   * for what it can only estimate.
   */
  aggregate(ns: NamespaceId, request: AggregateRequest, signal: AbortSignal): Promise<AggregateResult>
  /** Searches, fields and aggregates already report them in `complete`; `stream` does not. */
  readonly gaps?: KnownGaps
  /** Gives stored logs the patterns that they lack. */
  readonly unassigned: UnassignedLogs
  /** Resolves when every append that has resolved is visible to reads. */
  settle(ns: NamespaceId): Promise<void>
  /** Removes records with an event time before `timeNs`, from reads at once and from disk soon. Idempotent. */
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  /** Removes everything of the namespace, queued appends too; later appends are refused with `namespace_deleted`. Idempotent and resumable. */
  dropNamespace(ns: NamespaceId): Promise<void>
}
