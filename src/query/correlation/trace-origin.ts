import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { StoredSpan, TraceSummary } from '../../domain/span.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import type { TraceLinks } from '../traces/trace-links.js'
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

function originOf(summary: TraceSummary, spans: readonly StoredSpan[]): TraceOrigin {
  const { traceId, startNs, durationNs, services } = summary
  return {
    traceId,
    startNs,
    endNs: startNs + durationNs,
    services: services.map(({ service }) => service).filter(service => service !== null),
    hosts: commonest(spans.map(span => span.host)),
    containers: [...new Set(spans.flatMap(span => containersOf(span.resource)))].slice(0, MAX_LINKS)
  }
}

/** The dependencies of `traceOriginOf`. */
export interface TraceOriginDeps {
  readonly traces: Pick<TraceStore, 'trace'>
  readonly links: Pick<TraceLinks, 'summaries'>
  readonly clock: Clock
}

/** Looks where a stored trace ran: when and in which services by all of its spans, on which hosts by the first of them. */
export function traceOriginOf({ traces, links, clock }: TraceOriginDeps): AnchorDeps['traceOrigin'] {
  return async (ns: Namespace, traceId, signal) => {
    const { summary, ambiguity, warnings } = (await links.summaries(ns, [traceId], signal))[0]!
    if (ambiguity !== null) throw ambiguity
    if (summary === null) return { origin: null, warnings }
    const { spans } = await traces.trace(ns.id, summary.traceId, MAX_SPANS, signal)
    const oldestNs = retentionStartNs(ns.retention, 'traces', clock.nowNs())
    const kept = spans.filter(span => span.timestampNs >= oldestNs)
    return { origin: kept.length === 0 ? null : originOf(summary, kept), warnings }
  }
}
