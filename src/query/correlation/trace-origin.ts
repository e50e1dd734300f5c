import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { StoredSpan, TraceSummary } from '../../domain/span.js'
import { canonicalTraceId } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import type { AnchorDeps, TraceOrigin } from './anchor.js'
import { containersOf, MAX_LINKS } from './origins.js'

/** Spans of a trace that are looked at for the hosts and containers on which it ran. */
const MAX_SPANS = 1_000

/** Most frequent first. */
function commonest(values: readonly (string | null)[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value)
}

function originOf({ startNs, durationNs, services }: TraceSummary, spans: readonly StoredSpan[]): TraceOrigin {
  return {
    startNs,
    endNs: startNs + durationNs,
    services: services.map(({ service }) => service).filter(service => service !== null),
    hosts: commonest(spans.map(span => span.host)),
    containers: [...new Set(spans.flatMap(span => containersOf(span.resource)))].slice(0, MAX_LINKS)
  }
}

/** Looks where a stored trace ran: when and in which services by all of its spans, on which hosts by the first of them. */
export function traceOriginOf(traces: Pick<TraceStore, 'trace' | 'summaries'>, clock: Clock): AnchorDeps['traceOrigin'] {
  return async (ns: Namespace, traceId, signal) => {
    const canonical = canonicalTraceId(traceId)
    if (canonical === null) return null
    const [[summary], { spans }] = await Promise.all([
      traces.summaries(ns.id, [canonical], signal),
      traces.trace(ns.id, canonical, MAX_SPANS, signal)
    ])
    const oldestNs = retentionStartNs(ns.retention, 'traces', clock.nowNs())
    const kept = spans.filter(span => span.timestampNs >= oldestNs)
    return summary === undefined || kept.length === 0 ? null : originOf(summary, kept)
  }
}
