import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import { SPAN_KINDS, type SpanKind } from '../../domain/span.js'
import type { TimeRange } from '../../domain/time-range.js'
import { zeros } from '../../domain/zeros.js'
import type { Clock } from '../../ports/clock.js'
import type { SpanStats, SpanStatsRow, TraceStore } from '../../ports/trace-store.js'
import type { Grid } from '../result.js'
import { boundedCount } from '../bounds.js'
import { cutByLimit } from '../cut-by-limit.js'
import { emptyHints } from '../empty-hints.js'
import { HOUR_MS, readWindow, type ReadWindow } from '../read-window.js'
import { steadyGridOf } from '../time-grid.js'
import { SPAN_VOCABULARY } from '../traces/span-vocabulary.js'
import { traceRequest } from '../traces/trace-conditions.js'
import { apdexOf, RED_PERCENTILES, redOfRow } from './red.js'
import { BY_OPERATION, ofServices } from './request-spans.js'
import { NO_CHANGES, ServiceChanges } from './service-changes.js'
import { type CountedService, ServiceCounts } from './service-counts.js'
import { ServiceFacts } from './service-facts.js'
import { ServiceLatency } from './service-latency.js'
import type {
  Operation,
  ServiceResult,
  ServiceOrder,
  ServiceQuery,
  ServicesResult,
  ServicesQuery,
  ServiceState,
  ServiceSummary
} from './service-result.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'

/** Dependencies of `ServiceReport`. */
export interface ServiceReportDeps {
  readonly traces: TraceStore
  readonly clock: Clock
}

const DEFAULT_APDEX_MS = 500
const MOST_APDEX_MS = 600_000
const DEFAULT_BUCKETS = 30
const MOST_BUCKETS = 500
const DEFAULT_SERVICES = 100
/** Services that one query looks at. */
export const MOST_SERVICES = 1_000
const DEFAULT_OPERATIONS = 50
const MOST_OPERATIONS = 1_000
const MS_NS = 1_000_000n
const ACTIVE_NS = 300_000n * MS_NS
const STALE_NS = 86_400_000n * MS_NS
const MAX_NAME_CHARS = 1_024

interface Shape {
  readonly apdexMs: number
  readonly buckets: number
  readonly compare: boolean
  readonly latency: boolean
}

type ServicesRequest = Pick<ServicesQuery, 'apdexMs' | 'buckets' | 'compare' | 'latency'>

function shapeOf({ apdexMs, buckets, compare = true, latency = false }: ServicesRequest): Shape {
  return {
    apdexMs: boundedCount(apdexMs, 'apdex_ms', { least: 1, most: MOST_APDEX_MS, otherwise: DEFAULT_APDEX_MS }),
    buckets: boundedCount(buckets, 'buckets', { least: 0, most: MOST_BUCKETS, otherwise: DEFAULT_BUCKETS }),
    ...{ compare, latency }
  }
}

function stateOf(lastSeenNs: bigint, nowNs: bigint): ServiceState {
  const age = nowNs - lastSeenNs
  if (age <= ACTIVE_NS) return 'active'
  return age <= STALE_NS ? 'stale' : 'gone'
}

type Ranked = Pick<ServiceSummary, 'name' | 'red'>

const ORDERS: Readonly<Record<ServiceOrder, (ranked: Ranked) => number>> = {
  name: () => 0,
  rate: ({ red }) => red.calls,
  error_rate: ({ red }) => red.errorRate,
  p95: ({ red }) => red.p95Ms ?? -1,
  p99: ({ red }) => red.p99Ms ?? -1
}

/** Largest first, ties by name. */
function sorted<T extends Ranked>(ranked: readonly T[], order: ServiceOrder): readonly T[] {
  const key = ORDERS[order]
  return ranked.toSorted((a, b) => key(b) - key(a) || (a.name < b.name ? -1 : 1))
}

function operationOf(row: SpanStatsRow, range: TimeRange): Operation {
  const [name, kind] = row.key
  const isKind = (text: string | null | undefined): text is SpanKind => SPAN_KINDS.includes(text as SpanKind)
  return { name: name ?? '', kind: isKind(kind) ? kind : 'unspecified', red: redOfRow(row, range) }
}

/** What was counted of a window. */
interface Summaries {
  /** Not compared with any other window. */
  readonly services: readonly ServiceSummary[]
  readonly counted: readonly CountedService[]
  readonly window: ReadWindow
  readonly grid: Grid | null
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** Services from their spans: `GET /api/v1/apm/services` and `services`, `serviceList`, `service` of GraphQL. */
export class ServiceReport {
  readonly #traces: TraceStore
  readonly #clock: Clock
  readonly #counts: ServiceCounts
  readonly #changes: ServiceChanges
  readonly #facts: ServiceFacts
  readonly #latency: ServiceLatency

  constructor({ traces, clock }: ServiceReportDeps) {
    this.#traces = traces
    this.#clock = clock
    this.#counts = new ServiceCounts(traces, MOST_SERVICES)
    this.#changes = new ServiceChanges(this.#counts, clock)
    this.#facts = new ServiceFacts(traces)
    this.#latency = new ServiceLatency(this.#counts)
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`. */
  async list(ns: Namespace, query: ServicesQuery, signal: AbortSignal): Promise<ServicesResult> {
    const startedMs = this.#clock.monotonicMs()
    const shape = shapeOf(query)
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MOST_SERVICES, otherwise: DEFAULT_SERVICES })
    const { service, filters, query: text } = query
    const { filter } = traceRequest({ service, filters, query: text })
    const found = await this.#summaries(ns, { window: this.#window(ns, query), filter, shape }, signal)
    const required = query.contains?.toLowerCase() ?? ''
    const services = found.services.filter(({ name }) => name.toLowerCase().includes(required))
    const listed = sorted(services, query.order ?? 'name').slice(0, limit)
    const hasMore = services.length > limit
    const [changes, facts] = await Promise.all([
      this.#changed(ns, found, { filter, shape }, signal),
      this.#newestFacts(ns, listed, found.window.range, signal)
    ])
    const warnings = [...distinctWarnings([...found.warnings, ...changes.warnings]), ...cutByLimit(hasMore, 'services', limit)]
    const { requested } = found.window
    const empty = { filter, vocabulary: SPAN_VOCABULARY, window: requested }
    const hints = services.length > 0 ? withoutRequests(services) : emptyHints(empty)
    return {
      services: listed.map(each => ({ ...each, change: changes.of(each), ...facts.get(each.name) })),
      hasMore,
      total: services.length,
      limit,
      grid: found.grid,
      apdexMs: shape.apdexMs,
      window: requested,
      complete: warnings.length === 0 && found.complete && changes.complete,
      warnings: [...warnings, ...hints],
      tookMs: this.#clock.monotonicMs() - startedMs
    }
  }

  /** Null when no span of the service is in the window. */
  async get(ns: Namespace, name: string, query: ServiceQuery, signal: AbortSignal): Promise<ServiceResult | null> {
    if (name === '' || name.length > MAX_NAME_CHARS)
      throw new GatewayError('invalid_field', `a service's name has 1 to ${MAX_NAME_CHARS} characters`, { field: 'name' })
    const startedMs = this.#clock.monotonicMs()
    const shape = shapeOf(query)
    const limit = boundedCount(query.operations, 'operations', {
      least: 0,
      most: MOST_OPERATIONS,
      otherwise: DEFAULT_OPERATIONS
    })
    const filter = ofServices([name])
    const found = await this.#summaries(ns, { window: this.#window(ns, query), filter, shape }, signal)
    const summary = found.services[0]
    if (summary === undefined) return null
    const { range } = found.window
    const [changes, facts, operations] = await Promise.all([
      this.#changed(ns, found, { filter, shape }, signal),
      this.#facts.ofService(ns, name, range, signal),
      this.#operations(
        ns,
        { filter: this.#counts.requestsOf(name, summary.requests), range, limit, order: query.order ?? 'rate' },
        signal
      )
    ])
    const warnings = [
      ...distinctWarnings([found, changes, facts, operations].flatMap(part => part.warnings)),
      ...cutByLimit(operations.hasMore, 'operations', limit)
    ]
    return {
      service: {
        ...summary,
        change: changes.of(summary),
        language: facts.languages[0]?.value ?? null,
        version: facts.newestVersion
      },
      ...{ grid: found.grid, apdexMs: shape.apdexMs, operations: operations.rows },
      ...{ versions: facts.versions, languages: facts.languages, hosts: facts.hosts },
      window: found.window.requested,
      complete: warnings.length === 0 && [found, changes, facts, operations].every(({ complete }) => complete),
      warnings,
      tookMs: this.#clock.monotonicMs() - startedMs
    }
  }

  async #operations(
    ns: Namespace,
    {
      filter,
      range,
      limit,
      order
    }: { readonly filter: Filter | null; readonly range: TimeRange; readonly limit: number; readonly order: ServiceOrder },
    signal: AbortSignal
  ): Promise<Pick<SpanStats, 'hasMore' | 'complete' | 'warnings'> & { readonly rows: readonly Operation[] }> {
    if (filter === null || limit === 0) return { rows: [], hasMore: false, complete: true, warnings: [] }
    // Stores know the most calls only: what is sorted otherwise is sorted before the cut.
    const most = order === 'rate' ? limit : MOST_OPERATIONS
    const request = { range, filter, groupBy: BY_OPERATION, percentiles: RED_PERCENTILES, limit: most }
    const { rows, hasMore, ...facts } = await this.#traces.stats(ns.id, request, signal)
    const operations = sorted(
      rows.map(row => operationOf(row, range)),
      order
    )
    return { ...facts, hasMore: hasMore || operations.length > limit, rows: operations.slice(0, limit) }
  }

  async #summaries(
    ns: Namespace,
    { window, filter, shape }: { readonly window: ReadWindow; readonly filter: Filter; readonly shape: Shape },
    signal: AbortSignal
  ): Promise<Summaries> {
    const { range, warnings } = window
    const isEmpty = range.startNs >= range.endNs
    // Whole milliseconds: search stores count buckets that begin between two by one clause each.
    const wholeMs = { startNs: range.startNs - (range.startNs % MS_NS), endNs: range.endNs }
    const grid = shape.buckets === 0 || isEmpty ? null : steadyGridOf(wholeMs, shape.buckets)
    if (isEmpty) return { services: [], counted: [], window, grid, complete: false, warnings }
    const apdexNs = BigInt(shape.apdexMs) * MS_NS
    const bounds = { boundsNs: [apdexNs, 4n * apdexNs], errorBuckets: true }
    const parts = { ...bounds, ...(grid && { grid: { ...grid, count: grid.length } }) }
    const counted = await this.#counts.count(ns, { range, filter, parts }, signal)
    const measured = shape.latency && grid ? { services: counted.services, range, filter, grid } : null
    const latency = measured && (await this.#latency.measure(ns, measured, signal))
    const nowNs = this.#clock.nowNs()
    const services = counted.services.map(({ name, requests, row, spans, lastSeenNs }): ServiceSummary => ({
      ...{ name, requests, spans, lastSeenNs, language: null, version: null, change: null },
      red: redOfRow(row, range),
      apdex: apdexOf(row?.buckets, row?.errorBuckets),
      state: stateOf(lastSeenNs, nowNs),
      trend: grid && (row?.grid ? { calls: row.grid.spans, errors: row.grid.errors } : emptyTrend(grid)),
      latency: latency?.of(name) ?? null
    }))
    return {
      ...{ services, counted: counted.services, window, grid },
      complete: counted.complete && (latency?.complete ?? true),
      warnings: distinctWarnings([...warnings, ...counted.warnings, ...(latency?.warnings ?? [])])
    }
  }

  async #changed(
    ns: Namespace,
    { counted, window }: Summaries,
    { filter, shape }: { readonly filter: Filter; readonly shape: Shape },
    signal: AbortSignal
  ): ReturnType<ServiceChanges['since']> {
    if (!shape.compare) return NO_CHANGES
    return this.#changes.since(ns, { services: counted, range: window.range, filter }, signal)
  }

  async #newestFacts(
    ns: Namespace,
    services: readonly ServiceSummary[],
    range: TimeRange,
    signal: AbortSignal
  ): ReturnType<ServiceFacts['newest']> {
    if (services.length === 0) return new Map()
    const names = services.map(({ name }) => name)
    return this.#facts.newest(ns, names, range, signal)
  }

  #window(ns: Namespace, bounds: { readonly start?: unknown; readonly end?: unknown }): ReadWindow {
    return readWindow(bounds, { namespace: ns, signal: 'traces', nowNs: this.#clock.nowNs() }, HOUR_MS)
  }
}

/** Why services with spans have no calls: spans without kinds are the least obvious reason. */
function withoutRequests(services: readonly ServiceSummary[]): readonly string[] {
  const { length: count } = services.filter(({ requests }) => requests === 'none')
  if (count === 0) return []
  return [`services without calls: ${count}, none of whose spans is of kind server or consumer, or without a parent`]
}

function emptyTrend(grid: Grid): { readonly calls: readonly number[]; readonly errors: readonly number[] } {
  return { calls: zeros(grid.length), errors: zeros(grid.length) }
}
