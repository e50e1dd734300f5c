import { MATCH_ALL, type Filter } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Label } from '../../domain/metric-point.js'
import type { RetainedSignal } from '../../domain/namespace.js'
import { plainAlternatives } from '../../domain/regex.js'
import type { HistogramRequest, SearchRequest, SearchResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { LabelMatcher } from '../../ports/metric-store.js'
import type { SeriesBound } from './refusals.js'

/** Buckets of time whose records are counted. */
export type CountGrid = Omit<HistogramRequest, 'by'>

/** What is counted: records in the range, by bucket of the grid. */
export interface CountRequest {
  readonly range: TimeRange
  readonly grid: CountGrid
  /** Conditions on the metric's labels; what a store cannot decide is decided afterwards. */
  readonly matchers: readonly LabelMatcher[]
  /** More series than these are an error. */
  readonly most: SeriesBound
  /** Only the labels are used: counts may have any value. */
  readonly isListing?: boolean
}

/** The records of one combination of labels. */
export interface CountedSeries {
  /** Sorted by name, values not empty. */
  readonly labels: readonly Label[]
  /** One per bucket of the grid: numbers of records, or sums of what they measure. */
  readonly counts: readonly number[]
}

/** A metric that is counted out of another signal when it is requested. */
export interface VirtualMetric {
  readonly name: string
  readonly signal: RetainedSignal
  /** Names of its labels. */
  readonly labels: readonly string[]
  count(ns: NamespaceId, request: CountRequest, signal: AbortSignal): Promise<readonly CountedSeries[]>
  /** Whether there is anything to count: alike for all metrics of one signal. */
  hasAny(ns: NamespaceId, range: TimeRange, signal: AbortSignal): Promise<boolean>
}

type Search = (ns: NamespaceId, request: SearchRequest, signal: AbortSignal) => Promise<SearchResult<unknown>>

/** Whether a search finds any record at all. */
export function hasAnyRecord(search: Search): VirtualMetric['hasAny'] {
  return async (ns, range, signal) => {
    const { hasMore } = await search(ns, { range, filter: MATCH_ALL, rows: { limit: 0, order: 'desc' } }, signal)
    return hasMore === true
  }
}

/** A field of records that is a label. */
export type LabelFields = Readonly<Record<string, string>>

function known(name: string): { readonly in: 'known'; readonly name: string } {
  return { in: 'known', name }
}

/** The filter of conditions by which a label states that its field is absent. */
export function missing(field: string): Filter {
  return { kind: 'not', of: { kind: 'exists', field: known(field) } }
}

function filterOf({ op, value }: LabelMatcher, field: string): Filter | null {
  const isNegative = op === 'neq' || op === 'not_regex'
  const requested = op === 'eq' || op === 'neq' ? [value] : plainAlternatives(value)
  if (requested === null) return null
  const of: readonly Filter[] = requested.map(each =>
    each === '' ? missing(field) : { kind: 'eq', field: known(field), value: each }
  )
  const any: Filter = { kind: 'or', of }
  return isNegative ? { kind: 'not', of: any } : any
}

/** The part of the conditions that every store decides exactly: of a regex only one that is a plain list. */
export function pushedDown(matchers: readonly LabelMatcher[], fields: LabelFields): Filter {
  const of = matchers.flatMap(matcher => {
    const field = fields[matcher.name]
    if (field === undefined) return []
    return filterOf(matcher, field) ?? []
  })
  return { kind: 'and', of }
}
