import { randomBytes } from 'node:crypto'
import type { Filter } from '../../src/domain/filter.js'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { RowsRequest } from '../../src/domain/search.js'
import type { Span, StoredSpan } from '../../src/domain/span.js'
import type { AppendResult } from '../../src/ports/append.js'
import type { TraceStore } from '../../src/ports/trace-store.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId } from './fresh-ids.js'

/** A span of which a case names only what it is about; times count in nanoseconds from `BASE_NS`, ids are made of numbers. */
export type SpanSketch = Partial<Omit<Span, 'index' | 'timestampNs' | 'durationNs' | 'traceId' | 'spanId' | 'parentSpanId'>> & {
  readonly at?: number | bigint
  readonly took?: number | bigint
  /** A number, or the id itself. */
  readonly trace?: number | string
  readonly id?: number | string
  readonly parent?: number | string
}

const TRACE_DIGITS = 32
const SPAN_DIGITS = 16

/** The trace id of a number: cases are in namespaces of their own, so that they may share ids. */
export function traceIdOf(id: number | string): string {
  return typeof id === 'string' ? id : id.toString(16).padStart(TRACE_DIGITS, '0')
}

/** The span id of a number. */
export function spanIdOf(id: number | string): string {
  return typeof id === 'string' ? id : id.toString(16).padStart(SPAN_DIGITS, '0')
}

/** The whole span of a sketch; ids that it does not name are random. */
export function toSpan(sketch: SpanSketch, index: number): Span {
  const { at = 0, took = 1_000, trace, id, parent, ...given } = sketch
  return {
    index,
    traceId: traceIdOf(trace ?? randomBytes(TRACE_DIGITS / 2).toString('hex')),
    spanId: spanIdOf(id ?? randomBytes(SPAN_DIGITS / 2).toString('hex')),
    parentSpanId: parent === undefined ? null : spanIdOf(parent),
    traceState: '',
    timestampNs: BASE_NS + BigInt(at),
    durationNs: BigInt(took),
    name: 'an operation',
    kind: 'internal',
    status: 'unset',
    statusMessage: null,
    service: null,
    host: null,
    scopeName: '',
    scopeVersion: '',
    flags: 0,
    attributes: {},
    resource: {},
    events: [],
    links: [],
    dropped: { attributes: 0, events: 0, links: 0 },
    ...given
  }
}

/** Appends sketches as one batch and makes them visible. */
export async function storeSpans(
  traces: TraceStore,
  ns: NamespaceId,
  sketches: readonly SpanSketch[],
  ingestId = newIngestId()
): Promise<AppendResult> {
  const result = await traces.append(ns, { ingestId, items: sketches.map(toSpan) })
  await traces.settle(ns)
  return result
}

/** Stores each sketch in a batch of its own, so that an engine with tiers spreads them. */
export async function storeSpansApart(traces: TraceStore, ns: NamespaceId, sketches: readonly SpanSketch[]): Promise<void> {
  for (const sketch of sketches) await traces.append(ns, { ingestId: newIngestId(), items: [toSpan(sketch, 0)] })
  await traces.settle(ns)
}

/** Spans that match, newest first by default. */
export async function findSpans(
  traces: TraceStore,
  ns: NamespaceId,
  filter: Filter = MATCH_ALL,
  rows: Partial<RowsRequest> = {}
): Promise<readonly StoredSpan[]> {
  const request = { range: EVERY_TIME, filter, rows: { limit: 1000, order: 'desc' as const, ...rows } }
  return (await traces.searchSpans(ns, request, NEVER)).rows!
}

/** Names of the spans that match, sorted. */
export async function namesOf(traces: TraceStore, ns: NamespaceId, filter?: Filter): Promise<readonly string[]> {
  return (await findSpans(traces, ns, filter)).map(({ name }) => name).sort()
}
