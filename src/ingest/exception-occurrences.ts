import type { Span } from '../domain/span.js'
import { exceptionsOf, type SpanException } from '../domain/span-exceptions.js'

/** An exception where it was recorded first: on the innermost span. */
export interface Occurrence {
  readonly span: Span
  readonly exception: SpanException
  /** The nearest ancestor that is not in the same request: it may have recorded the same exception. Null without one. */
  readonly outerSpanId: string | null
}

/** Ancestors that are looked at; traces may be deep, or cyclic. */
const MAX_ANCESTORS = 128

function spanKey(traceId: string, spanId: string): string {
  return `${traceId}/${spanId}`
}

/** What nested records of one exception share: the service, since each service has groups of its own, and what was recorded. */
function identityOf({ service }: Span, { type, message, stacktrace }: SpanException): string {
  return JSON.stringify([service, type, message, stacktrace])
}

interface Recorded {
  readonly span: Span
  readonly exceptions: readonly SpanException[]
  readonly identities: readonly string[]
}

/**
 * The exceptions of the spans of one request. An exception that unwinds through nested spans of a service is recorded on each of
 * them; those with the same type, message and stack on the chain of parents are one occurrence, that of the innermost span.
 * Siblings do not share a chain: retries stay apart.
 */
export function exceptionOccurrences(spans: readonly Span[]): readonly Occurrence[] {
  const recorded: Recorded[] = spans
    .filter(({ events }) => events.length > 0)
    .map(span => ({ span, exceptions: exceptionsOf(span.events) }))
    .filter(({ exceptions }) => exceptions.length > 0)
    .map(({ span, exceptions }) => ({ span, exceptions, identities: exceptions.map(each => identityOf(span, each)) }))
  if (recorded.length === 0) return []
  const byKey = new Map(spans.map(span => [spanKey(span.traceId, span.spanId), span]))
  // By span: what its descendants recorded.
  const inner = new Map<Span, Set<string>>()
  const outer = new Map<Span, string | null>()
  for (const { span, identities } of recorded) {
    const { ancestors, outerSpanId } = ancestorsOf(span, byKey)
    outer.set(span, outerSpanId)
    for (const ancestor of ancestors) {
      const known = inner.get(ancestor) ?? new Set()
      inner.set(ancestor, known)
      for (const identity of identities) known.add(identity)
    }
  }
  return recorded.flatMap(({ span, exceptions, identities }) =>
    exceptions
      .filter((_, i) => inner.get(span)?.has(identities[i]!) !== true)
      .map(exception => ({ span, exception, outerSpanId: outer.get(span) ?? null }))
  )
}

/** The ancestors of a span that are in the request, and the id of the nearest that is not. None for a cycle. */
function ancestorsOf(span: Span, byKey: ReadonlyMap<string, Span>): { ancestors: readonly Span[]; outerSpanId: string | null } {
  const ancestors = new Set<Span>()
  let { parentSpanId } = span
  while (parentSpanId !== null && ancestors.size < MAX_ANCESTORS) {
    const parent = byKey.get(spanKey(span.traceId, parentSpanId))
    if (!parent) return { ancestors: [...ancestors], outerSpanId: parentSpanId }
    if (parent === span || ancestors.has(parent)) return { ancestors: [], outerSpanId: null }
    ancestors.add(parent)
    parentSpanId = parent.parentSpanId
  }
  return { ancestors: [...ancestors], outerSpanId: null }
}
