import { allOf, type Field, type Filter } from '../../domain/filter.js'
import type { Namespace, RetainedSignal } from '../../domain/namespace.js'
import type { SearchResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { LabelMatcher, MetricStore } from '../../ports/metric-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { cutByLimit } from '../cut-by-limit.js'
import { gapsAround } from '../gaps-around.js'
import { DAY_MS, HOUR_MS, keptRange } from '../read-window.js'
import { seenValues } from '../seen-values.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'

/** Dependencies of `HostFinder`. */
export interface HostSightingsDeps {
  readonly logs: Pick<LogStore, 'search'>
  readonly traces: Pick<TraceStore, 'searchSpans'>
  readonly metrics: Pick<MetricStore, 'labels' | 'gaps'>
  readonly clock: Clock
}

/** Hosts whose series are listed, and hosts of the most logs and of the most spans. */
export const MOST_HOSTS_OF_METRICS = 5_000
/** Hosts that are taken from logs and spans. */
export const MOST_HOSTS_OF_RECORDS = 1_000

const MS_NS = 1_000_000n
/** How far back records are looked at: they are counted. Series are known with the time of their last sample. */
const RECORDS_MS = DAY_MS
const METRICS_MS = 30 * DAY_MS

const HOST: Field = { in: 'known', name: 'host' }
/** Label of series: of a point's own, or OTLP's `host.name` of its resource. */
const LABEL = 'host'

/** Which hosts to look for: any, those that contain a string, or these. */
export type HostSelection = { readonly contains?: string } | { readonly names: readonly string[] }

/** When hosts were last seen, and how much of them was looked at. */
export interface HostSightings {
  readonly lastSeenNs: ReadonlyMap<string, bigint>
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

function later(seen: Map<string, bigint>, host: string, ns: bigint): void {
  const known = seen.get(host)
  if (known === undefined || known < ns) seen.set(host, ns)
}

function filterOf(selection: HostSelection): Filter {
  if ('names' in selection) return { kind: 'in', field: HOST, values: selection.names }
  const { contains = '' } = selection
  const exists: Filter = { kind: 'exists', field: HOST }
  return contains === '' ? exists : allOf([exists, { kind: 'contains', field: HOST, value: contains }])
}

/** Characters that mean something in a regex (RE2). */
const SIGNS = /[\\.+*?()|[\]{}^$]/g

function matchersOf(selection: HostSelection): readonly LabelMatcher[] {
  if (!('names' in selection)) return [{ name: LABEL, op: 'neq', value: '' }]
  const [first = '', ...others] = selection.names
  if (others.length === 0) return [{ name: LABEL, op: 'eq', value: first }]
  return [{ name: LABEL, op: 'regex', value: selection.names.map(name => name.replaceAll(SIGNS, '\\$&')).join('|') }]
}

/** Looks for hosts in logs and spans of the last day and series of the last 30 days. */
export class HostFinder {
  readonly #deps: HostSightingsDeps

  constructor(deps: HostSightingsDeps) {
    this.#deps = deps
  }

  async find(ns: Namespace, selection: HostSelection, signal: AbortSignal): Promise<HostSightings> {
    if ('names' in selection && selection.names.length === 0) return { lastSeenNs: new Map(), complete: true, warnings: [] }
    const { logs, traces } = this.#deps
    const filter = filterOf(selection)
    const limit = 'names' in selection ? selection.names.length : MOST_HOSTS_OF_RECORDS
    const request = (of: RetainedSignal) => ({
      range: this.#range(ns, of, RECORDS_MS),
      filter,
      facets: [{ field: HOST, filter, limit, lastSeen: true }]
    })
    const [ofLogs, ofSpans, ofMetrics] = await Promise.all([
      logs.search(ns.id, request('logs'), signal),
      traces.searchSpans(ns.id, request('traces'), signal),
      this.#ofMetrics(ns, selection, signal)
    ])
    const seen = new Map(ofMetrics.lastSeenNs)
    const parts = [
      { what: 'hosts of logs', found: ofLogs },
      { what: 'hosts of spans', found: ofSpans }
    ] as const
    for (const { found } of parts) addFacet(found, seen)
    const cut = parts.flatMap(({ what, found }) => cutByLimit((found.facets?.[0]?.other ?? 0) > 0, what, limit))
    const allWarnings = [...ofMetrics.warnings, ...ofLogs.warnings, ...ofSpans.warnings]
    const complete = ofMetrics.complete && ofLogs.complete && ofSpans.complete && cut.length === 0
    return { lastSeenNs: seen, complete, warnings: distinctWarnings([...allWarnings, ...cut]) }
  }

  async #ofMetrics(ns: Namespace, selection: HostSelection, signal: AbortSignal): Promise<HostSightings> {
    const { metrics } = this.#deps
    const range = this.#range(ns, 'metrics', METRICS_MS)
    const gaps = gapsAround(() => metrics.gaps?.(ns.id, range))
    const contains = 'names' in selection ? '' : (selection.contains ?? '')
    const request = { label: LABEL, matchers: matchersOf(selection), range, contains, lastSeen: true }
    const found = await metrics.labels(ns.id, { ...request, limit: MOST_HOSTS_OF_METRICS }, signal)
    const warnings = [...gaps(), ...cutByLimit(found.hasMore, 'hosts of metrics', MOST_HOSTS_OF_METRICS)]
    const lastSeenNs = new Map(found.values.map((host, i) => [host, found.lastSeenNs?.[i] ?? range.startNs]))
    return { lastSeenNs, complete: warnings.length === 0, warnings }
  }

  /** Until an hour from now: clocks of senders may run fast. */
  #range(ns: Namespace, signal: RetainedSignal, backMs: number): TimeRange {
    const nowNs = this.#deps.clock.nowNs()
    const range = { startNs: nowNs - BigInt(backMs) * MS_NS, endNs: nowNs + BigInt(HOUR_MS) * MS_NS }
    return keptRange(range, { namespace: ns, signal, nowNs })
  }
}

function addFacet({ facets }: SearchResult<unknown>, seen: Map<string, bigint>): void {
  for (const { value, lastSeenNs } of seenValues(facets?.[0])) later(seen, value, lastSeenNs)
}
