import type { Order, Position } from '../../../domain/search.js'
import { formatNs } from '../../../domain/timestamp.js'
import { OversizedResponse } from '../client/engine-errors.js'
import type { DocumentSource } from '../document/document-reader.js'
import { ID, TIME } from '../document/field-names.js'
import type { Query } from './query.js'
import { positionOf } from './document-values.js'
import type { Scope } from './scope.js'
import type { SearchEngine } from './search-engine.js'

/** How the parts of one query reach the engine. */
export interface SearchContext {
  readonly engine: SearchEngine
  readonly scope: Scope
  readonly signal: AbortSignal
}

/** Records in order, from a place on. */
export interface PageRequest {
  readonly query: Query
  readonly order: Order
  readonly size: number
  readonly after: Position | undefined
  /** Members of the documents; all when absent. */
  readonly members?: readonly string[]
}

/** `size` of a search ends here (`index.max_result_window`). */
export const MAX_PAGE = 10_000

/** The part of a search that sorts and cuts. The cursor is our own text: sort values of the engine are beyond a double. */
export function ordering(order: Order, after: Position | undefined): Readonly<Record<string, unknown>> {
  const sort = [{ [TIME]: order }, { [ID]: order }]
  return after ? { sort, search_after: [formatNs(after.timestampNs), after.id] } : { sort }
}

/** Part of its size that a page is read with again when its documents were too large. */
const SHRINK = 4

/** What was read, and the size it was read with. */
export interface Fitting<T> {
  readonly result: T
  readonly size: number
}

/** Reads with the requested size, or with a smaller one when the response would be too large. */
export async function readFitting<T>(requested: number, read: (size: number) => Promise<T>): Promise<Fitting<T>> {
  for (let size = requested; ; size = Math.ceil(size / SHRINK)) {
    try {
      return { result: await read(size), size }
    } catch (error) {
      if (size <= 1 || !(error instanceof OversizedResponse)) throw error
    }
  }
}

/** Documents in order. */
export interface DocumentPage {
  readonly documents: readonly DocumentSource[]
  /** Documents that it had room for: as requested, or fewer because documents are large. */
  readonly size: number
  /** No document follows. */
  readonly isLast: boolean
}

/** One page of documents. */
export async function readPage(context: SearchContext, request: PageRequest): Promise<DocumentPage> {
  const { result, size } = await readFitting(request.size, fitting => readDocuments(context, { ...request, size: fitting }))
  return { documents: result, size, isLast: result.length < size }
}

async function readDocuments(
  { engine, scope, signal }: SearchContext,
  { query, order, size, after, members }: PageRequest
): Promise<readonly DocumentSource[]> {
  const body = {
    query: scope.confine(query),
    size,
    track_total_hits: false,
    ...ordering(order, after),
    ...(members && { _source: members })
  }
  const { hits } = await engine.search(scope.target.indices, body, signal)
  return hits.hits.map(hit => hit._source)
}

/** All pages; the next one is fetched when it is requested. */
export async function* readPages(context: SearchContext, request: PageRequest): AsyncGenerator<readonly DocumentSource[], void> {
  let { after, size } = request
  for (;;) {
    const page = await readPage(context, { ...request, after, size })
    if (page.documents.length > 0) yield page.documents
    if (page.isLast) return
    after = positionOf(page.documents.at(-1)!)
    // Documents near large ones are likely to be large.
    size = Math.min(request.size, page.size * 2)
  }
}
