import type { FoundGap, LogStream, LostLines, StreamGap, StreamRun } from '../domain/log-stream.js'
import type { NamespaceId } from '../domain/ids.js'

/** What the next batch of a stream is judged by. */
export interface StreamAccount {
  readonly stream: LogStream
  /** The run that ends at `bytesTo`; null when a gap is there. */
  readonly lastRun: StreamRun | null
  /** In the order of their numbers. */
  readonly gaps: readonly StreamGap[]
}

/** Rows that one or more batches of a stream change. */
export interface StreamChange {
  readonly stream: LogStream
  /** Added, or replaced by `from`. */
  readonly runs: readonly StreamRun[]
  /** Added, or replaced by `no`. */
  readonly gaps: readonly StreamGap[]
  /** Numbers of gaps that are closed or merged. */
  readonly closed: readonly number[]
}

/** Whether streams are ended, and when their last batch arrived, Unix milliseconds. */
export interface StreamTimes {
  readonly isEnded: boolean
  /** At this time or later. */
  readonly sinceMs?: number
  /** Before this time. */
  readonly quietSinceMs?: number
}

/** Conditions on a list of streams. */
export interface StreamListRequest {
  readonly hostId?: string | undefined
  readonly host?: string | undefined
  /** Only streams of this host, and those that name none. */
  readonly hostOrNone?: string | undefined
  readonly path?: string | undefined
  readonly service?: string | undefined
  /** Only streams to which one of these applies. */
  readonly times?: readonly StreamTimes[] | undefined
  /** Only streams with gaps. */
  readonly hasGaps?: boolean | undefined
  /** Only streams with a batch at this time or later, Unix milliseconds. */
  readonly sinceMs?: number | undefined
  /** Only streams that are not ended, and ended ones with a batch at this time or later. */
  readonly endedSinceMs?: number | undefined
  /** Only streams whose first batch arrived before this time. */
  readonly untilMs?: number | undefined
  /** Only streams after this id. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Which gaps are looked for: all conditions that are given apply. */
export interface LostLinesRequest {
  readonly ids?: readonly string[] | undefined
  readonly hosts?: readonly string[] | undefined
  readonly paths?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  /** Also streams of which no service is known; their records may be of any. */
  readonly anyService: boolean
  /** Only gaps whose lines can have been written in `[sinceMs, untilMs)`, Unix milliseconds. */
  readonly sinceMs: number
  readonly untilMs: number
  readonly limit: number
}

/** Which gaps of all namespaces are read. */
export interface FoundGapsRequest {
  /** When they were found, Unix milliseconds, from inclusive, to exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** Streams of a namespace. */
  readonly streams: number
  readonly limit: number
}

/** Which lines of which log streams arrived. Every method but `found` and `firstFound` is confined to one namespace. */
export interface StreamLedger {
  /** Null for a stream that is not known. */
  account(ns: NamespaceId, id: string): Promise<StreamAccount | null>
  /** Writes all changes in one transaction. */
  save(changes: readonly StreamChange[]): Promise<void>
  /** Streams by id. */
  list(ns: NamespaceId, request: StreamListRequest): Promise<readonly LogStream[]>
  count(ns: NamespaceId): Promise<number>
  /** Gaps by the id of their stream, in the order of their place, at most `limit` of each; a stream without has no entry. */
  gaps(ns: NamespaceId, ids: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly StreamGap[]>>
  /** Gaps of any streams, by stream and place, without those of lines that the rules of the namespace drop. */
  lost(ns: NamespaceId, request: LostLinesRequest): Promise<readonly LostLines[]>
  /**
   * The first gap that was found of each stream in the time, of all namespaces, without those of lines that the rules of a
   * namespace drop. Of a namespace with too many streams, one of each service comes first. The first of each namespace come
   * first.
   */
  found(request: FoundGapsRequest): Promise<readonly FoundGap[]>
  /** When the first such gap of any namespace was found since `fromMs`, Unix milliseconds; null without one. */
  firstFound(fromMs: number): Promise<number | null>
  /** Runs of a stream in the order of their place, at most `limit`, from `from` on. */
  runs(ns: NamespaceId, id: string, range: { readonly from: number; readonly limit: number }): Promise<readonly StreamRun[]>
  /**
   * Forgets the stream that wrote last the longest time ago among those that are ended or wrote nothing since `idleMs`.
   * False if no stream qualifies.
   */
  forgetOldest(ns: NamespaceId, idleMs: number): Promise<boolean>
  /** Forgets streams whose last batch arrived before `atMs`, and runs and gaps that arrived before it. */
  deleteBefore(ns: NamespaceId, atMs: number): Promise<void>
}
