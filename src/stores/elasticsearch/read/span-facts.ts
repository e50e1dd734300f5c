import type { RecordId } from '../../../domain/ids.js'
import type { Source } from '../document/document-reader.js'
import { identity, textOf } from '../document/document-reader.js'
import { ID, KNOWN, LONG, TIME } from '../document/field-names.js'
import { durationOf } from '../document/span-document.js'

const F = KNOWN.spans

/** What a trace is summed up from. */
export interface SpanFacts {
  readonly id: RecordId
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly startNs: bigint
  readonly durationNs: bigint
  readonly service: string | null
  readonly name: string
  readonly isError: boolean
}

/** Members of documents that `spanFacts` needs. */
export const FACT_MEMBERS: readonly string[] = [
  TIME,
  ID,
  LONG,
  ...[F.trace_id, F.span_id, F.parent_span_id, F.duration_ns, F.service, F.name, F.status].map(({ field }) => field)
]

/** The facts of a span's document. */
export function spanFacts(source: Source): SpanFacts {
  const { id, timestampNs } = identity(source)
  return {
    id,
    traceId: textOf(source, F.trace_id) ?? '',
    spanId: textOf(source, F.span_id) ?? '',
    parentSpanId: textOf(source, F.parent_span_id),
    startNs: timestampNs,
    durationNs: durationOf(source),
    service: textOf(source, F.service),
    name: textOf(source, F.name) ?? '',
    isError: textOf(source, F.status) === 'error'
  }
}

/** Which span of which trace a record is. */
export interface SentSpan {
  readonly id: RecordId
  readonly traceId: string
  readonly spanId: string
}

/** Order of the spans of a trace: by start, ties by record id. */
export function inSpanOrder<Span extends { readonly id: RecordId; readonly timestampNs: bigint }>(a: Span, b: Span): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Spans that were sent twice once each, as they came last. */
export function lastSent<Span extends SentSpan>(spans: Iterable<Span>): readonly Span[] {
  const last = new Map<string, Span>()
  for (const span of spans) {
    const key = `${span.traceId}/${span.spanId}`
    const known = last.get(key)
    if (!known || isLater(span.id, known.id)) last.set(key, span)
  }
  return [...last.values()]
}

/** Ids sort as they were made: by the request, then by the place in it. */
function isLater(id: RecordId, than: RecordId): boolean {
  return id > than
}
