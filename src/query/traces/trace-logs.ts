import type { Field, Filter } from '../../domain/filter.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Namespace } from '../../domain/namespace.js'
import { canonicalSpanId, canonicalTraceId, isShortTraceId, linkedTraceIds, shortTraceId } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { clipToRetention, HOUR_MS } from '../read-window.js'
import { sharedLogs, type ShortTraceIds } from './short-trace-ids.js'
import type { Warning } from '../../domain/warning.js'

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
  /** Which other traces logs may belong to that have only the last 16 digits of the trace id. */
  readonly warnings: readonly Warning[]
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
  return { kind: 'in', field: TRACE_ID, values: [...new Set(traceIds.flatMap(linkedTraceIds))] }
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

/** Logs with the whole id of a trace, and with what senders of 64 bits make of it. */
function countOf(byId: ReadonlyMap<string, number>, traceId: string): number {
  const ids = new Set([traceId, shortTraceId(traceId) ?? traceId])
  return [...ids].reduce((sum, id) => sum + (byId.get(id) ?? 0), 0)
}

/** What `TraceLogs` needs. */
export interface TraceLogsDeps {
  readonly logs: LogStore
  readonly shortIds: Pick<ShortTraceIds, 'others'>
  readonly clock: Clock
}

/** How many logs carry the ids of traces and spans; of a trace id the last 16 digits are enough. */
export class TraceLogs {
  readonly #logs: LogStore
  readonly #shortIds: TraceLogsDeps['shortIds']
  readonly #clock: Clock

  constructor(deps: TraceLogsDeps) {
    this.#logs = deps.logs
    this.#shortIds = deps.shortIds
    this.#clock = deps.clock
  }

  /** Logs per span of one trace, by one request; all of them are what the facet lists, leaves out and misses. */
  async bySpan(ns: Namespace, trace: TraceExtent, signal: AbortSignal): Promise<TraceLogCounts> {
    const filter = ofTraces([trace.traceId])
    const ids = { field: TRACE_ID, filter, limit: linkedTraceIds(trace.traceId).length }
    const facets = [{ field: SPAN_ID, filter, limit: MAX_COUNTED_SPANS }, ids]
    const range = this.#visible(ns, logWindow(trace))
    const found = await this.#logs.search(ns.id, { range, filter, facets }, signal)
    const { values = [], other = 0, missing = 0 } = found.facets?.[0] ?? {}
    const byId = summed(found.facets?.[1]?.values ?? [], canonicalTraceId)
    return {
      total: values.reduce((sum, { count }) => sum + count, other + missing),
      bySpan: summed(values, canonicalSpanId),
      unlinked: missing,
      warnings: byId.has(shortTraceId(trace.traceId) ?? '') ? await this.shared(ns, trace.traceId, signal) : []
    }
  }

  /** Which other traces logs may belong to that have only the last 16 digits of the trace id. */
  async shared(ns: Namespace, traceId: string, signal: AbortSignal): Promise<readonly Warning[]> {
    if (isShortTraceId(traceId)) return []
    return sharedLogs((await this.#shortIds.others(ns, [traceId], signal))(traceId))
  }

  /** Logs per trace of a whole page, by one request; those with 16 digits count for each trace that has these last. */
  async byTrace(ns: Namespace, traces: readonly TraceExtent[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    if (traces.length === 0) return new Map()
    const filter = ofTraces(traces.map(({ traceId }) => traceId))
    const facets = [{ field: TRACE_ID, filter, limit: filter.kind === 'in' ? filter.values.length : 1 }]
    const range = this.#visible(ns, windowOfAll(traces))
    const found = await this.#logs.search(ns.id, { range, filter, facets }, signal)
    const byId = summed(found.facets?.[0]?.values ?? [], canonicalTraceId)
    return new Map(traces.map(({ traceId }) => [traceId, countOf(byId, traceId)]))
  }

  #visible(namespace: Namespace, requested: TimeRange): TimeRange {
    const place = { namespace, signal: 'logs', nowNs: this.#clock.nowNs() } as const
    return clipToRetention({ ...requested, unitDetected: 'default' }, place).range
  }
}
