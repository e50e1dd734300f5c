import { GatewayError } from '../../domain/errors.js'
import { MATCH_ALL } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { ServiceEdge, TraceStore } from '../../ports/trace-store.js'
import type { ResultFacts, WindowBounds } from '../result.js'
import { boundedCount } from '../bounds.js'
import { cutByLimit } from '../cut-by-limit.js'
import { defaultWindowHint } from '../empty-hints.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import { RED_PERCENTILES, redOf, redOfRow } from './red.js'
import type { Red } from './service-result.js'
import { ServiceCounts } from './service-counts.js'
import { MOST_SERVICES } from './service-report.js'

type NodeKind = ServiceEdge['targetKind']

/** A service or a peer on the map. */
export interface ServiceMapNode {
  /** `kind:name`: a database may be called as a service is. */
  readonly id: string
  readonly name: string
  readonly kind: NodeKind
  /** For a service its requests; for a node that only its callers report, their calls, with durations if there is one caller. */
  readonly red: Red
}

/** Calls as the caller, or the called service where its spans are stored, measured them. */
export interface ServiceMapEdge {
  /** Ids of nodes. */
  readonly source: string
  readonly target: string
  readonly protocol: string | null
  readonly red: Red
}

/** Which part of the map is requested. */
export interface ServiceMapQuery extends WindowBounds {
  /** Only what is at most `depth` calls up or down from this service. */
  readonly service?: string | undefined
  /** Default 2; with `service` alone. */
  readonly depth?: number | undefined
  /** Edges that are read; default 1,000. */
  readonly limit?: number | undefined
}

/** The map, largest edges first. */
export interface ServiceMapResult extends ResultFacts {
  /** By kind and name. */
  readonly nodes: readonly ServiceMapNode[]
  /** Most calls first. */
  readonly edges: readonly ServiceMapEdge[]
  readonly hasMore: boolean
  readonly limit: number
}

const DEFAULT_DEPTH = 2
const MOST_DEPTH = 10
const DEFAULT_EDGES = 1_000
const MOST_EDGES = 5_000

/** Id of a node: a database may be called as a service is. */
export function nodeId(kind: NodeKind, name: string): string {
  return `${kind}:${name}`
}

function mapEdge(edge: ServiceEdge, range: TimeRange): ServiceMapEdge {
  return {
    source: nodeId('service', edge.source),
    target: nodeId(edge.targetKind, edge.target),
    protocol: edge.protocol,
    red: redOf(edge, range)
  }
}

/** Ids that are reached from `start` by at most `depth` steps along `next`. */
function reached(start: string, depth: number, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set([start])
  let edge: readonly string[] = [start]
  for (let step = 0; step < depth && edge.length > 0; step++) {
    edge = edge.flatMap(id => next.get(id) ?? []).filter(id => !seen.has(id) && seen.add(id))
  }
  return seen
}

function neighbors(
  edges: readonly ServiceMapEdge[],
  from: 'source' | 'target',
  to: 'source' | 'target'
): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>()
  for (const edge of edges) {
    const known = next.get(edge[from])
    if (known) known.push(edge[to])
    else next.set(edge[from], [edge[to]])
  }
  return next
}

/** Edges between what calls the service, however indirectly, and between what it calls. */
function around(edges: readonly ServiceMapEdge[], service: string, depth: number): readonly ServiceMapEdge[] {
  const id = nodeId('service', service)
  const down = reached(id, depth, neighbors(edges, 'source', 'target'))
  const up = reached(id, depth, neighbors(edges, 'target', 'source'))
  const within = (ids: ReadonlySet<string>, { source, target }: ServiceMapEdge): boolean => ids.has(source) && ids.has(target)
  return edges.filter(edge => within(down, edge) || within(up, edge))
}

function peerRed(calls: readonly ServiceMapEdge[], range: TimeRange): Red {
  const [only] = calls
  if (calls.length === 1) return only!.red
  const sum = (of: (red: Red) => number): number => calls.reduce((total, { red }) => total + of(red), 0)
  return redOf({ calls: sum(red => red.calls), errors: sum(red => red.errors), percentilesNs: [] }, range)
}

/** Who calls whom: `GET /api/v1/apm/service-map`, and `serviceMap`, `upstream`, `downstream` of GraphQL. */
export class ServiceMap {
  readonly #traces: TraceStore
  readonly #clock: Clock
  readonly #counts: ServiceCounts

  constructor({ traces, clock }: { readonly traces: TraceStore; readonly clock: Clock }) {
    this.#traces = traces
    this.#clock = clock
    this.#counts = new ServiceCounts(traces, MOST_SERVICES)
  }

  /** Throws `invalid_field`, `invalid_time_range`. */
  async map(ns: Namespace, query: ServiceMapQuery, signal: AbortSignal): Promise<ServiceMapResult> {
    const startedMs = this.#clock.monotonicMs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MOST_EDGES, otherwise: DEFAULT_EDGES })
    const depth = boundedCount(query.depth, 'depth', { least: 1, most: MOST_DEPTH, otherwise: DEFAULT_DEPTH })
    if (query.depth !== undefined && query.service === undefined)
      throw new GatewayError('invalid_field', 'depth requires service', { field: 'depth' })
    const place = { namespace: ns, signal: 'traces', nowNs: this.#clock.nowNs() } as const
    const { requested, range, warnings: edge } = readWindow(query, place, HOUR_MS)
    const [found, counted] = await Promise.all([
      this.#traces.serviceEdges(ns.id, { range, percentiles: RED_PERCENTILES, limit }, signal),
      this.#counts.count(ns, { range, filter: MATCH_ALL, parts: {} }, signal)
    ])
    const all = found.edges.map(one => mapEdge(one, range))
    const edges = query.service === undefined ? all : around(all, query.service, depth)
    const services = counted.services.map(({ name, row }): ServiceMapNode => ({
      id: nodeId('service', name),
      name,
      kind: 'service',
      red: redOfRow(row, range)
    }))
    const known = new Set(services.map(({ id }) => id))
    // A caller may have begun before the window: then it has no spans in it.
    const ends = found.edges.flatMap(({ source, target, targetKind }) => [
      { name: source, kind: 'service' as const },
      { name: target, kind: targetKind }
    ])
    const peers = ends.map(({ name, kind }) => ({ id: nodeId(kind, name), name, kind })).filter(({ id }) => !known.has(id))
    const named = new Map(peers.map(peer => [peer.id, peer]))
    const nodes = [
      ...services,
      ...[...named.values()].map(peer => ({
        ...peer,
        red: peerRed(
          all.filter(({ target }) => target === peer.id),
          range
        )
      }))
    ]
    const shown = new Set(edges.flatMap(({ source, target }) => [source, target]))
    if (query.service !== undefined) shown.add(nodeId('service', query.service))
    const warnings = [...edge, ...found.warnings, ...counted.warnings, ...cutByLimit(found.hasMore, 'edges', limit)]
    const hints = nodes.length > 0 ? [] : defaultWindowHint(requested)
    return {
      nodes: (query.service === undefined ? nodes : nodes.filter(({ id }) => shown.has(id))).toSorted((a, b) =>
        a.id < b.id ? -1 : 1
      ),
      ...{ edges, hasMore: found.hasMore, limit, window: requested, warnings: [...warnings, ...hints] },
      complete: warnings.length === 0 && found.complete && counted.complete,
      tookMs: this.#clock.monotonicMs() - startedMs
    }
  }
}
