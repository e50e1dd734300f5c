import { groupedBy } from '../../domain/grouped-by.js'
import { flatten } from '../../domain/flatten.js'
import type { FlatObject } from '../../domain/json.js'
import { peerOf, protocolOf } from '../../domain/peer.js'
import type { StoredSpan } from '../../domain/span.js'
import type { TimeRange } from '../../domain/time-range.js'
import { quantileOf } from '../promql/functions/quantile.js'
import type { TraceView } from '../traces/trace-view.js'
import { RED_PERCENTILES, redOf } from './red.js'
import type { Red } from './service-result.js'
import { nodeId, type ServiceMapEdge, type ServiceMapNode } from './service-map.js'

type End = Pick<ServiceMapNode, 'kind' | 'name'>

/** One call: from a service to what it calls, measured by the called span, for a peer by the calling one. */
interface Call {
  readonly source: string
  readonly target: End
  readonly protocol: string | null
  readonly span: StoredSpan
}

function redOfSpans(spans: readonly StoredSpan[], range: TimeRange): Red {
  const durations = Float64Array.from(spans, ({ durationNs }) => Number(durationNs))
  const percentilesNs = RED_PERCENTILES.map(q => (spans.length === 0 ? null : quantileOf(durations, q)))
  return redOf({ calls: spans.length, errors: spans.filter(({ status }) => status === 'error').length, percentilesNs }, range)
}

type SpanAttributes = Parameters<typeof peerOf>[0]
const NOTHING: FlatObject = Object.freeze({})

/** The attributes of spans that identify calls: flattened once per span, and only of kinds that take part in calls. */
function callAttributes(): (span: StoredSpan) => SpanAttributes {
  const known = new Map<StoredSpan, SpanAttributes>()
  return span => {
    const { kind, attributes } = span
    const attributesOf = known.get(span)
    if (attributesOf) return attributesOf
    const isLocal = kind === 'internal' || kind === 'unspecified'
    const made = { kind, attributes: isLocal ? NOTHING : flatten(attributes) }
    known.set(span, made)
    return made
  }
}

/** Spans that are looked at in one step: less than a millisecond. */
const SPANS_PER_STEP = 250

/** As `TraceStore.serviceEdges` has it, of the spans of one trace. */
function* callsOf(spans: readonly StoredSpan[]): Generator<void, readonly Call[]> {
  const byId = new Map(spans.map(span => [span.spanId, span]))
  const finished = new Set<string>()
  const calls: Call[] = []
  const attributesOf = callAttributes()
  for (const [i, span] of spans.entries()) {
    if (i % SPANS_PER_STEP === 0) yield
    const caller = span.parentSpanId === null ? undefined : byId.get(span.parentSpanId)
    if (!caller || caller.service === null || span.service === null || caller.service === span.service) continue
    finished.add(caller.spanId)
    const target = { kind: 'service', name: span.service } as const
    calls.push({
      source: caller.service,
      target,
      protocol: protocolOf(attributesOf(caller)) ?? protocolOf(attributesOf(span)),
      span
    })
  }
  for (const [i, span] of spans.entries()) {
    if (i % SPANS_PER_STEP === 0) yield
    const peer = span.service === null || finished.has(span.spanId) ? null : peerOf(attributesOf(span))
    if (peer) calls.push({ source: span.service!, target: peer, protocol: protocolOf(attributesOf(span)), span })
  }
  return calls
}

/** The requests of a service (`RequestRule`). */
function requestsOf(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  const served = spans.filter(({ kind }) => kind === 'server' || kind === 'consumer')
  return served.length > 0 ? served : spans.filter(({ parentSpanId }) => parentSpanId === null)
}

function idOf({ kind, name }: End): string {
  return nodeId(kind, name)
}

function toEdge(calls: readonly Call[], range: TimeRange): ServiceMapEdge {
  const [{ source, target }] = calls as [Call, ...Call[]]
  const protocols = calls.map(({ protocol }) => protocol).filter(protocol => protocol !== null)
  return {
    source: nodeId('service', source),
    target: idOf(target),
    protocol: protocols.toSorted()[0] ?? null,
    red: redOfSpans(
      calls.map(({ span }) => span),
      range
    )
  }
}

/** Services and peers of one trace, and the calls between them. */
export interface TraceMap {
  readonly nodes: readonly ServiceMapNode[]
  readonly edges: readonly ServiceMapEdge[]
}

/**
 * Who calls whom in one trace: what `ServiceMap` computes for a window, counted over the spans that were read. Nodes by id, edges by
 * calls, most first. Rates are over the length of the trace. Yields between steps of the work.
 */
export function* traceMapSteps({
  spans: viewed,
  startNs,
  durationNs
}: Pick<TraceView, 'spans' | 'startNs' | 'durationNs'>): Generator<void, TraceMap> {
  const range = { startNs, endNs: startNs + durationNs }
  const spans = viewed.map(({ span }) => span)
  const calls = yield* callsOf(spans)
  yield
  const ofServices = groupedBy(
    spans.filter(({ service }) => service !== null),
    ({ service }) => service!
  )
  yield
  const services = [...ofServices].map(([name, own]): ServiceMapNode => ({
    id: nodeId('service', name),
    name,
    kind: 'service',
    red: redOfSpans(requestsOf(own), range)
  }))
  const ofPeers = groupedBy(
    calls.filter(({ target }) => target.kind !== 'service'),
    ({ target }) => idOf(target)
  )
  const peers = [...ofPeers].map(([id, own]): ServiceMapNode => {
    const { kind, name } = own[0]!.target
    return {
      id,
      name,
      kind,
      red: redOfSpans(
        own.map(({ span }) => span),
        range
      )
    }
  })
  const edges = [...groupedBy(calls, ({ source, target }) => JSON.stringify([source, idOf(target)])).values()]
  return {
    nodes: [...services, ...peers].sort((a, b) => (a.id < b.id ? -1 : 1)),
    edges: edges
      .map(own => toEdge(own, range))
      .sort((a, b) => b.red.calls - a.red.calls || (a.source + a.target < b.source + b.target ? -1 : 1))
  }
}
