import type { AggregateRequest, AggregateResult } from '../domain/aggregate.js'
import type { Field, Filter } from '../domain/filter.js'
import type { NamespaceId } from '../domain/ids.js'
import type { PeerKind } from '../domain/peer.js'
import type { FieldSummary, Order, SearchRequest, SearchResult, Total } from '../domain/search.js'
import type { Span, StoredSpan, TraceSummary } from '../domain/span.js'
import type { TimeRange } from '../domain/time-range.js'
import type { AppendResult, Batch } from './append.js'
import type { KnownGaps } from './read-gaps.js'
import type { Warning } from '../domain/warning.js'

/** Conditions on whole traces; a bound that is absent does not restrict. */
export interface TraceConditions {
  /** Inclusive bounds of the trace's duration. */
  readonly minDurationNs?: bigint
  readonly maxDurationNs?: bigint
  /** True: a span of the trace has the status `error`, be it one that matches or not. False: none has. */
  readonly hasError?: boolean
}

/** Where a page of traces ended: the last one that was given out. `key` is its start or duration in nanoseconds, as sorted by. */
export interface TracePosition {
  readonly key: bigint
  readonly traceId: string
}

/**
 * A trace matches when one of its spans starts within `range` and satisfies `filter`, and the trace as a whole satisfies
 * `conditions`. Its summary is counted over all of its stored spans, those outside the range too. A span that was sent twice
 * matches by any of its copies.
 */
export interface TraceSearchRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly conditions: TraceConditions
  readonly rows: {
    readonly limit: number
    /** What traces are sorted by; ties by trace id in the same direction. */
    readonly by: 'start' | 'duration'
    readonly order: Order
    readonly after?: TracePosition
  }
  /** The number of matching traces. */
  readonly total?: boolean
}

/** `complete` is false when a cap cut the result; `warnings` states which. */
export interface TraceSearchResult {
  readonly traces: readonly TraceSummary[]
  readonly hasMore: boolean
  readonly total?: Total
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** Spans of a small trace at most. */
export const SMALL_TRACE_SPANS = 2_000

/**
 * All of a trace that was requested, by start, ties by record id. A span id that was sent twice appears once, in its latest
 * version.
 */
export interface TraceSpans {
  readonly spans: readonly StoredSpan[]
  /** More spans are stored than were given: more than `limit`, or more than a store's bound of bytes. */
  readonly hasMore: boolean
}

/** Suffixes of one request at most. */
export const MAX_SUFFIXES = 1_000

/** Which traces to look for by the low 64 bits of their ids. */
export interface TraceSuffixRequest {
  /** A trace counts when one of its spans starts in the range. */
  readonly range: TimeRange
  /** Each 16 hex digits in lower case; at most `MAX_SUFFIXES`. */
  readonly suffixes: readonly string[]
  /** Ids returned for each suffix at most. */
  readonly limit: number
}

/** `complete` is false when traces may be missing; `warnings` states why. */
export interface TraceSuffixResult {
  /** Of each suffix the first ids in ascending order; all of them together in ascending order. */
  readonly traceIds: readonly string[]
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** A grid as for histograms, and what is counted per bucket of time in addition to spans and errors. */
export interface SpanGrid {
  readonly startNs: bigint
  readonly stepNs: bigint
  readonly count: number
  /** Sums of durations. */
  readonly sums?: boolean
  /** Spans by the bounds of duration that the request has. */
  readonly buckets?: boolean
}

/** Requests, errors and durations of the spans that satisfy `filter`; one that was sent twice counts twice. */
export interface SpanStatsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  /**
   * One row per combination of values that spans have (known fields of one value: `service`, `name`, `kind`, `status`); empty:
   * one row over all spans; no rows without spans.
   */
  readonly groupBy: readonly Field[]
  /** Counts and errors per bucket of time and row. */
  readonly grid?: SpanGrid
  /** Each in (0, 1). */
  readonly percentiles: readonly number[]
  /** Durations in nanoseconds by which spans are counted: `buckets[i]` counts those at most `boundsNs[i]`, beyond the bound before; one more at the end. */
  readonly boundsNs?: readonly bigint[]
  /** Failed spans by the same bounds. */
  readonly errorBuckets?: boolean
  /** Most spans first, ties by key. */
  readonly limit: number
}

/** Counts of one row, each list with one entry per bucket of time. */
export interface SpanGridCounts {
  readonly spans: readonly number[]
  readonly errors: readonly number[]
  /**
   * Sums of durations in nanoseconds, if requested: exact up to 2^53 (104 days in one bucket of time). A store that rounds larger
   * ones adds a warning to `warnings`.
   */
  readonly durationsNs?: readonly bigint[]
  /** If requested: spans per bucket of duration, which are those of the row's `buckets`. */
  readonly buckets?: readonly (readonly number[])[]
}

/** Statistics of one group of spans. */
export interface SpanStatsRow {
  /** In the order of `groupBy`; null for spans that lack the field. */
  readonly key: readonly (string | null)[]
  readonly spans: number
  readonly errors: number
  /** Nanoseconds; may be an estimate within 2 % (search stores; embedded within 0.5 % over hours of many spans), null without spans. */
  readonly percentilesNs: readonly (number | null)[]
  readonly lastSeenNs: bigint
  readonly buckets?: readonly number[]
  /** If requested: those of `buckets` whose status is `error`. */
  readonly errorBuckets?: readonly number[]
  readonly grid?: SpanGridCounts
}

/** Statistics of groups of spans. */
export interface SpanStats {
  readonly rows: readonly SpanStatsRow[]
  readonly hasMore: boolean
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** The parts of spans that identify their origin. */
export type SpanOrigin = Pick<Span, 'service' | 'resource'>

/** Calls from one service to another service, or to a peer that only attributes of the calling span name. */
export interface ServiceEdge {
  readonly source: string
  readonly target: string
  /** `service`: spans of the target were found as children; else the calling span's own account. */
  readonly targetKind: 'service' | PeerKind
  /**
   * `db.system`, `messaging.system`, `rpc.system` or `http`, if the spans state it (`domain/peer`); the first by name of several.
   */
  readonly protocol: string | null
  /** Calls, errors and durations are those of the called spans, for a peer those of the calling ones. */
  readonly calls: number
  readonly errors: number
  /** In the order of the request's percentiles. */
  readonly percentilesNs: readonly (number | null)[]
}

/** Which calls between services to count. */
export interface ServiceEdgesRequest {
  readonly range: TimeRange
  /** Each in (0, 1). */
  readonly percentiles: readonly number[]
  readonly limit: number
}

/** Calls between services. */
export interface ServiceEdges {
  /** Most calls first, ties by source and target. */
  readonly edges: readonly ServiceEdge[]
  readonly hasMore: boolean
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/**
 * Spans of all namespaces, each method confined to one; a namespace that was never written reads as an empty one.
 * Errors as for `LogStore`. Spans may arrive late, in any order, twice (the same trace and span id in another request),
 * without their parents, in cycles or as their own parent: every method returns them nevertheless.
 */
export interface TraceStore {
  /** As `LogStore.append`. */
  append(ns: NamespaceId, batch: Batch<Span>): Promise<AppendResult>
  /**
   * Single spans: rows (by start), count, histogram and facets as requested, all from one consistent view. A span that was sent
   * twice counts twice.
   */
  searchSpans(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredSpan>>
  /** Whole traces, sorted before the cut. */
  searchTraces(ns: NamespaceId, request: TraceSearchRequest, signal: AbortSignal): Promise<TraceSearchResult>
  /** Summaries of the traces with these ids, in any order; those that are not stored are left out. */
  summaries(ns: NamespaceId, traceIds: readonly string[], signal: AbortSignal): Promise<readonly TraceSummary[]>
  /**
   * The spans of one trace, found without knowing its time; at most `limit` of them, or fewer when they are more than a store's
   * bound of bytes, but one at least. Empty when none is stored.
   */
  trace(ns: NamespaceId, traceId: string, limit: number, signal: AbortSignal): Promise<TraceSpans>
  /** As `trace`, for a trace of at most 2,000 spans; null when it has more, or more than a store reads at low cost. */
  smallTrace(ns: NamespaceId, traceId: string, signal: AbortSignal): Promise<TraceSpans | null>
  /** Ids of the traces whose last 16 digits are one of the suffixes. */
  traceIdsBySuffix(ns: NamespaceId, request: TraceSuffixRequest, signal: AbortSignal): Promise<TraceSuffixResult>
  /** Origins of the newest matching spans, one for each, newest first; at most `limit`. */
  newestOrigins(
    ns: NamespaceId,
    request: { readonly range: TimeRange; readonly filter: Filter; readonly limit: number },
    signal: AbortSignal
  ): Promise<readonly SpanOrigin[]>
  /** Requests, errors and durations, by service, operation and the like. */
  stats(ns: NamespaceId, request: SpanStatsRequest, signal: AbortSignal): Promise<SpanStats>
  /**
   * Who calls whom in the range. A span whose parent belongs to another service makes an edge of kind `service`. A client or
   * producer span without a child in another service makes one to its peer: a database (`db.system.name`, `db.system`), a queue
   * (`messaging.system`) or something external (`peer.service`, `service.peer.name`, `server.address`, `net.peer.name`, `http.host`), in this order.
   * A call is dated by its called span, for a peer by the calling one; the other span of it may be ten minutes outside of the
   * range. Calls whose spans begin farther apart may be left out of ranges of hours; the result is then not complete, and warns.
   * Spans without a service make no edges.
   */
  serviceEdges(ns: NamespaceId, request: ServiceEdgesRequest, signal: AbortSignal): Promise<ServiceEdges>
  /** Fields of attributes and resources seen in the newest matching spans, as `LogStore.fields`. */
  fields(
    ns: NamespaceId,
    request: { readonly range: TimeRange; readonly filter: Filter; readonly limit: number; readonly sampleRows: number },
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }>
  /** As `LogStore.aggregate`, of spans; one that was sent twice counts twice. */
  aggregate(ns: NamespaceId, request: AggregateRequest, signal: AbortSignal): Promise<AggregateResult>
  /** Searches and counts already report them in `complete`; a single trace reports them here alone. */
  readonly gaps?: KnownGaps
  /** As `LogStore.settle`. */
  settle(ns: NamespaceId): Promise<void>
  /** Removes spans that started before `timeNs`, from reads at once and from disk soon. Idempotent. */
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  /** As `LogStore.dropNamespace`. */
  dropNamespace(ns: NamespaceId): Promise<void>
}
