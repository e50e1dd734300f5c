import { LOG } from '../../../domain/records/log.js'
import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import type { UnassignedLog } from '../../../ports/unassigned-logs.js'
import { wholeText, type DocumentSource } from '../document/document-reader.js'
import { LONG, TIME } from '../document/field-names.js'
import { type Fitting, readFitting } from './pages.js'
import { every, none } from './query.js'
import type { Scope } from './scope.js'
import type { SearchBody, SearchEngine, SearchHit, SearchResponse } from './search-engine.js'

/** Number of the last write of a document in its index, which has one primary shard: unique, ascending, new with every write. */
const PLACE = '_seq_no'
const MESSAGE = LOG.message.document
/** Logs of one page at most. */
const PAGE_ROWS = 2_000
/** Members of a page's documents. */
const PAGE_MEMBERS = [TIME, MESSAGE, `${LONG}.${MESSAGE}`]

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
  /** The same with a bound in bytes for several documents; a larger one is read alone. */
  readonly bounded: SearchEngine
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
    const { indices } = scope.target
    // Each index has one shard, so that the counts are exact.
    const aggs = { indices: { terms: { field: '_index', size: Math.max(indices.length, 1) } } }
    const body = { query: scope.confine(UNASSIGNED), size: 0, track_total_hits: false, aggs }
    const { aggregations } = await this.#deps.engine.search(indices, body)
    const buckets = aggregations?.['indices']?.buckets ?? []
    return new Map(buckets.map(({ key, doc_count: count = 0 }) => [String(key), count]))
  }

  /** The next ones behind a place. */
  async page(scope: Scope, after: number): Promise<readonly UnassignedLog[]> {
    const query = scope.confine(every([UNASSIGNED, { range: { [PLACE]: { gt: after } } }]))
    const { result, size } = await this.#fitting(scope, this.#pageRows, fitting => ({
      ...{ query, size: fitting, track_total_hits: false, sort: [{ [PLACE]: 'asc' }] },
      ...{ seq_no_primary_term: true, _source: PAGE_MEMBERS }
    }))
    this.#pageRows = Math.min(PAGE_ROWS, 2 * size)
    return result.hits.hits.map(({ _seq_no: place, _source: source }) => ({
      place: place!,
      timestampNs: parseRfc3339Ns(source[TIME] as string)!,
      message: wholeText(source, MESSAGE) ?? ''
    }))
  }

  /** Those of the first places, as many as fit: `size` of the places were looked at. */
  async whole(scope: Scope, places: Float64Array): Promise<Fitting<readonly WrittenDocument[]>> {
    const { result, size } = await this.#fitting(scope, places.length, fitting => {
      const query = scope.confine(every([UNASSIGNED, { terms: { [PLACE]: [...places.subarray(0, fitting)] } }]))
      return { query, size: fitting, track_total_hits: false, seq_no_primary_term: true }
    })
    return { result: result.hits.hits.map(toDocument), size }
  }

  #fitting(scope: Scope, requested: number, bodyOf: (size: number) => SearchBody): Promise<Fitting<SearchResponse>> {
    const { engine, bounded } = this.#deps
    return readFitting(requested, size => (size > 1 ? bounded : engine).search(scope.target.indices, bodyOf(size)))
  }
}
