import type { FacetResult, FacetValue } from '../../../domain/search.js'
import {
  facetAggregation,
  facetCounts,
  MAX_COUNTED_VALUES,
  type CountedFacet,
  type FacetPlan,
  type ValueCount
} from './facet-counts.js'
import { lastSeen } from './last-seen.js'
import type { SearchContext } from './pages.js'
import { ALL, every, none, type Query } from './query.js'
import type { AggregationResult, Aggregations } from './search-engine.js'
import { anyTerm } from './term-condition.js'
import type { Warning } from '../../../domain/warning.js'

/** Facets, and what could not be counted exactly. */
export interface FacetResponses {
  readonly facets: readonly FacetResult[]
  readonly warnings: readonly Warning[]
}

/** Terms of every shard when the usual number was too few to be exact. */
const ALL_TERMS = 50_000

async function search(
  { engine, scope, signal }: SearchContext,
  query: Query,
  aggs: Aggregations
): Promise<Readonly<Record<string, AggregationResult>>> {
  const body = { query: scope.confine(query), size: 0, track_total_hits: false, aggs }
  return (await engine.search(scope.target.indices, body, signal)).aggregations!
}

/** Counts again with so many terms of each shard that none is missed. */
async function countWide(context: SearchContext, plan: FacetPlan): Promise<CountedFacet> {
  const found = await search(context, ALL, { facet: facetAggregation({ ...plan, rest: plan.query }, ALL_TERMS) })
  return facetCounts(plan, found['facet'])
}

/** Records none of whose many values is listed. */
async function countUnlisted(
  context: SearchContext,
  { group, query }: FacetPlan,
  listed: readonly ValueCount[]
): Promise<number> {
  const terms = anyTerm(
    group.field,
    listed.flatMap(({ value }) => group.termsOf(value))
  )
  const unlisted: Query = every([query, group.present, none(terms)])
  return (await search(context, unlisted, { unlisted: { filter: ALL } }))['unlisted']!.doc_count!
}

interface Listed {
  readonly values: readonly ValueCount[]
  readonly other: number
  readonly distinct: FacetResult['distinct']
}

async function listValues(context: SearchContext, plan: FacetPlan, counts: CountedFacet): Promise<Listed> {
  const { limit, prefix } = plan.request
  const values = counts.values.slice(0, limit)
  const isWhole = values.length === counts.values.length && !counts.isCut
  const isAtLeast = counts.isCut || counts.values.length > MAX_COUNTED_VALUES
  const distinct = { value: Math.min(counts.values.length, MAX_COUNTED_VALUES), relation: isAtLeast ? 'gte' : 'eq' } as const
  if (isWhole && !prefix) return { values, distinct, other: 0 }
  const sum = values.reduce((total, { count }) => total + count, 0)
  const other = counts.isSimple ? counts.present - sum : await countUnlisted(context, plan, values)
  return { values, distinct, other }
}

/** Facets out of the results of `facetAggregation`, in the order of the plans. */
export async function readFacets(
  context: SearchContext,
  plans: readonly FacetPlan[],
  results: readonly (AggregationResult | undefined)[]
): Promise<FacetResponses> {
  const warnings: string[] = []
  const counted = plans.map(async (plan, i) => {
    let counts = facetCounts(plan, results[i])
    if (counts.mayMiss) counts = await countWide(context, plan)
    if (counts.mayMiss) warnings.push(`the values of ${plan.request.field.name} are too many to count exactly`)
    return { plan, counts, listed: await listValues(context, plan, counts) }
  })
  const facets = await Promise.all(counted)
  const requested = facets.filter(({ plan }) => plan.request.lastSeen)
  const groups = requested.map(({ plan, listed }) => ({ group: plan.group, query: plan.query, sightings: listed.values }))
  const seen = await lastSeen(context, groups)
  const toValue = ({ request, group }: FacetPlan, { value, count }: ValueCount): FacetValue =>
    request.lastSeen ? { value, count, lastSeenNs: seen.get(group)!.get(value)! } : { value, count }
  return {
    warnings,
    facets: facets.map(({ plan, counts, listed: { values, distinct, other } }) => ({
      field: plan.request.field,
      values: values.map(value => toValue(plan, value)),
      distinct,
      other,
      missing: counts.records - counts.present
    }))
  }
}
