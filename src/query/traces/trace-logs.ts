import type { Field, Filter } from '../../domain/filter.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Namespace } from '../../domain/namespace.js'
import { canonicalSpanId, canonicalTraceId, idSpellings } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { clipToRetention, HOUR_MS } from '../read-window.js'

/** Logs of a trace are looked for from so long before its start until so long after its end: clocks differ, work lags. */
const SLACK_NS = BigInt(HOUR_MS) * 1_000_000n
/** Spans of a trace that have a count of their own. */
const MAX_COUNTED_SPANS = 20_000

const TRACE_ID: Field = { in: 'known', name: 'trace_id' }
const SPAN_ID: Field = { in: 'known', name: 'span_id' }

/** A trace whose logs are looked for. */
export interface TraceExtent {
  /** 32 hex digits in lower case. */
  readonly traceId: string
  readonly startNs: bigint
  readonly durationNs: bigint
}

/** How many logs a trace has. */
export interface TraceLogCounts {
  readonly total: number
  /** Per span id (16 hex digits in lower case); spans without logs are left out. */
  readonly bySpan: ReadonlyMap<string, number>
  /** Logs of the trace that name no span. */
  readonly unlinked: number
}

/** Where the logs of a trace are looked for. */
export function logWindow({ startNs, durationNs }: Pick<TraceExtent, 'startNs' | 'durationNs'>): TimeRange {
  return { startNs: startNs - SLACK_NS, endNs: startNs + durationNs + SLACK_NS }
}

/** One window for many traces. */
function windowOfAll(traces: readonly TraceExtent[]): TimeRange {
  const windows = traces.map(logWindow)
  return windows.reduce((all, { startNs, endNs }) => ({
    startNs: startNs < all.startNs ? startNs : all.startNs,
    endNs: endNs > all.endNs ? endNs : all.endNs
  }))
}

function ofTraces(traceIds: readonly string[]): Filter {
  return { kind: 'in', field: TRACE_ID, values: traceIds.flatMap(idSpellings) }
}

/** Sums of counts by the id that different spellings mean. */
function summed(
  values: readonly { readonly value: string; readonly count: number }[],
  canonical: (text: string) => string | null
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { value, count } of values) {
    const id = canonical(value) ?? value
    counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return counts
}

/** How many logs carry the ids of traces and spans. */
export class TraceLogs {
  readonly #logs: LogStore
  readonly #clock: Clock

  constructor(deps: { readonly logs: LogStore; readonly clock: Clock }) {
    this.#logs = deps.logs
    this.#clock = deps.clock
  }

  /** Logs per span of one trace, by one request; all of them are what the facet lists, leaves out and misses. */
  async bySpan(ns: Namespace, trace: TraceExtent, signal: AbortSignal): Promise<TraceLogCounts> {
    const filter = ofTraces([trace.traceId])
    const facets = [{ field: SPAN_ID, filter, limit: MAX_COUNTED_SPANS }]
    const range = this.#visible(ns, logWindow(trace))
    const found = await this.#logs.search(ns.id, { range, filter, facets }, signal)
    const { values = [], other = 0, missing = 0 } = found.facets?.[0] ?? {}
    return {
      total: values.reduce((sum, { count }) => sum + count, other + missing),
      bySpan: summed(values, canonicalSpanId),
      unlinked: missing
    }
  }

  /** Logs per trace of a whole page, by one request. */
  async byTrace(ns: Namespace, traces: readonly TraceExtent[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    if (traces.length === 0) return new Map()
    const filter = ofTraces(traces.map(({ traceId }) => traceId))
    const facets = [{ field: TRACE_ID, filter, limit: filter.kind === 'in' ? filter.values.length : 1 }]
    const range = this.#visible(ns, windowOfAll(traces))
    const found = await this.#logs.search(ns.id, { range, filter, facets }, signal)
    return summed(found.facets?.[0]?.values ?? [], canonicalTraceId)
  }

  #visible(namespace: Namespace, asked: TimeRange): TimeRange {
    const place = { namespace, signal: 'logs', nowNs: this.#clock.nowNs() } as const
    return clipToRetention({ ...asked, unitDetected: 'default' }, place).range
  }
}
