import { GatewayError } from '../../domain/errors.js'
import type { StoredSpan, TraceSummary } from '../../domain/span.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import { canonicalTraceId } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { boundedCount } from '../bounds.js'
import { compareTraces, type OperationComparison } from './compare-traces.js'
import { traceView, type TraceView } from './trace-view.js'

/** Spans of one trace that are read at most: tree, self time and critical path need all of them. */
export const MAX_TRACE_SPANS = 20_000

/** One trace. */
export interface TraceAnswer {
  /** 32 hex digits in lower case. */
  readonly traceId: string
  readonly view: TraceView
  /** More spans are stored than were read. */
  readonly isTruncated: boolean
}

/** Two traces side by side. */
export interface TraceComparison {
  readonly base: TraceAnswer
  readonly other: TraceAnswer
  readonly operations: readonly OperationComparison[]
}

/** Reads traces by their ids, found without knowing their time. Retention holds at reading. */
export class TraceReading {
  readonly #traces: TraceStore
  readonly #clock: Clock

  constructor(deps: { readonly traces: TraceStore; readonly clock: Clock }) {
    this.#traces = deps.traces
    this.#clock = deps.clock
  }

  /**
   * A trace by its id in any capitalisation, with or without leading zeros; null when none is stored or it is past the
   * retention. Throws `invalid_field` for a text that is no trace id.
   */
  async get(ns: Namespace, id: string, signal: AbortSignal, limit?: number): Promise<TraceAnswer | null> {
    const bounds = { least: 1, most: MAX_TRACE_SPANS, otherwise: MAX_TRACE_SPANS }
    const most = boundedCount(limit, 'limit', bounds)
    const traceId = checkedTraceId(id)
    const { spans, hasMore } = await this.#traces.trace(ns.id, traceId, most, signal)
    const kept = this.#kept(ns, spans)
    return kept.length === 0 ? null : { traceId, view: traceView(kept), isTruncated: hasMore }
  }

  /** Two traces side by side. Throws `not_found` naming the one that is not stored. */
  async compare(ns: Namespace, baseId: string, otherId: string, signal: AbortSignal): Promise<TraceComparison> {
    const [base, other] = await Promise.all([this.get(ns, baseId, signal), this.get(ns, otherId, signal)])
    if (!base || !other) throw new GatewayError('not_found', `no trace ${base ? otherId : baseId} is stored`)
    return { base, other, operations: compareTraces(base.view, other.view) }
  }

  /** Summaries of the traces with these ids, by canonical id; those that are not stored, or are none, are left out. */
  async summaries(ns: Namespace, ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, TraceSummary>> {
    const traceIds = [...new Set(ids.map(canonicalTraceId).filter(id => id !== null))]
    if (traceIds.length === 0) return new Map()
    const oldestNs = retentionStartNs(ns.retention, 'traces', this.#clock.nowNs())
    const found = await this.#traces.summaries(ns.id, traceIds, signal)
    const kept = found.filter(({ startNs, durationNs }) => startNs + durationNs >= oldestNs)
    return new Map(kept.map(summary => [summary.traceId, summary]))
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
