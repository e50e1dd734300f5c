import type { RowsRequest } from '../../../domain/search.js'
import type { DocumentSource } from '../document/document-reader.js'
import { documentMatcher, tooManyToVerify, type JudgedFilter } from './decide.js'
import { type DocumentPage, MAX_PAGE, readPage, readPages, type SearchContext } from './pages.js'
import type { Query } from './query.js'
import { type DocumentCodec } from '../document/record-kinds.js'
import { positionOf } from './document-values.js'

/** A page of rows. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Documents fetched at first where a page is bounded in bytes too: 250 of the largest messages are 64 MiB. */
const FIRST_FETCH = 250
/** Records that may be looked at for one page of rows. */
export const MAX_SCANNED = 200_000
const SCAN_PAGE = 2_000

// Names of members, quotes and the like around the strings of one record.
const BYTES_AROUND_TEXTS = 300

function textBytes(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const name in value) bytes += textBytes((value as Record<string, unknown>)[name])
  return bytes
}

/** About how many bytes a document has in memory and in a response. */
export function documentBytes(source: DocumentSource): number {
  return BYTES_AROUND_TEXTS + textBytes(source)
}

/** How many of the documents, at least one, are within so many bytes. */
function countWithin(sources: readonly DocumentSource[], maxBytes: number): number {
  let bytes = 0
  for (const [i, source] of sources.entries()) {
    bytes += documentBytes(source)
    if (bytes > maxBytes) return Math.max(i, 1)
  }
  return sources.length
}

/** How many documents the first request for a page fetches: one more than requested shows whether more exist. */
export function firstFetch({ limit, maxBytes }: RowsRequest): number {
  return Math.min(limit + 1, maxBytes === undefined ? MAX_PAGE : FIRST_FETCH)
}

function toPage<Row>(
  sources: readonly DocumentSource[],
  { limit, maxBytes }: RowsRequest,
  kind: DocumentCodec<never, Row>
): RowPage<Row> {
  const requested = sources.slice(0, limit)
  const given = maxBytes === undefined ? requested : requested.slice(0, countWithin(requested, maxBytes))
  return { rows: given.map(kind.toRecord), hasMore: sources.length > given.length }
}

/** Whether what was fetched fills the page in rows or bytes, or is all there is. */
function isFull(sources: readonly DocumentSource[], isLast: boolean, { limit, maxBytes }: RowsRequest): boolean {
  if (isLast || sources.length > limit) return true
  return maxBytes !== undefined && countWithin(sources, maxBytes) < sources.length
}

/** Completes a page whose first documents came with the counts. */
export async function completePage<Row>(
  context: SearchContext,
  kind: DocumentCodec<never, Row>,
  { query, rows }: { readonly query: Query; readonly rows: RowsRequest },
  first: DocumentPage
): Promise<RowPage<Row>> {
  const sources = [...first.documents]
  let { isLast } = first
  let most = MAX_PAGE
  while (!isFull(sources, isLast, rows)) {
    const size = Math.min(rows.limit + 1 - sources.length, most)
    const more = await readPage(context, { query, order: rows.order, size, after: positionOf(sources.at(-1)!) })
    sources.push(...more.documents)
    isLast = more.isLast
    if (more.size < size) most = 2 * more.size
  }
  return toPage(sources, rows, kind)
}

/** A page of a filter that only a look at the records decides. Throws `unsupported_by_store` after `MAX_SCANNED`. */
export async function scanPage<Row>(
  context: SearchContext,
  kind: DocumentCodec<never, Row>,
  { filter, verdict }: JudgedFilter,
  rows: RowsRequest
): Promise<RowPage<Row>> {
  const matches = documentMatcher(filter, kind.kind)
  const found: DocumentSource[] = []
  let scanned = 0
  const request = { query: verdict.maybe, order: rows.order, size: SCAN_PAGE, after: rows.after }
  for await (const page of readPages(context, request)) {
    found.push(...page.filter(matches))
    if (isFull(found, false, rows)) break
    scanned += page.length
    if (scanned > MAX_SCANNED) throw tooManyToVerify(MAX_SCANNED)
  }
  return toPage(found, rows, kind)
}
