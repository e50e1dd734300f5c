import { allOf, type Field, type Filter } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { DistributionResult, FacetRequest, FacetResult, SearchRequest, SearchResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Warning } from '../../domain/warning.js'
import type { ComparedField } from './compared-fields.js'

/** The rows of one side of a comparison. */
export interface SideScope {
  readonly ns: NamespaceId
  readonly range: TimeRange
  readonly filter: Filter
}

/** A field whose values are counted, and how many of them at most. */
export interface CountedField {
  readonly field: Field
  readonly limit: number
}

/** What is counted of both sides. */
export interface CountedFields {
  readonly categories: readonly CountedField[]
  readonly measures: readonly ComparedField[]
}

/** Counts of one side, in the order of the fields. */
export interface SideCounts {
  readonly rows: number
  readonly facets: readonly FacetResult[]
  readonly distributions: readonly DistributionResult[]
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

type Search = (ns: NamespaceId, request: SearchRequest, signal: AbortSignal) => Promise<SearchResult<unknown>>

/** Counts the rows of one side, one request to the store. */
export async function countSide(
  search: Search,
  { ns, range, filter }: SideScope,
  { categories, measures }: CountedFields,
  signal: AbortSignal
): Promise<SideCounts> {
  const facets = categories.map(({ field, limit }): FacetRequest => ({ field, filter, limit }))
  const distributions = measures.map(({ field, bounds = [] }) => ({ field, bounds }))
  const found = await search(ns, { range, filter, total: true, facets, distributions }, signal)
  return {
    rows: found.total!.value,
    facets: found.facets!,
    distributions: found.distributions!,
    complete: found.complete,
    warnings: found.warnings
  }
}

/** Rows with a value; null where it was not counted. */
export type ValueCounts = (value: string) => number | null

function countsOf(facet: FacetResult): ValueCounts {
  const counts = new Map(facet.values.map(({ value, count }) => [value, count]))
  const isWhole = facet.distinct.relation === 'eq' && facet.distinct.value === counts.size
  return value => counts.get(value) ?? (isWhole ? 0 : null)
}

/**
 * Exact counts of the values that either side lists, in the order of the fields. What one side lists and the other does not is
 * counted by a second request where the list of the other side was cut.
 */
export async function valueCounts(
  search: Search,
  scope: SideScope,
  { own, other }: { readonly own: SideCounts; readonly other: SideCounts },
  signal: AbortSignal
): Promise<readonly ValueCounts[]> {
  const known = own.facets.map(countsOf)
  const missing = own.facets.flatMap((facet, at) => {
    const values = other.facets[at]!.values.map(({ value }) => value).filter(value => known[at]!(value) === null)
    if (values.length === 0) return []
    const filter = allOf([scope.filter, { kind: 'in', field: facet.field, values }])
    // A row of many values may have others, too, which come first where they are frequent.
    return [{ at, request: { field: facet.field, filter, limit: values.length + facet.values.length } }]
  })
  if (missing.length === 0) return known
  const facets = missing.map(({ request }) => request)
  const found = await search(scope.ns, { range: scope.range, filter: scope.filter, facets }, signal)
  const counted = new Map(missing.map(({ at }, i) => [at, countsOf(found.facets![i]!)]))
  return known.map((counts, at) => value => counts(value) ?? counted.get(at)?.(value) ?? null)
}
