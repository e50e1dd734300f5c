import { allOf, type Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { SpanStatsRequest, SpanStatsRow, TraceStore } from '../../ports/trace-store.js'
import { cutByLimit } from '../cut-by-limit.js'
import { RED_PERCENTILES } from './red.js'
import { BY_SERVICE, ofServices, ROOTS, SERVED } from './request-spans.js'
import type { RequestRule } from './service-result.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'

/** A service of a window, and the counts of its requests. */
export interface CountedService {
  readonly name: string
  readonly requests: RequestRule
  /** Absent for a service without requests. */
  readonly row: SpanStatsRow | undefined
  /** Of any kind. */
  readonly spans: number
  readonly lastSeenNs: bigint
}

interface CountRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly parts: Pick<SpanStatsRequest, 'boundsNs' | 'errorBuckets' | 'grid'>
}

/** Rows by service, and how much of the spans they count. */
export interface Counts {
  readonly rows: ReadonlyMap<string, SpanStatsRow>
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

const NOTHING: Counts = { rows: new Map(), complete: true, warnings: [] }

function together(...parts: readonly Counts[]): Counts {
  return {
    rows: new Map(parts.flatMap(({ rows }) => [...rows])),
    complete: parts.every(({ complete }) => complete),
    warnings: distinctWarnings(parts.flatMap(({ warnings }) => warnings))
  }
}

function byName(rows: readonly SpanStatsRow[]): Map<string, SpanStatsRow> {
  return new Map(rows.flatMap(row => (row.key[0] == null ? [] : [[row.key[0], row]])))
}

/** Counts requests per service by the rule of `RequestRule`. */
export class ServiceCounts {
  readonly #traces: TraceStore
  readonly #most: number

  constructor(traces: TraceStore, most: number) {
    this.#traces = traces
    this.#most = most
  }

  /** Services of the window, most spans first. */
  async count(
    ns: Namespace,
    request: CountRequest,
    signal: AbortSignal
  ): Promise<{
    readonly services: readonly CountedService[]
    readonly complete: boolean
    readonly warnings: readonly Warning[]
  }> {
    const { range, filter } = request
    const [all, served] = await Promise.all([
      this.#traces.stats(ns.id, { range, filter, groupBy: BY_SERVICE, percentiles: [], limit: this.#most }, signal),
      this.#requests(ns, request, SERVED, signal)
    ])
    const names = [...byName(all.rows).keys()]
    const others = names.filter(name => !served.rows.has(name))
    const roots = others.length === 0 ? NOTHING : await this.#requests(ns, request, ofServices(others, ROOTS), signal)
    const requested = together(served, roots)
    const nameless = all.rows.find(row => row.key[0] === null)?.spans ?? 0
    const services = [...byName(all.rows)].map(([name, { spans, lastSeenNs }]): CountedService => {
      const row = requested.rows.get(name)
      const requests = served.rows.has(name) ? 'server_consumer' : row ? 'root' : 'none'
      return { name, requests, row, spans, lastSeenNs }
    })
    const warnings = [
      ...distinctWarnings([...all.warnings, ...requested.warnings]),
      ...cutByLimit(all.hasMore, 'services', this.#most),
      ...(nameless > 0 ? [`${nameless} spans without service.name are not counted`] : [])
    ]
    return { services, complete: all.complete && !all.hasMore && requested.complete, warnings }
  }

  /** Counts the requests of services that are known already, each by its rule. */
  async again(ns: Namespace, services: readonly CountedService[], request: CountRequest, signal: AbortSignal): Promise<Counts> {
    const of = (rule: RequestRule): readonly string[] =>
      services.filter(({ requests }) => requests === rule).map(({ name }) => name)
    const [served, roots] = [of('server_consumer'), of('root')]
    const [ofServed, ofRoots] = await Promise.all([
      served.length === 0 ? NOTHING : this.#requests(ns, request, SERVED, signal),
      roots.length === 0 ? NOTHING : this.#requests(ns, request, ofServices(roots, ROOTS), signal)
    ])
    return together(ofServed, ofRoots)
  }

  /** The spans that are requests of a service; null when none are. */
  requestsOf(name: string, rule: RequestRule): Filter | null {
    if (rule === 'none') return null
    return ofServices([name], rule === 'root' ? ROOTS : SERVED)
  }

  async #requests(ns: Namespace, { range, filter, parts }: CountRequest, which: Filter, signal: AbortSignal): Promise<Counts> {
    const request = {
      ...{ range, filter: allOf([filter, which]), groupBy: BY_SERVICE, percentiles: RED_PERCENTILES, limit: this.#most },
      ...parts
    }
    const { rows, complete, warnings } = await this.#traces.stats(ns.id, request, signal)
    return { rows: byName(rows), complete, warnings }
  }
}
