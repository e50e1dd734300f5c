import { listedBy, listsAll } from '../../../domain/facet-values.js'
import type { FacetRequest } from '../../../domain/search.js'
import { compareStrings } from '../../../domain/string-order.js'
import { termsAggregation, type GroupTerms } from './group-terms.js'
import type { Query } from './query.js'
import type { AggregationResult, AggregationBucket } from './search-engine.js'

/** A facet to count: its field's terms and its own filter. */
export interface FacetPlan {
  readonly request: FacetRequest
  readonly group: GroupTerms
  /** Its filter; what of it the search around it does not demand already. */
  readonly query: Query
  readonly rest: Query
}

/** One value: records that have it, and the newest of them to the millisecond when it was requested (else 0). */
export interface ValueCount {
  readonly value: string
  readonly count: number
  readonly lastMs: number
}

/** A facet as counted in one pass. */
export interface CountedFacet {
  readonly values: readonly ValueCount[]
  /** Records that match the facet's filter; those of them with the field. */
  readonly records: number
  readonly present: number
  /** Not all values are in `values`. */
  readonly isCut: boolean
  /** Every record has one value, all values counted: sums of counts are counts of records. */
  readonly isSimple: boolean
  /** Counts of one shard may be missing. */
  readonly mayMiss: boolean
}

/** The limit of counted values of a facet; more is returned as "at least". */
export const MAX_COUNTED_VALUES = 1_000

/** The aggregation of a facet; `shardSize`: terms that each shard contributes. */
export function facetAggregation({ group, rest, request }: FacetPlan, shardSize = 0): Readonly<Record<string, unknown>> {
  const size = Math.max(MAX_COUNTED_VALUES, request.limit) + 1
  const values = {
    terms: termsAggregation(group, size, Math.max(size, shardSize)),
    ...(request.lastSeen && { aggs: { last: { max: { field: '@timestamp' } } } })
  }
  const needsPresent = !group.isSingle || !listsAll(request)
  return { filter: rest, aggs: { values, ...(needsPresent && { present: { filter: group.present } }) } }
}

/** A value may have several terms, but each record has it under one. */
function mergeTerms({ group, request }: FacetPlan, buckets: readonly AggregationBucket[]): ValueCount[] {
  const merged = new Map<string, ValueCount>()
  const isListed = listedBy(request)
  for (const bucket of buckets) {
    const value = group.valueOf(String(bucket.key))
    if (!isListed(value)) continue
    const before = merged.get(value) ?? { value, count: 0, lastMs: 0 }
    const lastMs = Math.max(before.lastMs, (bucket['last'] as AggregationResult | undefined)?.value ?? 0)
    merged.set(value, { value, count: before.count + bucket.doc_count!, lastMs })
  }
  return [...merged.values()]
}

/** Reads the result of `facetAggregation`. */
export function facetCounts(plan: FacetPlan, result: AggregationResult = {}): CountedFacet {
  const { values, present: having } = result as { values?: AggregationResult; present?: AggregationResult }
  const buckets = values?.buckets ?? []
  const hidden = values?.sum_other_doc_count ?? 0
  const occurrences = buckets.reduce((sum, bucket) => sum + bucket.doc_count!, hidden)
  const present = having?.doc_count ?? occurrences
  return {
    values: mergeTerms(plan, buckets).sort((a, b) => b.count - a.count || compareStrings(a.value, b.value)),
    records: result.doc_count ?? 0,
    present,
    isCut: hidden > 0,
    isSimple: plan.group.isSingle || (listsAll(plan.request) && occurrences === present),
    mayMiss: (values?.doc_count_error_upper_bound ?? 0) > 0
  }
}
