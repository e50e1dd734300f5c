import type { RecordId } from '../../../domain/ids.js'
import type { StoredSpan } from '../../../domain/span.js'
import { inSpanOrder, lastSent, type SentSpan } from '../../../domain/trace-summary.js'
import { SMALL_TRACE_SPANS, type TraceSpans } from '../../../ports/trace-store.js'
import { mapInSlices } from '../../shared/map-in-slices.js'
import { ID, KNOWN, TIME } from '../document/field-names.js'
import { MAX_PAGE, readPage, readPages, type SearchContext } from './pages.js'
import { every, type Query } from './query.js'
import { SPANS } from '../document/record-kinds.js'
import type { TraceLimits } from '../limits.js'
import { documentBytes } from './rows.js'
import { anyTerm } from './term-condition.js'
import { identity, textOf, type DocumentSource } from '../document/document-reader.js'

const F = KNOWN.spans
/** Spans with all their attributes that one result of the engine holds. */
const PAGE = 2_000
/** Copies of spans whose ids are read to find the latest; later ones of a larger trace are not examined. */
export const MAX_COPIES = 200_000
const MEMBERS = [TIME, ID, F.trace_id.field, F.span_id.field]

interface Copy extends SentSpan {
  readonly id: RecordId
  readonly timestampNs: bigint
}

function toCopy(source: DocumentSource): Copy {
  return { ...identity(source), traceId: textOf(source, F.trace_id)!, spanId: textOf(source, F.span_id)! }
}

/** Ids of the spans that the trace has, by start. */
async function lastCopies(context: SearchContext, query: Query): Promise<readonly Copy[]> {
  const copies: Copy[] = []
  const request = { query, order: 'asc', size: MAX_PAGE, after: undefined, members: MEMBERS } as const
  for await (const page of readPages(context, request)) {
    for (const source of page) copies.push(toCopy(source))
    if (copies.length >= MAX_COPIES) break
  }
  return lastSent(copies).toSorted(inSpanOrder)
}

async function toSpans(sources: readonly DocumentSource[]): Promise<readonly StoredSpan[]> {
  return mapInSlices(sources, SPANS.toRecord)
}

/** The spans of a trace by start, each once, in its latest version; null if more copies are stored than a small trace has. */
export async function readSmallTrace(context: SearchContext, traceId: string): Promise<TraceSpans | null> {
  const query = { term: { [F.trace_id.field]: traceId } }
  const copies = await readPage(context, { query, order: 'asc', size: SMALL_TRACE_SPANS + 1, after: undefined })
  if (!copies.isLast) return null
  return { spans: lastSent(await toSpans(copies.documents)).toSorted(inSpanOrder), hasMore: false }
}

/** The spans of a trace by start, each once, in its latest version: at most `limit`, and those within the bound of bytes. */
export async function readTrace(
  context: SearchContext,
  traceId: string,
  limit: number,
  { maxTraceBytes }: Pick<TraceLimits, 'maxTraceBytes'>
): Promise<TraceSpans> {
  const query = { term: { [F.trace_id.field]: traceId } }
  const size = Math.min(limit + 1, PAGE)
  const first = await readPage(context, { query, order: 'asc', size, after: undefined })
  if (first.isLast) return { spans: lastSent(await toSpans(first.documents)).toSorted(inSpanOrder), hasMore: false }
  const copies = await lastCopies(context, query)
  const requested = copies.slice(0, limit)
  const spans: StoredSpan[] = []
  let bytes = 0
  for (let at = 0; at < requested.length; at += PAGE) {
    const ids = requested.slice(at, at + PAGE).map(({ id }) => id)
    const request = { query: every([query, anyTerm(ID, ids)]), order: 'asc', size: PAGE + 1, after: undefined } as const
    for await (const page of readPages(context, request)) {
      bytes += page.reduce((sum, source) => sum + documentBytes(source), 0)
      spans.push(...(await toSpans(page)))
      if (bytes > maxTraceBytes) return { spans, hasMore: copies.length > spans.length }
    }
  }
  return { spans, hasMore: copies.length > limit }
}
