import type { StoredSpan } from '../../../domain/span.js'
import type { TraceSpans } from '../../../ports/trace-store.js'
import { KNOWN } from '../document/field-names.js'
import { MAX_PAGE, readPages, type Asking } from './pages.js'
import { SPANS } from './record-kind.js'
import { lastSent } from './span-facts.js'

/** Spans with all their attributes that one answer of the engine holds. */
const PAGE = 2_000

function inOrder(a: StoredSpan, b: StoredSpan): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** The spans of a trace by start. Of more than `limit` the first are read: one that was sent again later than these may show as it was first. */
export async function readTrace(asking: Asking, traceId: string, limit: number): Promise<TraceSpans> {
  const query = { term: { [KNOWN.spans.trace_id.field]: traceId } }
  const size = Math.min(limit + 1, PAGE, MAX_PAGE)
  let spans: readonly StoredSpan[] = []
  for await (const page of readPages(asking, { query, order: 'asc', size, after: undefined })) {
    spans = lastSent([...spans, ...page.map(SPANS.toRecord)])
    if (spans.length > limit) break
  }
  const sorted = spans.toSorted(inOrder)
  return { spans: sorted.slice(0, limit), hasMore: sorted.length > limit }
}
