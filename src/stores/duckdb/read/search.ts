import type { RowsRequest, SearchRequest, SearchResult, Total } from '../../../domain/search.js'
import { mapInSlices } from '../../shared/map-in-slices.js'
import { countRows } from './count-rows.js'
import { countDistributions } from './distributions.js'
import { countFacets } from './facets.js'
import type { TableFields } from './field-target.js'
import { countBuckets, MAX_HISTOGRAM_SERIES } from './histogram.js'
import { NarrowedByIds } from './narrowed-by-ids.js'
import type { WholePage } from './page-facets.js'
import { readRows } from './read-rows.js'
import type { SearchCells } from './search-cells.js'
import type { Scope } from './source.js'
import { measureSpreads } from './spreads.js'
import type { ResultRow } from './statement.js'
import { histogramCut } from '../../shared/cuts.js'
import type { Filter } from '../../../domain/filter.js'

/** Number of rows of the scope that match. */
async function totalOf(scope: Scope, fields: TableFields, filter: Filter, whole: WholePage | null): Promise<Total> {
  return { value: whole ? whole.rows.length : await countRows(scope, fields, filter), relation: 'eq' }
}

/** How one kind of record is searched and given back. */
export interface SearchedKind<Row> {
  readonly fields: TableFields
  /** Columns that `toRecord` needs, the ordering ones among them. */
  readonly columns: readonly string[]
  readonly toRecord: (row: ResultRow) => Row
}

interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  /** The rows as they are stored, if no others match: totals and facets of strings follow from them. */
  readonly whole: WholePage | null
}

// Names of members, quotes and the like around the strings of one record.
const BYTES_AROUND_TEXTS = 300

function sizeOf(row: ResultRow): number {
  let bytes = BYTES_AROUND_TEXTS
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') bytes += value.length
  }
  return bytes
}

function rowsWithin(rows: readonly ResultRow[], maxBytes: number): number {
  let bytes = 0
  for (const [i, row] of rows.entries()) {
    bytes += sizeOf(row)
    if (bytes > maxBytes) return Math.max(i, 1)
  }
  return rows.length
}

async function readPage<Row>(
  scope: Scope,
  { fields, columns, toRecord }: SearchedKind<Row>,
  { filter }: SearchRequest,
  { limit, order, after, maxBytes }: RowsRequest
): Promise<Page<Row>> {
  const query = { fields, filter, order, columns, limit: limit + 1, ...(after ? { after } : {}) }
  const found = await readRows(scope, query)
  const requested = found.slice(0, limit)
  const given = maxBytes === undefined ? requested : requested.slice(0, rowsWithin(requested, maxBytes))
  const hasMore = found.length > given.length
  return {
    rows: await mapInSlices(given, toRecord, scope.signal),
    hasMore,
    whole: hasMore || after !== undefined ? null : { rows: given, filter }
  }
}

/** Returns every part of a search from one snapshot; parts that were not requested are not computed. */
export async function searchRecords<Row>(
  scope: Scope,
  kind: SearchedKind<Row>,
  request: SearchRequest,
  cells: SearchCells
): Promise<SearchResult<Row>> {
  const narrowing = new NarrowedByIds(scope)
  const near = await narrowing.scopeOf(request.filter)
  const { whole = null, ...page } = request.rows ? await readPage(near, kind, request, request.rows) : {}
  const total = request.total ? await totalOf(near, kind.fields, request.filter, whole) : undefined
  const buckets = request.histogram && (await countBuckets(near, kind.fields, request.filter, request.histogram))
  const facets =
    request.facets && (await countFacets({ narrowing, fields: kind.fields, whole, cells: cells.facets }, request.facets))
  const { distributions: intervals } = request
  const distributions = intervals && (await countDistributions(near, kind.fields, request.filter, intervals))
  const spreads =
    request.spreads && (await measureSpreads({ narrowing, fields: kind.fields, cells: cells.spreads }, request.spreads))
  const warnings = buckets?.isCut ? [histogramCut(MAX_HISTOGRAM_SERIES)] : []
  return {
    ...page,
    ...(total && { total }),
    ...(buckets && { histogram: buckets.series }),
    ...(facets && { facets }),
    ...(distributions && { distributions }),
    ...(spreads && { spreads }),
    complete: warnings.length === 0,
    warnings
  }
}
