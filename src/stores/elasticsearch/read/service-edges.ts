import type { PeerKind } from '../../../domain/peer.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { ServiceEdge, ServiceEdges } from '../../../ports/trace-store.js'
import type { Source } from '../document/document-reader.js'
import { textOf } from '../document/document-reader.js'
import { KNOWN, PEER } from '../document/field-names.js'
import type { TraceLimits } from '../limits.js'
import { interpolated } from './duration-percentiles.js'
import { compareTexts } from './group-terms.js'
import { MAX_PAGE, readPages, type Asking } from './pages.js'
import { ALL, every, type Query } from './query.js'
import { FACT_MEMBERS, lastSent, spanFacts, type SpanFacts } from './span-facts.js'
import { everyTime } from './summaries.js'
import { anyTerm } from './term-condition.js'

const F = KNOWN.spans
const MEMBERS = [...FACT_MEMBERS, PEER.name.field, PEER.kind.field, PEER.protocol.field]
/** Ids that one question names. */
const IDS_AT_ONCE = 5_000

interface EdgeSpan extends SpanFacts {
  readonly peer: string | null
  readonly peerKind: PeerKind | null
  readonly protocol: string | null
}

function edgeSpan(source: Source): EdgeSpan {
  return {
    ...spanFacts(source),
    peer: textOf(source, PEER.name),
    peerKind: textOf(source, PEER.kind) as PeerKind | null,
    protocol: textOf(source, PEER.protocol)
  }
}

function keyOf(traceId: string, spanId: string): string {
  return `${traceId}/${spanId}`
}

/** Spans that match, newest first, at most `most`. */
async function readSpans(
  asking: Asking,
  query: Query,
  most: number
): Promise<{ readonly spans: readonly EdgeSpan[]; readonly isCut: boolean }> {
  const spans: EdgeSpan[] = []
  const size = Math.min(MAX_PAGE, most + 1)
  for await (const page of readPages(asking, { query, order: 'desc', size, after: undefined, members: MEMBERS })) {
    for (const source of page) spans.push(edgeSpan(source))
    if (spans.length > most) break
  }
  return { spans: lastSent(spans.slice(0, most)), isCut: spans.length > most }
}

/** Spans of the same traces by one of their ids, whenever they were. */
async function readRelated(
  asking: Asking,
  field: string,
  wanted: readonly { readonly traceId: string; readonly id: string }[],
  most: number
): Promise<{ readonly spans: readonly EdgeSpan[]; readonly isCut: boolean }> {
  const found: EdgeSpan[] = []
  for (let at = 0; at < wanted.length; at += IDS_AT_ONCE) {
    const some = wanted.slice(at, at + IDS_AT_ONCE)
    const query = every([
      anyTerm(
        F.trace_id.field,
        some.map(({ traceId }) => traceId)
      ),
      anyTerm(
        field,
        some.map(({ id }) => id)
      )
    ])
    const { spans, isCut } = await readSpans(everyTime(asking), query, most - found.length)
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
  readonly protocols: Map<string, number>
  readonly durations: number[]
  errors: number
}

/** Collects calls into edges. */
class Edges {
  readonly #calls = new Map<string, Calls>()

  add(edge: Pick<Calls, 'source' | 'target' | 'targetKind'>, { durationNs, isError }: EdgeSpan, protocol: string | null): void {
    const key = JSON.stringify([edge.source, edge.target, edge.targetKind])
    const calls = this.#calls.get(key) ?? { ...edge, protocols: new Map<string, number>(), durations: [], errors: 0 }
    this.#calls.set(key, calls)
    calls.durations.push(Number(durationNs))
    if (isError) calls.errors++
    if (protocol !== null) calls.protocols.set(protocol, (calls.protocols.get(protocol) ?? 0) + 1)
  }

  sorted(percentiles: readonly number[]): readonly ServiceEdge[] {
    return [...this.#calls.values()].map(calls => toEdge(calls, percentiles)).sort(compareEdges)
  }
}

function toEdge(
  { source, target, targetKind, protocols, durations, errors }: Calls,
  percentiles: readonly number[]
): ServiceEdge {
  const [protocol] = [...protocols].sort(([a, n], [b, m]) => m - n || compareTexts(a, b))
  const values = durations.sort((a, b) => a - b).map(value => ({ value, count: 1 }))
  return {
    source,
    target,
    targetKind,
    protocol: protocol?.[0] ?? null,
    calls: durations.length,
    errors,
    percentilesNs: interpolated(values, percentiles)
  }
}

function compareEdges(a: ServiceEdge, b: ServiceEdge): number {
  return (
    b.calls - a.calls ||
    compareTexts(a.source, b.source) ||
    compareTexts(a.target, b.target) ||
    compareTexts(a.targetKind, b.targetKind)
  )
}

/** Parents by trace and span id: those among the spans, and those that began before the range. */
async function parentsOf(asking: Asking, spans: readonly EdgeSpan[], most: number) {
  const known = new Map(spans.map(span => [keyOf(span.traceId, span.spanId), span]))
  const missing = spans.flatMap(({ traceId, parentSpanId }) =>
    parentSpanId === null || known.has(keyOf(traceId, parentSpanId)) ? [] : [{ traceId, id: parentSpanId }]
  )
  const { spans: found, isCut } = await readRelated(asking, F.span_id.field, missing, most)
  for (const span of found) known.set(keyOf(span.traceId, span.spanId), span)
  return { parents: known, isCut }
}

/** Children, outside the range, of calls that may have gone on beyond it. */
function lateChildren(asking: Asking, spans: readonly EdgeSpan[], { endNs }: TimeRange, most: number) {
  const open = spans.filter(({ peer, startNs, durationNs }) => peer !== null && startNs + durationNs >= endNs)
  const wanted = open.map(({ traceId, spanId }) => ({ traceId, id: spanId }))
  return readRelated(asking, F.parent_span_id.field, wanted, most)
}

function isCall(parent: EdgeSpan | undefined, child: EdgeSpan): parent is EdgeSpan & { readonly service: string } {
  return parent !== undefined && parent.service !== null && child.service !== null && parent.service !== child.service
}

/** Who calls whom: the engine joins nothing, so the spans of the range are read and joined here. */
export async function readServiceEdges(
  asking: Asking,
  request: { readonly range: TimeRange; readonly percentiles: readonly number[]; readonly limit: number },
  { maxJoined: maxSpans }: TraceLimits
): Promise<ServiceEdges> {
  const { spans, isCut } = await readSpans(asking, ALL, maxSpans)
  const { parents, isCut: lacksParents } = await parentsOf(asking, spans, maxSpans)
  const { spans: late, isCut: lacksChildren } = await lateChildren(asking, spans, request.range, maxSpans)
  const edges = new Edges()
  const answered = new Set<string>()
  const callOf = (child: EdgeSpan) => {
    const parent = child.parentSpanId === null ? undefined : parents.get(keyOf(child.traceId, child.parentSpanId))
    return isCall(parent, child) ? parent : null
  }
  for (const child of [...spans, ...late]) {
    const parent = callOf(child)
    if (parent) answered.add(keyOf(parent.traceId, parent.spanId))
  }
  for (const span of spans) {
    const parent = callOf(span)
    if (parent) {
      const edge = { source: parent.service, target: span.service!, targetKind: 'service' } as const
      edges.add(edge, span, span.protocol ?? parent.protocol)
    }
    if (span.peer !== null && span.peerKind !== null && span.service !== null && !answered.has(keyOf(span.traceId, span.spanId)))
      edges.add({ source: span.service, target: span.peer, targetKind: span.peerKind }, span, span.protocol)
  }
  const all = edges.sorted(request.percentiles)
  const warnings = isCut || lacksParents || lacksChildren ? [`only the newest ${maxSpans} spans of the time were joined`] : []
  return {
    edges: all.slice(0, request.limit),
    hasMore: all.length > request.limit,
    complete: warnings.length === 0,
    warnings
  }
}
