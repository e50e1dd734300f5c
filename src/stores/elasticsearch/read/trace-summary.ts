import type { ServiceSpans, TraceSummary } from '../../../domain/span.js'
import { compareTexts } from './group-terms.js'
import type { SpanFacts } from './span-facts.js'

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

/** Sums up a trace of at least one span, each once. */
export function summarise(traceId: string, spans: readonly SpanFacts[]): TraceSummary {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === null)
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId))
  const root = earliest(roots) ?? earliest(orphans)
  let [startNs, endNs] = [spans[0]!.startNs, 0n]
  for (const span of spans) {
    if (span.startNs < startNs) ({ startNs } = span)
    if (span.startNs + span.durationNs > endNs) endNs = span.startNs + span.durationNs
  }
  return {
    traceId,
    startNs,
    durationNs: endNs - startNs,
    rootService: root?.service ?? null,
    rootOperation: root?.name ?? null,
    spanCount: spans.length,
    errorSpanCount: spans.filter(({ isError }) => isError).length,
    services: servicesOf(spans),
    hasMissingSpans: orphans.length > 0 || roots.length === 0
  }
}
