import type { NamespaceId } from '../../domain/ids.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { EventStore } from '../../ports/event-store.js'
import type { LogStore } from '../../ports/log-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { GapSignal, ReadGaps } from '../../ports/read-gaps.js'
import type { SignalStores } from '../../ports/stores.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { forwardingEvents, forwardingLogs, forwardingMetrics, forwardingTraces } from '../shared/forwarding-stores.js'
import { withGaps } from '../shared/gaps.js'
import type { Warning } from '../../domain/warning.js'

interface GappedResult {
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** Adds the gaps of the store to results of one namespace and range. */
class Gapped {
  readonly #gaps: ReadGaps

  constructor(gaps: ReadGaps) {
    this.#gaps = gaps
  }

  of(ns: NamespaceId, signal: GapSignal, range: TimeRange): readonly Warning[] {
    return this.#gaps.of(ns, signal, range)
  }

  /** Read before the query and after it: records that were queued in between may be missing from the result. */
  async withGaps<A extends GappedResult>(
    ns: NamespaceId,
    signal: GapSignal,
    range: TimeRange,
    read: () => Promise<A>
  ): Promise<A> {
    const before = this.of(ns, signal, range)
    const result = await read()
    return withGaps(result, [...before, ...this.of(ns, signal, range)])
  }
}

function gappedLogs(store: LogStore, gapped: Gapped): LogStore {
  return {
    ...forwardingLogs(store),
    gaps: (ns, range) => [...(store.gaps?.(ns, range) ?? []), ...gapped.of(ns, 'logs', range)],
    search: (ns, request, signal) => gapped.withGaps(ns, 'logs', request.range, () => store.search(ns, request, signal)),
    aggregate: (ns, request, signal) => gapped.withGaps(ns, 'logs', request.range, () => store.aggregate(ns, request, signal))
  }
}

function gappedMetrics(store: MetricStore, gapped: Gapped): MetricStore {
  return {
    ...forwardingMetrics(store),
    gaps: (ns, range) => [...(store.gaps?.(ns, range) ?? []), ...gapped.of(ns, 'metrics', range)]
  }
}

function gappedEvents(store: EventStore, gapped: Gapped): EventStore {
  return {
    ...forwardingEvents(store),
    gaps: (ns, kind, range) => [...(store.gaps?.(ns, kind, range) ?? []), ...gapped.of(ns, kind, range)],
    searchRum: (ns, request, signal) => gapped.withGaps(ns, 'rum', request.range, () => store.searchRum(ns, request, signal)),
    searchErrors: (ns, request, signal) =>
      gapped.withGaps(ns, 'errors', request.range, () => store.searchErrors(ns, request, signal)),
    pageViews: (ns, request, signal) => gapped.withGaps(ns, 'rum', request.range, () => store.pageViews(ns, request, signal))
  }
}

function gappedTraces(store: TraceStore, gapped: Gapped): TraceStore {
  return {
    ...forwardingTraces(store),
    gaps: (ns, range) => [...(store.gaps?.(ns, range) ?? []), ...gapped.of(ns, 'traces', range)],
    searchSpans: (ns, request, signal) =>
      gapped.withGaps(ns, 'traces', request.range, () => store.searchSpans(ns, request, signal)),
    searchTraces: (ns, request, signal) =>
      gapped.withGaps(ns, 'traces', request.range, () => store.searchTraces(ns, request, signal)),
    traceIdsBySuffix: (ns, request, signal) =>
      gapped.withGaps(ns, 'traces', request.range, () => store.traceIdsBySuffix(ns, request, signal)),
    stats: (ns, request, signal) => gapped.withGaps(ns, 'traces', request.range, () => store.stats(ns, request, signal)),
    aggregate: (ns, request, signal) => gapped.withGaps(ns, 'traces', request.range, () => store.aggregate(ns, request, signal)),
    serviceEdges: (ns, request, signal) =>
      gapped.withGaps(ns, 'traces', request.range, () => store.serviceEdges(ns, request, signal))
  }
}

/** Stores whose results report records that are acknowledged and not readable: for stores that other processes run. */
export function gappedStores({ logs, metrics, events, traces }: SignalStores, gaps: ReadGaps): SignalStores {
  const gapped = new Gapped(gaps)
  return {
    logs: gappedLogs(logs, gapped),
    metrics: gappedMetrics(metrics, gapped),
    events: gappedEvents(events, gapped),
    traces: gappedTraces(traces, gapped)
  }
}
