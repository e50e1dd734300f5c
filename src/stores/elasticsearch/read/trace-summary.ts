import type { ServiceSpans, TraceSummary } from '../../../domain/span.js'
import { compareTexts } from './group-terms.js'
import { lastSent, type SpanFacts } from './span-facts.js'

function isBefore(a: SpanFacts, b: SpanFacts): boolean {
  return a.startNs === b.startNs ? a.id < b.id : a.startNs < b.startNs
}

function earliest(spans: readonly SpanFacts[]): SpanFacts | null {
  let first: SpanFacts | null = null
  for (const span of spans) if (!first || isBefore(span, first)) first = span
  return first
}

function compareServices(a: ServiceSpans, b: ServiceSpans): number {
  if (a.spans !== b.spans) return b.spans - a.spans
  if (a.service === null || b.service === null) return a.service === null ? 1 : -1
  return compareTexts(a.service, b.service)
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

/** What 64 bits hold. */
const MAX_NS = 2n ** 63n - 1n

function timesOf(copies: readonly SpanFacts[]): Pick<TraceSummary, 'startNs' | 'durationNs'> {
  let [startNs, endNs] = [copies[0]!.startNs, copies[0]!.startNs]
  for (const copy of copies) {
    const end = copy.startNs + copy.durationNs
    if (copy.startNs < startNs) ({ startNs } = copy)
    if (end > endNs) endNs = end < MAX_NS ? end : MAX_NS
  }
  return { startNs, durationNs: endNs - startNs }
}

/** Sums up a trace out of all that was sent of it, at least one span: times count every copy of a span, the rest the last. */
export function summarise(traceId: string, copies: readonly SpanFacts[]): TraceSummary {
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
