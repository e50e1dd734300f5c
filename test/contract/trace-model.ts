import type { ServiceSpans, Span, TraceSummary } from '../../src/domain/span.js'
import type { TraceSearchRequest } from '../../src/ports/trace-store.js'

/** A span as it was stored, in the order of arrival. */
export interface ModelSpan extends Span {
  readonly recordId: string
}

type Matches = (span: Span) => boolean

/** The spans of each trace, in the order given. */
export function byTrace(stored: readonly ModelSpan[]): ReadonlyMap<string, readonly ModelSpan[]> {
  const traces = new Map<string, ModelSpan[]>()
  for (const span of stored) traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span])
  return traces
}

function least<T>(items: readonly T[], key: (item: T) => bigint): bigint {
  return items.map(key).reduce((a, b) => (a < b ? a : b))
}

function byStart(a: ModelSpan, b: ModelSpan): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.recordId < b.recordId ? -1 : 1
}

function servicesOf(spans: readonly ModelSpan[]): readonly ServiceSpans[] {
  const services = new Map<string | null, { spans: number; errors: number }>()
  for (const { service, status } of spans) {
    const counts = services.get(service) ?? { spans: 0, errors: 0 }
    services.set(service, counts)
    counts.spans++
    if (status === 'error') counts.errors++
  }
  const name = (service: string | null) => service ?? '\u{10ffff}'
  return [...services]
    .map(([service, counts]) => ({ service, ...counts }))
    .sort((a, b) => b.spans - a.spans || (name(a.service) < name(b.service) ? -1 : 1))
}

/** What a store must return for a trace, read plainly off the rules of `TraceSummary`. */
export function summaryOf(copies: readonly ModelSpan[]): TraceSummary {
  const last = new Map(copies.map(span => [span.spanId, span]))
  const spans = [...last.values()].sort(byStart)
  const startNs = least(copies, span => span.timestampNs)
  const endNs = -least(copies, span => -(span.timestampNs + span.durationNs))
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== null && !last.has(parentSpanId))
  const root = spans.find(({ parentSpanId }) => parentSpanId === null)
  const origin = root ?? orphans[0]
  return {
    traceId: copies[0]!.traceId,
    startNs,
    durationNs: endNs - startNs,
    rootService: origin?.service ?? null,
    rootOperation: origin?.name ?? null,
    spanCount: spans.length,
    errorSpanCount: spans.filter(({ status }) => status === 'error').length,
    services: servicesOf(spans),
    hasMissingSpans: !root || orphans.length > 0
  }
}

/** All traces that match, in the requested order; pages and limits are left to the caller. */
export function matchingTraces(
  stored: readonly ModelSpan[],
  { range, conditions, rows }: TraceSearchRequest,
  matches: Matches
): readonly TraceSummary[] {
  const traces = byTrace(stored)
  const isInRange = ({ timestampNs }: Span) => timestampNs >= range.startNs && timestampNs < range.endNs
  const key = (summary: TraceSummary) => (rows.by === 'start' ? summary.startNs : summary.durationNs)
  const found = [...traces.values()]
    .filter(spans => spans.some(span => isInRange(span) && matches(span)))
    .map(summaryOf)
    .filter(({ durationNs }) => durationNs >= (conditions.minDurationNs ?? 0n))
    .filter(({ durationNs }) => conditions.maxDurationNs === undefined || durationNs <= conditions.maxDurationNs)
    .sort((a, b) => (key(a) !== key(b) ? (key(a) < key(b) ? -1 : 1) : a.traceId < b.traceId ? -1 : 1))
  return rows.order === 'asc' ? found : found.toReversed()
}
