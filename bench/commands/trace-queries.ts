import { isDeepStrictEqual } from 'node:util'
import type { Span } from '../../src/domain/span.js'
import type { Red, SpanTally, Stretch } from '../generate/span-tally.js'
import type { Session } from '../service/session.js'

/** One query of the table. */
export interface TraceRequest {
  readonly name: string
  readonly run: (session: Session, turn: number) => Promise<unknown>
  /** The difference of a response from what the generator made; null if they are equal. */
  readonly fault: (response: never, turn: number) => string | null
}

const SERVICE = 'checkout'
const OPERATION = 'GET /api/list/{id}'
const SLOW_MS = 20
export const SPANS_PER_TRACE = 8
/** A sliding window makes each refresh a different query, as on a dashboard. */
const SLIDE_NS = 7_000_000_000n
const TOLERANCE = 0.01
const TRACE_STEP = 7919

/** What the search is for. */
export function isSearchedFor({ service, name, durationNs }: Span): boolean {
  return service === SERVICE && name === OPERATION && durationNs >= BigInt(SLOW_MS) * 1_000_000n
}

export function iso(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString()
}

function path(route: string, { startNs, endNs }: Stretch, parameters: Readonly<Record<string, string>> = {}): string {
  return `${route}?${new URLSearchParams({ start: iso(startNs), end: iso(endNs), ...parameters }).toString()}`
}

function get(address: string): (session: Session) => Promise<unknown> {
  return session => session.call('GET', address)
}

interface Traces {
  readonly traces: readonly { readonly trace_id: string }[]
}
interface Service {
  readonly name: string
  readonly calls: number
  readonly errors: number
  readonly p95_ms: number | null
}
interface Edge {
  readonly source: string
  readonly target: string
  readonly calls: number
}

function sameTraces(expected: readonly string[]): TraceRequest['fault'] {
  return ({ traces }: Traces) => {
    const found = traces.map(({ trace_id: id }) => id)
    return isDeepStrictEqual(found, expected) ? null : `${found.length} other traces`
  }
}

function differs(found: Service, expected: Red | undefined): boolean {
  if (!expected || found.calls !== expected.calls || found.errors !== expected.errors) return true
  return Math.abs((found.p95_ms ?? 0) / expected.p95Ms - 1) > TOLERANCE
}

export function serviceFault(services: readonly Service[], expected: ReadonlyMap<string, Red>): string | null {
  const wrong = services.filter(service => differs(service, expected.get(service.name)))
  return services.length === expected.size && wrong.length === 0 ? null : `${wrong.length} of ${services.length} services differ`
}

export function edgeFault(edges: readonly Edge[], expected: ReadonlyMap<string, number>): string | null {
  const found = new Map(edges.map(({ source, target, calls }) => [`${source}>${target}`, calls]))
  const wrong = [...expected].filter(([edge, calls]) => found.get(edge) !== calls)
  return wrong.length === 0 ? null : `${wrong.length} of ${expected.size} edges differ`
}

function slid({ startNs, endNs }: Stretch, turn: number): Stretch {
  const by = BigInt(turn) * SLIDE_NS
  return { startNs: startNs + by, endNs: endNs + by }
}

/** Another trace each turn. */
export function traceIdOf({ traceIds }: SpanTally, turn: number): string {
  return traceIds[(turn * TRACE_STEP) % traceIds.length]!
}

/** The queries of a trace list, a trace page and an overview of services, over REST. */
export function traceQueries(tally: SpanTally, { day, hour }: { day: Stretch; hour: Stretch }): readonly TraceRequest[] {
  const search = { service: SERVICE, operation: OPERATION, min_duration: `${SLOW_MS}ms`, scope: 'span', limit: '20' }
  const services = (of: (turn: number) => Stretch): TraceRequest['fault'] => {
    return ({ services: found }: { readonly services: readonly Service[] }, turn) => serviceFault(found, tally.requests(of(turn)))
  }
  return [
    {
      name: 'service, operation and duration, newest 20 of a day',
      run: get(path('/api/v1/traces', day, search)),
      fault: sameTraces(tally.newest)
    },
    {
      name: 'trace by id',
      run: (session, turn) => session.call('GET', `/api/v1/traces/${traceIdOf(tally, turn)}`),
      fault: ({ spans }: { readonly spans: readonly object[] }) =>
        spans.length === SPANS_PER_TRACE ? null : `${spans.length} spans`
    },
    {
      name: 'error traces of an hour, newest 20',
      run: get(path('/api/v1/traces', hour, { status: 'error', limit: '20' })),
      fault: sameTraces(tally.failed)
    },
    { name: 'services of an hour', run: get(path('/api/v1/apm/services', hour)), fault: services(() => hour) },
    {
      name: 'service map of an hour',
      run: get(path('/api/v1/apm/service-map', hour)),
      fault: ({ edges }: { readonly edges: readonly Edge[] }) => edgeFault(edges, tally.edges(hour))
    },
    {
      name: 'services of a day, sliding',
      run: (session, turn) => session.call('GET', path('/api/v1/apm/services', slid(day, turn))),
      fault: services(turn => slid(day, turn))
    },
    {
      name: 'service map of a day, sliding',
      run: (session, turn) => session.call('GET', path('/api/v1/apm/service-map', slid(day, turn))),
      fault: ({ edges }: { readonly edges: readonly Edge[] }, turn) => edgeFault(edges, tally.edges(slid(day, turn)))
    }
  ]
}
