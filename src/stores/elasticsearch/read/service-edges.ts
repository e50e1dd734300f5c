import type { PeerKind } from '../../../domain/peer.js'
import type { SpanFacts } from '../../../domain/trace-summary.js'
import { compareStrings } from '../../../domain/string-order.js'
import type { ServiceEdge, ServiceEdges, ServiceEdgesRequest } from '../../../ports/trace-store.js'
import type { DocumentSource } from '../document/document-reader.js'
import { textOf } from '../document/document-reader.js'
import { KNOWN, PEER } from '../document/field-names.js'
import { sampleCut } from './sample-cut.js'
import { type FarCalls, farCallsWarning, MAX_FAR_PARENTS } from '../../shared/cuts.js'
import type { TraceLimits } from '../limits.js'
import { interpolated } from './duration-percentiles.js'
import { MAX_PAGE, readPages, type SearchContext } from './pages.js'
import { ALL, every, none, type Query } from './query.js'
import { Scope, timeClause } from './scope.js'
import { EVERY_TIME } from './scopes.js'
import { FACT_MEMBERS, spanFacts } from './span-facts.js'
import { anyTerm } from './term-condition.js'

const F = KNOWN.spans
const MEMBERS = [...FACT_MEMBERS, PEER.name.field, PEER.kind.field, PEER.protocol.field]
/** How far outside of the range the other span of a call is looked for. */
const BEYOND_NS = 600_000_000_000n
const HAS_SERVICE: Query = { exists: { field: F.service.field } }
/** Ids that one query names. */
const IDS_AT_ONCE = 5_000

interface EdgeSpan extends SpanFacts {
  readonly service: string
  readonly peer: string | null
  readonly peerKind: PeerKind | null
  readonly protocol: string | null
}

function edgeSpan(source: DocumentSource): EdgeSpan {
  return {
    ...spanFacts(source),
    service: textOf(source, F.service)!,
    peer: textOf(source, PEER.name),
    peerKind: textOf(source, PEER.kind) as PeerKind | null,
    protocol: textOf(source, PEER.protocol)
  }
}

function keyOf(traceId: string, spanId: string): string {
  return `${traceId}/${spanId}`
}

interface Read {
  readonly spans: readonly EdgeSpan[]
  /** There are more than were to be read. */
  readonly isCut: boolean
}

/** Spans of services that match, newest first, at most `most`. */
async function readSpans(context: SearchContext, query: Query, most: number): Promise<Read> {
  const spans: EdgeSpan[] = []
  const request = { query: every([HAS_SERVICE, query]), order: 'desc', size: Math.min(MAX_PAGE, most + 1) } as const
  for await (const page of readPages(context, { ...request, after: undefined, members: MEMBERS })) {
    for (const source of page) spans.push(edgeSpan(source))
    if (spans.length > most) break
  }
  return { spans: spans.slice(0, most), isCut: spans.length > most }
}

/** Spans around the range that have one of the ids in a field. */
async function readAround(context: SearchContext, field: string, ids: readonly string[], most: number): Promise<Read> {
  const { engine, scope, signal } = context
  const { startNs, endNs } = scope.range
  const around = { engine, scope: new Scope(scope.target, { startNs: startNs - BEYOND_NS, endNs: endNs + BEYOND_NS }), signal }
  const isOutside = none(timeClause(scope.range))
  const found: EdgeSpan[] = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const query = every([isOutside, anyTerm(field, ids.slice(at, at + IDS_AT_ONCE))])
    const { spans, isCut } = await readSpans(around, query, most - found.length)
    found.push(...spans)
    if (isCut) return { spans: found, isCut }
  }
  return { spans: found, isCut: false }
}

/** Calls of one edge. */
interface Calls {
  readonly source: string
  readonly target: string
  readonly targetKind: ServiceEdge['targetKind']
  readonly durations: number[]
  protocol: string | null
  errors: number
}

/** Collects calls into edges. */
class Edges {
  readonly #calls = new Map<string, Calls>()

  add(edge: Pick<Calls, 'source' | 'target' | 'targetKind'>, { durationNs, isError }: EdgeSpan, protocol: string | null): void {
    const key = JSON.stringify([edge.source, edge.target, edge.targetKind])
    const calls = this.#calls.get(key) ?? { ...edge, durations: [], protocol: null, errors: 0 }
    this.#calls.set(key, calls)
    calls.durations.push(Number(durationNs))
    if (isError) calls.errors++
    calls.protocol = first(calls.protocol, protocol)
  }

  sorted(percentiles: readonly number[]): readonly ServiceEdge[] {
    return [...this.#calls.values()].map(calls => toEdge(calls, percentiles)).sort(compareEdges)
  }
}

function toEdge({ source, target, targetKind, protocol, durations, errors }: Calls, percentiles: readonly number[]): ServiceEdge {
  const values = durations.sort((a, b) => a - b).map(value => ({ value, count: 1 }))
  return {
    source,
    target,
    targetKind,
    protocol,
    calls: durations.length,
    errors,
    percentilesNs: interpolated(values, percentiles)
  }
}

function compareEdges(a: ServiceEdge, b: ServiceEdge): number {
  return (
    b.calls - a.calls ||
    compareStrings(a.source, b.source) ||
    compareStrings(a.target, b.target) ||
    compareStrings(a.targetKind, b.targetKind)
  )
}

/** What is known of a calling span. */
interface Caller {
  readonly service: string
  readonly protocol: string | null
}

function first<Text extends string | null>(a: Text, b: Text): Text {
  if (a === null || b === null) return a ?? b
  return compareStrings(a, b) <= 0 ? a : b
}

/** Spans as callers; one that was sent twice is one caller. */
function callersOf(spans: readonly EdgeSpan[]): Map<string, Caller> {
  const callers = new Map<string, Caller>()
  for (const { traceId, spanId, service, protocol } of spans) {
    const key = keyOf(traceId, spanId)
    const known = callers.get(key)
    callers.set(
      key,
      known ? { service: first(known.service, service), protocol: first(known.protocol, protocol) } : { service, protocol }
    )
  }
  return callers
}

function parentKey({ traceId, parentSpanId }: EdgeSpan): string | null {
  return parentSpanId === null ? null : keyOf(traceId, parentSpanId)
}

/** The caller of a span in another service. */
function callerOf(span: EdgeSpan, callers: ReadonlyMap<string, Caller>): Caller | null {
  const key = parentKey(span)
  const caller = key === null ? undefined : callers.get(key)
  return caller && caller.service !== span.service ? caller : null
}

interface Joined {
  readonly spans: readonly EdgeSpan[]
  readonly callers: ReadonlyMap<string, Caller>
  /** Callers, by key, whose call a span in another service handled. */
  readonly finished: ReadonlySet<string>
  readonly isCut: boolean
  readonly farCalls: FarCalls
}

/** The spans of the range with the callers and callees of their calls, be these a little outside of it. */
async function join(context: SearchContext, most: number): Promise<Joined> {
  const { spans, isCut } = await readSpans(context, ALL, most)
  const keys = new Set(spans.map(({ traceId, spanId }) => keyOf(traceId, spanId)))
  const orphans = spans.filter(span => !keys.has(parentKey(span) ?? keyOf(span.traceId, span.spanId)))
  const parents = await readAround(context, F.span_id.field, idsOf(orphans.map(({ parentSpanId }) => parentSpanId!)), most)
  const callers = callersOf([...spans, ...parents.spans])
  const finished = new Set<string>()
  const response = (children: readonly EdgeSpan[]) => {
    for (const child of children) if (callerOf(child, callers)) finished.add(parentKey(child)!)
  }
  response(spans)
  const open = spans.filter(({ peer, traceId, spanId }) => peer !== null && !finished.has(keyOf(traceId, spanId)))
  const children = await readAround(context, F.parent_span_id.field, idsOf(open.map(({ spanId }) => spanId)), most)
  response(children.spans)
  const farCalls = await readFarCalls(
    context,
    orphans.filter(span => !callers.has(parentKey(span)!))
  )
  return { spans, callers, finished, isCut: isCut || parents.isCut || children.isCut, farCalls }
}

/** Looks for parents at all times; parents that were not sent are not calls. */
async function readFarCalls({ engine, scope, signal }: SearchContext, orphans: readonly EdgeSpan[]): Promise<FarCalls> {
  const keys = idsOf(orphans.map(span => parentKey(span)!))
  const looked = new Set(keys.toSorted().slice(0, MAX_FAR_PARENTS))
  const isCut = keys.length > MAX_FAR_PARENTS
  if (looked.size === 0) return { calls: 0, isCut }
  const ids = orphans.filter(span => looked.has(parentKey(span)!))
  const query = every([
    anyTerm(F.trace_id.field, idsOf(ids.map(({ traceId }) => traceId))),
    anyTerm(F.span_id.field, idsOf(ids.map(({ parentSpanId }) => parentSpanId!)))
  ])
  const everywhere = { engine, scope: new Scope(scope.target, EVERY_TIME), signal }
  const { spans } = await readSpans(everywhere, query, MAX_PAGE)
  const callers = callersOf(spans)
  return { calls: ids.filter(span => callerOf(span, callers) !== null).length, isCut }
}

function idsOf(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}

/** Who calls whom: the engine joins nothing, so the spans of the range are read and joined here. */
export async function readServiceEdges(
  context: SearchContext,
  request: ServiceEdgesRequest,
  { maxJoined }: TraceLimits
): Promise<ServiceEdges> {
  const { spans, callers, finished, isCut, farCalls } = await join(context, maxJoined)
  const edges = new Edges()
  for (const span of spans) {
    const caller = callerOf(span, callers)
    if (caller) {
      const edge = { source: caller.service, target: span.service, targetKind: 'service' } as const
      edges.add(edge, span, caller.protocol ?? span.protocol)
    }
    if (span.peer !== null && !finished.has(keyOf(span.traceId, span.spanId)))
      edges.add({ source: span.service, target: span.peer, targetKind: span.peerKind! }, span, span.protocol)
  }
  const all = edges.sorted(request.percentiles)
  const warnings = [
    ...(isCut ? [sampleCut(`only the latest ${maxJoined} spans of the time range were joined`, maxJoined)] : []),
    ...farCallsWarning(farCalls)
  ]
  return {
    edges: all.slice(0, request.limit),
    hasMore: all.length > request.limit,
    complete: warnings.length === 0,
    warnings
  }
}
