import type { RecordId } from './ids.js'
import type { ServiceSpans, TraceSummary } from './span.js'
import { compareStrings } from './string-order.js'

/** Which span of which trace a record is. */
export interface SentSpan {
  readonly id: RecordId
  readonly traceId: string
  readonly spanId: string
}

/** What a trace is summed up from; `timestampNs` is the start, Unix nanoseconds. */
export interface SpanFacts extends SentSpan {
  readonly parentSpanId: string | null
  readonly timestampNs: bigint
  readonly durationNs: bigint
  readonly service: string | null
  readonly name: string
  readonly isError: boolean
}

/** What 64 bits hold. */
const MAX_NS = 2n ** 63n - 1n

/** The latest version of each span that was sent more than once: record ids sort in the order of arrival. */
export function lastSent<Span extends SentSpan>(copies: Iterable<Span>): readonly Span[] {
  const last = new Map<string, Span>()
  for (const copy of copies) {
    const key = `${copy.traceId}/${copy.spanId}`
    const known = last.get(key)
    if (!known || copy.id > known.id) last.set(key, copy)
  }
  return [...last.values()]
}

/** Order of the spans of a trace: by start, ties by record id. */
export function inSpanOrder<Span extends { readonly id: RecordId; readonly timestampNs: bigint }>(a: Span, b: Span): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

function earliest(spans: readonly SpanFacts[]): SpanFacts | null {
  let first: SpanFacts | null = null
  for (const span of spans) if (!first || inSpanOrder(span, first) < 0) first = span
  return first
}

function compareServices(a: ServiceSpans, b: ServiceSpans): number {
  if (a.spans !== b.spans) return b.spans - a.spans
  if (a.service === null || b.service === null) return a.service === null ? 1 : -1
  return compareStrings(a.service, b.service)
}

function servicesOf(spans: readonly SpanFacts[]): readonly ServiceSpans[] {
  const services = new Map<string | null, { spans: number; errors: number }>()
  for (const { service, isError } of spans) {
    const counts = services.get(service) ?? { spans: 0, errors: 0 }
    services.set(service, counts)
    counts.spans++
    if (isError) counts.errors++
  }
  return [...services].map(([service, counts]) => ({ service, ...counts })).sort(compareServices)
}

function timesOf(copies: readonly SpanFacts[]): Pick<TraceSummary, 'startNs' | 'durationNs'> {
  let startNs = copies[0]!.timestampNs
  let endNs = startNs
  for (const { timestampNs, durationNs } of copies) {
    const end = timestampNs + durationNs
    if (timestampNs < startNs) startNs = timestampNs
    if (end > endNs) endNs = end < MAX_NS ? end : MAX_NS
  }
  return { startNs, durationNs: endNs - startNs }
}

/** Sums up a trace out of all that was sent of it, at least one span: times count every copy of a span, the rest the last. */
export function summarizeTrace(traceId: string, copies: readonly SpanFacts[]): TraceSummary {
  const spans = lastSent(copies)
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === null)
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId))
  const root = earliest(roots) ?? earliest(orphans)
  return {
    traceId,
    ...timesOf(copies),
    rootService: root?.service ?? null,
    rootOperation: root?.name ?? null,
    spanCount: spans.length,
    errorSpanCount: spans.filter(({ isError }) => isError).length,
    services: servicesOf(spans),
    hasMissingSpans: orphans.length > 0 || roots.length === 0
  }
}
