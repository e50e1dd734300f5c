import { GatewayError } from '../../../domain/errors.js'
import type { Filter } from '../../../domain/filter.js'
import type { DistributionRequest, DistributionResult } from '../../../domain/search.js'
import { compileFilter, type Searched } from './compile-filter.js'
import type { Query } from './query.js'
import type { AggregationResult } from './search-engine.js'
import { isExact } from './verdict.js'

/** A distribution to count, and the part of the filter that the search around it does not demand. */
export interface DistributionPlan {
  readonly request: DistributionRequest
  readonly intervals: readonly Query[]
  readonly rest: Query
}

function intervalFilters({ field, bounds }: DistributionRequest): readonly Filter[] {
  return Array.from({ length: bounds.length + 1 }, (_, i) => ({
    kind: 'range',
    field,
    ...(i > 0 && { gte: String(bounds[i - 1]) }),
    ...(i < bounds.length && { lt: String(bounds[i]) })
  }))
}

/** Each interval as a query. Throws `unsupported_by_store` for a field whose numbers the engine does not sort. */
export function distributionPlan(request: DistributionRequest, rest: Query, searched: Searched): DistributionPlan {
  const intervals = intervalFilters(request).map(filter => {
    const verdict = compileFilter(filter, searched)
    if (!isExact(verdict))
      throw new GatewayError('unsupported_by_store', `this store does not sort the numbers of ${request.field.name}`)
    return verdict.maybe
  })
  return { request, intervals, rest }
}

/** The aggregation of a distribution. */
export function distributionAggregation({ intervals, rest }: DistributionPlan): Readonly<Record<string, unknown>> {
  return { filter: rest, aggs: { intervals: { filters: { filters: intervals } } } }
}

/** Reads the result of `distributionAggregation`. */
export function readDistribution(
  { request: { field }, intervals }: DistributionPlan,
  result: AggregationResult = {}
): DistributionResult {
  const { buckets = [] } = (result as { readonly intervals?: AggregationResult }).intervals ?? {}
  return { field, counts: intervals.map((_, i) => buckets[i]?.doc_count ?? 0) }
}
