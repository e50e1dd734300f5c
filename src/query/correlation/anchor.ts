import { canonicalTraceId, linkedTraceIdsOf } from '../../domain/trace-ids.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import { resolveWindow, type ResolvedWindow } from '../../domain/time-range.js'
import type { FacetCounts } from '../log-query.js'
import type { LogSearch } from '../log-search.js'
import type { Anchor, AnchorQuery, AttributeLink } from './correlation-result.js'
import { containersOf, anchorLinks, MAX_LINKS } from './origins.js'
import type { Warning } from '../../domain/warning.js'
import { flatten } from '../../domain/flatten.js'
import type { StoredLog } from '../../domain/records/log.js'

const SAMPLED = 1
const HEX_BYTE = /^[0-9a-f]{2}$/i

/**
 * Whether a log marks its trace as not sampled: field `trace_flags` (OpenTelemetry, "Trace Context in non-OTLP Log Formats"; W3C
 * trace context, 3.2.2.5.1) without bit 0. False for a log without the field.
 */
function isUnsampled({ fields, traceId }: Pick<StoredLog, 'fields' | 'traceId'>): boolean {
  if (traceId === null) return false
  const flags = flatten(fields)['trace_flags']
  if (typeof flags === 'string' && HEX_BYTE.test(flags)) return (Number.parseInt(flags, 16) & SAMPLED) === 0
  return typeof flags === 'number' && Number.isInteger(flags) && (flags & SAMPLED) === 0
}

/** Where a stored trace ran. */
export interface TraceOrigin {
  /** 32 hex digits in lower case. */
  readonly traceId: string
  readonly startNs: bigint
  readonly endNs: bigint
  /** Most spans first. */
  readonly services: readonly string[]
  readonly hosts: readonly string[]
  readonly containers: readonly string[]
}

/** Dependencies of `AnchorFinder`. */
export interface AnchorDeps {
  readonly logSearch: LogSearch
  /**
   * Null for a trace that is not stored; `warnings` explain why a trace with another id was found. Throws `invalid_field` for an
   * id of 64 bits that several traces share.
   */
  readonly traceOrigin: (
    ns: Namespace,
    traceId: string,
    signal: AbortSignal
  ) => Promise<{ readonly origin: TraceOrigin | null; readonly warnings: readonly Warning[] }>
}

/** An anchor, and the window in which its times were read. */
export interface FoundAnchor {
  readonly anchor: Anchor
  readonly warnings: readonly Warning[]
  readonly unitDetected: ResolvedWindow['unitDetected']
}

interface AnchorContext {
  readonly ns: Namespace
  readonly query: AnchorQuery
  readonly nowNs: bigint
  /** The length of a window without bounds. */
  readonly windowMs: number
  readonly signal: AbortSignal
}

/** A value that fewer than one in ten of the anchor's logs have is weak evidence. */
const WEAK_SHARE = 0.1
const MAX_ID_CHARS = 128
const NO_TRACE = { traceId: null, isTraceStored: null, isUnsampled: false } as const

function refuse(detail: string): GatewayError {
  return new GatewayError('invalid_field', detail, { field: 'anchor' })
}

function kindOf(query: AnchorQuery): Anchor['kind'] {
  const isPart = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
  const kinds = [
    ...(isPart(query.logId) ? (['log'] as const) : []),
    ...(isPart(query.traceId) ? (['trace'] as const) : []),
    ...(isPart(query.service) || isPart(query.host) ? (['moment'] as const) : []),
    ...(isPart(query.query) || isPart(query.start) || isPart(query.end) ? (['query'] as const) : [])
  ]
  if (kinds.length !== 1) throw refuse('anchor must be one of {log_id}, {trace_id}, {service, host, at} and {query, start, end}')
  if (isPart(query.at) && kinds[0] !== 'moment') throw refuse('at belongs to an anchor {service, host, at}')
  return kinds[0]!
}

function facetLinks(basis: 'service' | 'host', facet: FacetCounts | undefined, total: number): readonly AttributeLink[] {
  const counts = new Map(facet?.values.map(({ value, count }) => [value, count]))
  return anchorLinks(basis, [...counts.keys()], value => counts.get(value)! < total * WEAK_SHARE)
}

/** Finds out what an anchor is: when it was, and by what the other signals can be looked for. */
export class AnchorFinder {
  readonly #deps: AnchorDeps

  constructor(deps: AnchorDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field` unless the anchor is of one kind, `not_found` for an unknown log. */
  async find(context: AnchorContext): Promise<FoundAnchor> {
    const kind = kindOf(context.query)
    switch (kind) {
      case 'log':
        return this.#log(context)
      case 'trace':
        return this.#trace(context)
      case 'moment':
        return this.#moment(context)
      default:
        return this.#query(context)
    }
  }

  async #log({ ns, query }: AnchorContext): Promise<FoundAnchor> {
    const log = await this.#deps.logSearch.get(ns, query.logId!)
    if (!log) throw new GatewayError('not_found', 'no log of this namespace has this id, or it is past the retention')
    const links = [
      ...anchorLinks('container', containersOf(log.fields, log.tags)),
      ...anchorLinks('service', [log.service]),
      ...anchorLinks('host', [log.host])
    ]
    const [startNs, endNs] = [log.timestampNs, log.timestampNs + 1n]
    const trace = { traceId: log.traceId, isTraceStored: null, isUnsampled: isUnsampled(log) }
    const anchor = { kind: 'log', found: true, startNs, endNs, links, logs: 1, ...trace } as const
    return { anchor, warnings: [], unitDetected: 'rfc3339' }
  }

  async #trace({ ns, query, nowNs, signal }: AnchorContext): Promise<FoundAnchor> {
    const requested = query.traceId!
    if (requested.length > MAX_ID_CHARS) throw refuse('anchor.trace_id must be a trace id')
    const { origin, warnings } = await this.#deps.traceOrigin(ns, requested, signal)
    const isAnother = origin !== null && origin.traceId !== canonicalTraceId(requested)
    const traceId = isAnother ? origin.traceId : requested
    const ids = linkedTraceIdsOf(traceId)
    const logs = await this.#deps.logSearch.search(
      ns,
      {
        ...{ conditions: { traceId: ids }, wholeRetention: true, total: true, order: 'asc', limit: 1 },
        facets: [
          { field: 'service', limit: MAX_LINKS, lastSeen: true },
          { field: 'host', limit: MAX_LINKS, lastSeen: true }
        ]
      },
      signal
    )
    const count = logs.total?.value ?? 0
    const first = logs.rows[0]
    const lastNs = logs.facets
      .flatMap(facet => facet.values.map(value => value.lastSeenNs ?? 0n))
      .reduce((a, b) => (a > b ? a : b), 0n)
    const startNs = origin?.startNs ?? first?.timestampNs ?? nowNs
    const endNs = origin?.endNs ?? (lastNs > startNs ? lastNs : startNs)
    const links = [
      ...anchorLinks('container', [...(origin?.containers ?? []), ...(first ? containersOf(first.fields, first.tags) : [])]),
      ...anchorLinks('service', [...(origin?.services ?? []), ...(logs.facets[0]?.values.map(({ value }) => value) ?? [])]),
      ...anchorLinks('host', [...(origin?.hosts ?? []), ...(logs.facets[1]?.values.map(({ value }) => value) ?? [])])
    ]
    const found = origin !== null || count > 0
    const trace = { traceId, isTraceStored: origin !== null, isUnsampled: first !== undefined && isUnsampled(first) }
    return {
      anchor: { kind: 'trace', found, startNs, endNs: endNs + 1n, links, logs: count, ...trace },
      warnings,
      unitDetected: 'rfc3339'
    }
  }

  #moment({ query: { service, host, at }, nowNs }: AnchorContext): FoundAnchor {
    const { endNs, unitDetected } = resolveWindow(undefined, at, nowNs, 1)
    const links = [...anchorLinks('service', [service]), ...anchorLinks('host', [host])]
    const anchor = { kind: 'moment', found: true, startNs: endNs - 1n, endNs, links, logs: 0, ...NO_TRACE } as const
    return { anchor, warnings: [], unitDetected }
  }

  async #query({ ns, query, nowNs, windowMs, signal }: AnchorContext): Promise<FoundAnchor> {
    const { startNs, endNs, unitDetected } = resolveWindow(query.start, query.end, nowNs, windowMs)
    const logs = await this.#deps.logSearch.search(
      ns,
      {
        ...{ conditions: { query: query.query }, start: String(startNs), end: String(endNs), rows: false, total: true },
        facets: [
          { field: 'service', limit: MAX_LINKS },
          { field: 'host', limit: MAX_LINKS }
        ]
      },
      signal
    )
    const count = logs.total?.value ?? 0
    const links = [...facetLinks('service', logs.facets[0], count), ...facetLinks('host', logs.facets[1], count)]
    const anchor = { kind: 'query', found: count > 0, startNs, endNs, links, logs: count, ...NO_TRACE } as const
    return { anchor, warnings: [], unitDetected }
  }
}
