import { LOG } from '../../../domain/records/log.js'
import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import type { UnassignedLog } from '../../../ports/unassigned-logs.js'
import { wholeText, type DocumentSource } from '../document/document-reader.js'
import { LONG, TIME } from '../document/field-names.js'
import { type Fitting, readFitting } from './pages.js'
import { every, none } from './query.js'
import type { Scope } from './scope.js'
import type { SearchBody, SearchEngine, SearchHit, SearchResponse } from './search-engine.js'

/** Number of the last write of a document in its index: with one primary shard unique, ascending, new with every write. */
const PLACE = '_seq_no'
const MESSAGE = LOG.message.document
/** Logs of one page at most. */
const PAGE_ROWS = 2_000
/** Members of a page's documents. */
const PAGE_MEMBERS = [TIME, MESSAGE, `${LONG}.${MESSAGE}`]

const IN_ORDER = { track_total_hits: false, sort: [{ [PLACE]: 'asc' }], seq_no_primary_term: true }
const UNASSIGNED = none({ exists: { field: LOG.patternId.document } })

/** A whole document, and the write that it has come from. */
export interface WrittenDocument {
  readonly id: string
  readonly place: number
  readonly primaryTerm: number
  readonly source: DocumentSource
}

function toDocument({ _id: id, _seq_no: place, _primary_term: primaryTerm, _source: source }: SearchHit): WrittenDocument {
  return { id: id!, place: place!, primaryTerm: primaryTerm!, source }
}

/** What reading documents without a pattern works with. */
export interface UnassignedDocumentsDeps {
  readonly engine: SearchEngine
  /** The same with a bound in bytes for the messages of a page; a larger one is read alone. */
  readonly pages: SearchEngine
  /** The same for whole documents. */
  readonly documents: SearchEngine
}

/** Reads logs without a pattern from one index, or counts them in several. */
export class UnassignedDocuments {
  readonly #deps: UnassignedDocumentsDeps
  /** Rows that the next page begins with: documents near large ones are likely to be large. */
  #pageRows = PAGE_ROWS

  constructor(deps: UnassignedDocumentsDeps) {
    this.#deps = deps
  }

  /** How many each index has; those with none are left out. */
  async counts(scope: Scope): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>()
    // One by one: a search of several leaves a closed index out while another is not made yet.
    for (const index of scope.target.indices) {
      const body = { query: scope.confine(UNASSIGNED), size: 0, track_total_hits: true }
      const { hits } = await this.#deps.engine.search([index], body)
      if (hits.total!.value > 0) counts.set(index, hits.total!.value)
    }
    return counts
  }

  /** The next ones behind a place. */
  async page(scope: Scope, after: number): Promise<readonly UnassignedLog[]> {
    const query = scope.confine(every([UNASSIGNED, { range: { [PLACE]: { gt: after } } }]))
    const request = { query, ...IN_ORDER, _source: PAGE_MEMBERS }
    const { result, size } = await this.#fitting('pages', scope, this.#pageRows, rows => ({ ...request, size: rows }))
    this.#pageRows = Math.min(PAGE_ROWS, 2 * size)
    return result.hits.hits.map(({ _seq_no: place, _source: source }) => ({
      place: place!,
      timestampNs: parseRfc3339Ns(source[TIME] as string)!,
      message: wholeText(source, MESSAGE) ?? ''
    }))
  }

  /** Those of the first places, as many as fit, in their order: `size` of the places were looked at. */
  async whole(scope: Scope, places: Float64Array): Promise<Fitting<readonly WrittenDocument[]>> {
    const { result, size } = await this.#fitting('documents', scope, places.length, rows => {
      const query = scope.confine(every([UNASSIGNED, { terms: { [PLACE]: [...places.subarray(0, rows)] } }]))
      return { query, ...IN_ORDER, size: rows }
    })
    return { result: result.hits.hits.map(toDocument), size }
  }

  #fitting(
    what: 'pages' | 'documents',
    scope: Scope,
    requested: number,
    bodyOf: (rows: number) => SearchBody
  ): Promise<Fitting<SearchResponse>> {
    const { engine, [what]: bounded } = this.#deps
    return readFitting(requested, rows => (rows > 1 ? bounded : engine).search(scope.target.indices, bodyOf(rows)))
  }
}
