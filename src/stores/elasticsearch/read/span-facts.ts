import type { SpanFacts } from '../../../domain/trace-summary.js'
import type { DocumentSource } from '../document/document-reader.js'
import { identity, textOf } from '../document/document-reader.js'
import { ID, KNOWN, LONG, TIME } from '../document/field-names.js'
import { durationOf } from '../document/span-document.js'

const F = KNOWN.spans

/** Members of documents that `spanFacts` needs. */
export const FACT_MEMBERS: readonly string[] = [
  TIME,
  ID,
  LONG,
  ...[F.trace_id, F.span_id, F.parent_span_id, F.duration_ns, F.service, F.name, F.status].map(({ field }) => field)
]

/** The facts of a span's document. */
export function spanFacts(source: DocumentSource): SpanFacts {
  const { id, timestampNs } = identity(source)
  return {
    id,
    timestampNs,
    traceId: textOf(source, F.trace_id) ?? '',
    spanId: textOf(source, F.span_id) ?? '',
    parentSpanId: textOf(source, F.parent_span_id),
    durationNs: durationOf(source),
    service: textOf(source, F.service),
    name: textOf(source, F.name) ?? '',
    isError: textOf(source, F.status) === 'error'
  }
}
