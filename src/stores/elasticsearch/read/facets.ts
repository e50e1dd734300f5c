import { listsAll } from '../../../domain/facet-values.js'
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

/** A facet that is counted, and the values that it lists. */
interface Listed {
  readonly plan: FacetPlan
  readonly counts: CountedFacet
  readonly values: readonly ValueCount[]
}

function listed(plan: FacetPlan, counts: CountedFacet): Listed {
  return { plan, counts, values: counts.values.slice(0, plan.request.limit) }
}

function distinctOf({ isCut, values }: CountedFacet): FacetResult['distinct'] {
  const isAtLeast = isCut || values.length > MAX_COUNTED_VALUES
  return { value: Math.min(values.length, MAX_COUNTED_VALUES), relation: isAtLeast ? 'gte' : 'eq' }
}

function isWhole({ plan, counts, values }: Listed): boolean {
  return values.length === counts.values.length && !counts.isCut && listsAll(plan.request)
}

/** Whether sums of counts do not show how many records are in no listed value: a record counts in each of its values. */
function hasUnlisted(facet: Listed): boolean {
  return !isWhole(facet) && !facet.counts.isSimple
}

function unlistedQuery({ plan: { group, query }, values }: Listed): Query {
  const terms = values.flatMap(({ value }) => group.termsOf(value))
  return every([query, group.present, none(anyTerm(group.field, terms))])
}

/** Records none of whose values is listed, of all facets from one request. */
async function countOthers(context: SearchContext, facets: readonly Listed[]): Promise<readonly number[]> {
  const open = facets.filter(hasUnlisted)
  const aggs = Object.fromEntries(open.map((facet, i) => [`facet${i}`, { filter: unlistedQuery(facet) }]))
  const found = open.length === 0 ? {} : await search(context, ALL, aggs)
  return facets.map(facet => {
    const at = open.indexOf(facet)
    if (at >= 0) return found[`facet${at}`]!.doc_count!
    const { counts, values } = facet
    return isWhole(facet) ? 0 : counts.present - values.reduce((total, { count }) => total + count, 0)
  })
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
    return listed(plan, counts)
  })
  const facets = await Promise.all(counted)
  const others = await countOthers(context, facets)
  const requested = facets.filter(({ plan }) => plan.request.lastSeen)
  const groups = requested.map(({ plan, values }) => ({ group: plan.group, query: plan.query, sightings: values }))
  const seen = await lastSeen(context, groups)
  const toValue = ({ request, group }: FacetPlan, { value, count }: ValueCount): FacetValue =>
    request.lastSeen ? { value, count, lastSeenNs: seen.get(group)!.get(value)! } : { value, count }
  return {
    warnings,
    facets: facets.map(({ plan, counts, values }, i) => ({
      field: plan.request.field,
      values: values.map(value => toValue(plan, value)),
      distinct: distinctOf(counts),
      other: others[i]!,
      missing: counts.records - counts.present
    }))
  }
}
