import { GatewayError } from '../../domain/errors.js'
import type { StoredSpan } from '../../domain/span.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import { resolveInstant } from '../../domain/time-range.js'
import { canonicalTraceId, isShortTraceId } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceSpans, TraceStore } from '../../ports/trace-store.js'
import type { EventLoopSlices } from '../../threads/event-loop-slices.js'
import { boundedCount } from '../bounds.js'
import type { LargeReads } from '../large-reads.js'
import { spanBytes } from '../row-bytes.js'
import type { QuerySettings } from '../settings.js'
import { type TraceMap, traceMapSteps } from '../apm/trace-map.js'
import { compareTraces, type OperationComparison } from './compare-traces.js'
import { ambiguousTraceId, foundBySuffix, foundNear, type ShortTraceIds } from './short-trace-ids.js'
import { type TraceOutline, traceOutlineSteps } from './trace-outline.js'
import { traceViewSteps, type TraceView, type ViewedSpan } from './trace-view.js'
import { warningSentence, type Warning } from '../../domain/warning.js'

/** Spans of one trace that are read at most: tree, self time and critical path need all of them. */
const MAX_TRACE_SPANS = 20_000
const DEFAULT_SHOWN = 5_000
/** Spans of a trace may be so far before and behind those that were found. */
const SLACK_NS = 3_600_000_000_000n

/** One trace. */
export interface ReadTrace {
  /** 32 hex digits in lower case. */
  readonly traceId: string
  readonly view: TraceView
  /** More spans are stored than were read, or spans of that time are known to be lost or unreadable. */
  readonly isTruncated: boolean
  /** Why it has another id than the requested one. */
  readonly warnings: readonly Warning[]
}

/** Two traces side by side. */
export interface TraceComparison {
  readonly base: ReadTrace
  readonly other: ReadTrace
  readonly operations: readonly OperationComparison[]
}

/** What `TraceReading` needs. */
export interface TraceReadingDeps {
  readonly traces: TraceStore
  readonly shortIds: Pick<ShortTraceIds, 'others'>
  readonly clock: Clock
  readonly settings: QuerySettings
  readonly largeReads: LargeReads
  /** Shared by all computations of the process. */
  readonly slices: EventLoopSlices
}

/** Reads traces by their ids, found without knowing their time. Retention holds at reading. */
export class TraceReading {
  readonly #traces: TraceStore
  readonly #shortIds: TraceReadingDeps['shortIds']
  readonly #clock: Clock
  readonly #settings: QuerySettings
  readonly #largeReads: LargeReads
  readonly #slices: EventLoopSlices

  constructor(deps: TraceReadingDeps) {
    this.#largeReads = deps.largeReads
    this.#slices = deps.slices
    this.#traces = deps.traces
    this.#shortIds = deps.shortIds
    this.#clock = deps.clock
    this.#settings = deps.settings
  }

  /**
   * A trace by its id in any capitalization, with or without leading zeros; null when none is stored or it is past the
   * retention. An id of 64 bits that is not stored finds the one trace with the same last 16 digits; of several, the only
   * one within an hour of `around`, a time as callers write it. Throws `invalid_field` for a string that is not a trace id and
   * for 64 bits that several traces share, `not_found` when a trace with these may be stored and cannot be found by them.
   */
  async get(ns: Namespace, id: string, signal: AbortSignal, around?: unknown): Promise<ReadTrace | null> {
    const traceId = checkedTraceId(id)
    const aroundNs = around == null ? null : resolveInstant(around, this.#clock.nowNs(), 'around')
    const trace = await this.#whole(ns, traceId, signal)
    return trace ?? (isShortTraceId(traceId) ? this.#bySuffix(ns, traceId, signal, aroundNs) : null)
  }

  async #bySuffix(ns: Namespace, requested: string, signal: AbortSignal, aroundNs: bigint | null): Promise<ReadTrace | null> {
    const matches = (await this.#shortIds.others(ns, [requested], signal))(requested)
    const isShared = matches.traceIds.length > 1 && !matches.hasMore && aroundNs !== null
    const near = isShared ? await this.#near(ns, matches.traceIds, aroundNs, signal) : null
    const [traceId, another] = near ? [near] : matches.traceIds
    if (another !== undefined) throw ambiguousTraceId(requested, matches)
    if (traceId === undefined && matches.warnings.length > 0)
      throw new GatewayError(
        'not_found',
        `no trace of this id was found in this namespace; ${matches.warnings.map(warningSentence).join('; ')}`
      )
    const trace = traceId === undefined ? null : await this.#whole(ns, traceId, signal)
    const found = near ? foundNear : foundBySuffix
    return trace && { ...trace, warnings: [found(requested, trace.traceId), ...matches.warnings] }
  }

  /** The only one of these traces that runs within `SLACK_NS` of a time; null for none and for several. */
  async #near(ns: Namespace, ids: readonly string[], aroundNs: bigint, signal: AbortSignal): Promise<string | null> {
    const summaries = await this.#traces.summaries(ns.id, ids, signal)
    const [found, another] = summaries.filter(
      ({ startNs, durationNs }) => startNs - SLACK_NS <= aroundNs && aroundNs <= startNs + durationNs + SLACK_NS
    )
    return found && !another ? found.traceId : null
  }

  async #whole(ns: Namespace, traceId: string, signal: AbortSignal): Promise<ReadTrace | null> {
    const { spans, hasMore } = await this.#read(ns, traceId, signal)
    const kept = this.#kept(ns, spans)
    if (kept.length === 0) return null
    const view = await this.#slices.run(traceViewSteps(kept), signal)
    return { traceId, view, isTruncated: hasMore || this.#hasGaps(ns, view), warnings: [] }
  }

  /** Large traces are read one at a time for a namespace, and bounded for a request. */
  async #read(ns: Namespace, traceId: string, signal: AbortSignal): Promise<TraceSpans> {
    const small = await this.#traces.smallTrace(ns.id, traceId, signal)
    if (small !== null) return small
    await this.#largeReads.enter(ns.id, MAX_TRACE_SPANS, signal)
    return this.#traces.trace(ns.id, traceId, MAX_TRACE_SPANS, signal)
  }

  /** Whether the store lacks spans of a time at which others of the trace may be. */
  #hasGaps(ns: Namespace, { startNs, durationNs }: TraceView): boolean {
    const range = { startNs: startNs - SLACK_NS, endNs: startNs + durationNs + SLACK_NS }
    return (this.#traces.gaps?.(ns.id, range) ?? []).length > 0
  }

  /** The first spans of a trace in the order of its tree, as many as `limit` (default 5,000) and the size of a result allow. */
  shown({ view }: ReadTrace, limit?: number): readonly ViewedSpan[] {
    const most = boundedCount(limit, 'limit', { least: 0, most: MAX_TRACE_SPANS, otherwise: DEFAULT_SHOWN })
    const spans = view.spans.slice(0, most)
    let bytes = 0
    const end = spans.findIndex(({ span }, i) => {
      bytes += spanBytes(span)
      return i > 0 && bytes > this.#settings.maxPageBytes
    })
    return end < 0 ? spans : spans.slice(0, end)
  }

  /** All spans that were read of a trace, as parallel lists. */
  async outline({ view }: ReadTrace, signal: AbortSignal): Promise<TraceOutline> {
    return this.#slices.run(traceOutlineSteps(view), signal)
  }

  /** Who calls whom in a trace. */
  async serviceMap({ view }: ReadTrace, signal: AbortSignal): Promise<TraceMap> {
    return this.#slices.run(traceMapSteps(view), signal)
  }

  /** Two traces side by side. Throws `not_found` naming the one that is not stored. */
  async compare(ns: Namespace, baseId: string, otherId: string, signal: AbortSignal): Promise<TraceComparison> {
    // Each other: two at a time would double what is in memory before either is laid out.
    const base = await this.get(ns, baseId, signal)
    const other = await this.get(ns, otherId, signal)
    if (!base || !other) throw new GatewayError('not_found', `no trace ${base ? otherId : baseId} is stored`)
    await this.#slices.next()
    return { base, other, operations: compareTraces(base.view, other.view) }
  }

  #kept(ns: Namespace, spans: readonly StoredSpan[]): readonly StoredSpan[] {
    const oldestNs = retentionStartNs(ns.retention, 'traces', this.#clock.nowNs())
    return spans.filter(({ timestampNs }) => timestampNs >= oldestNs)
  }
}

function checkedTraceId(id: string): string {
  const traceId = canonicalTraceId(id)
  if (traceId === null) throw new GatewayError('invalid_field', 'a trace id is 1 to 32 hexadecimal digits', { field: 'trace_id' })
  return traceId
}
