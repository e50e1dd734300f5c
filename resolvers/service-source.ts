import type { RedSeriesType, ServiceType, RedMetricsType, ServiceMapEdgeType, ServiceMapType } from '../schema/service.type.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { ServiceReport } from '../src/query/apm/service-report.js'
import type { WindowBounds } from '../src/query/result.js'
import { emptyLatency, type LatencySeries } from '../src/query/apm/latency-series.js'
import type { ServicesResult, ServicesQuery, ServiceSummary, Red } from '../src/query/apm/service-result.js'
import { toGrid, toStats, toWindow } from './to-shared.js'
import type { TimeRange } from '../src/domain/time-range.js'
import type { ServiceMapResult, ServiceMapEdge } from '../src/query/apm/service-map.js'

/** Parts of a query that fields of services decide. */
export type ServiceParts = WindowBounds & Pick<ServicesQuery, 'apdexMs' | 'buckets' | 'compare' | 'latency'>

/** Counts alone: neither trend nor comparison. */
export const PLAIN = { buckets: 0, compare: false } as const
/** How far back a service is looked for that no range bounds. */
export const LAST_DAY = { start: 'now-24h' }

/** Services that were listed together: a field that one of them needs is loaded once for all. */
export class ServiceGroup {
  readonly #load: (parts: ServiceParts) => Promise<ServicesResult>
  readonly #results = new Map<string, Promise<ServicesResult>>()

  constructor(load: (parts: ServiceParts) => Promise<ServicesResult>) {
    this.#load = load
  }

  result(parts: ServiceParts): Promise<ServicesResult> {
    const { start, end, apdexMs, buckets, compare, latency } = parts
    const key = JSON.stringify([start, end, apdexMs, buckets, compare, latency], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value
    )
    const known = this.#results.get(key)
    if (known) return known
    const requested = this.#load(parts)
    this.#results.set(key, requested)
    return requested
  }
}

/** Where services are listed. */
interface ServicePlace {
  readonly ns: Namespace
  readonly serviceReport: Pick<ServiceReport, 'list'>
  readonly signal: AbortSignal
}

/** The group of services with these names. */
export function groupOfServices(names: readonly string[], { ns, serviceReport, signal }: ServicePlace): ServiceGroup {
  const shared = { service: names, limit: Math.max(names.length, 1) }
  return new ServiceGroup(async parts => serviceReport.list(ns, { ...parts, ...shared }, signal))
}

/** Those of the names that have spans in the last 24 hours. */
export async function servicesNamed(names: readonly string[], place: ServicePlace): Promise<readonly ServiceSource[]> {
  if (names.length === 0) return []
  const group = groupOfServices(names, place)
  const { services } = await group.result({ ...LAST_DAY, ...PLAIN })
  return services.map(service => new ServiceSource(service, group))
}

/** One service of a group. */
export class ServiceSource implements ServiceType {
  readonly #summary: ServiceSummary
  readonly #group: ServiceGroup

  constructor(summary: ServiceSummary, group: ServiceGroup) {
    this.#summary = summary
    this.#group = group
  }

  get name(): string {
    return this.#summary.name
  }
  get language(): string | null {
    return this.#summary.language
  }
  get version(): string | null {
    return this.#summary.version
  }
  get lastSeen(): bigint {
    return this.#summary.lastSeenNs
  }
  get state(): ServiceSummary['state'] {
    return this.#summary.state
  }
  get requests(): ServiceSummary['requests'] {
    return this.#summary.requests
  }

  /** The result about the group, and this service in it; null when no span of it is in the window. */
  async within(parts: ServiceParts): Promise<{ readonly result: ServicesResult; readonly service: ServiceSummary | null }> {
    const result = await this.#group.result(parts)
    return { result, service: result.services.find(({ name }) => name === this.name) ?? null }
  }
}

const MS_PER_S = 1_000

type Counted = Pick<RedSeriesType, 'grid' | 'requests' | 'errors' | 'stats'>

/** Requests of a service over time; percentiles are computed if a field requests them. */
export class RedSeriesSource implements RedSeriesType {
  readonly grid: RedSeriesType['grid']
  readonly requests: readonly number[]
  readonly errors: readonly number[]
  readonly stats: RedSeriesType['stats']
  readonly #service: ServiceSource
  readonly #parts: ServiceParts

  private constructor(service: ServiceSource, parts: ServiceParts, counted: Counted) {
    this.#service = service
    this.#parts = parts
    this.grid = counted.grid
    this.requests = counted.requests
    this.errors = counted.errors
    this.stats = counted.stats
  }

  /** Null where no buckets were requested. */
  static async read(service: ServiceSource, parts: ServiceParts): Promise<RedSeriesSource | null> {
    const found = await service.within(parts)
    const { grid } = found.result
    if (!grid) return null
    const zeros = Array.from({ length: grid.length }, () => 0)
    const { calls, errors } = found.service?.trend ?? { calls: zeros, errors: zeros }
    const stats = toStats(found.result, 'spans')
    return new RedSeriesSource(service, parts, { grid: toGrid(grid), requests: calls, errors, stats })
  }

  get ratePerSecond(): readonly number[] {
    return this.requests.map(count => (count * MS_PER_S) / this.grid.stepMs)
  }
  get errorRate(): readonly (number | null)[] {
    return this.requests.map((count, i) => (count === 0 ? null : this.errors[i]! / count))
  }

  /** On the grid of this series. */
  async latency(): Promise<LatencySeries> {
    const { service } = await this.#service.within({ ...this.#parts, latency: true })
    return service?.latency ?? emptyLatency(this.grid.length)
  }
}

const NO_CALLS: Red = {
  ...{ calls: 0, ratePerSecond: 0, errors: 0, errorRate: 0 },
  ...{ p50Ms: null, p90Ms: null, p95Ms: null, p99Ms: null }
}

/** RED figures as GraphQL has them. */
export function toRed(red: Red | undefined): RedMetricsType {
  const { calls, ...rest } = red ?? NO_CALLS
  return { requests: calls, ...rest }
}

/** An edge of the service map as GraphQL has it. */
export function toMapEdge({ source, target, protocol, red }: ServiceMapEdge): ServiceMapEdgeType {
  return { source, target, protocol, red: toRed(red) }
}

/** The service map as GraphQL has it. */
export function toServiceMap(
  result: Omit<ServiceMapResult, 'window' | 'hasMore' | 'limit'> & { window: TimeRange }
): ServiceMapType {
  return {
    nodes: result.nodes.map(({ red, ...node }) => ({ ...node, red: toRed(red) })),
    edges: result.edges.map(toMapEdge),
    window: toWindow(result.window),
    stats: toStats(result, 'spans')
  }
}
