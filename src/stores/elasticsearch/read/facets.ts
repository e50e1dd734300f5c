import type { FacetResult, FacetValue } from '../../../domain/search.js'
import {
  facetAggregation,
  facetCounts,
  MAX_COUNTED_VALUES,
  type FacetCounts,
  type FacetPlan,
  type ValueCount
} from './facet-counts.js'
import { lastSeen } from './last-seen.js'
import type { Asking } from './pages.js'
import { ALL, every, none, type Query } from './query.js'
import type { AggregationResult, Aggregations } from './search-engine.js'
import { anyTerm } from './term-condition.js'

/** Facets, and what could not be counted exactly. */
export interface FacetAnswers {
  readonly facets: readonly FacetResult[]
  readonly warnings: readonly string[]
}

/** Terms of every shard when the usual number was too few to be exact. */
const ALL_TERMS = 50_000

async function ask(
  { engine, scope, signal }: Asking,
  query: Query,
  aggs: Aggregations
): Promise<Readonly<Record<string, AggregationResult>>> {
  const body = { query: scope.confine(query), size: 0, track_total_hits: false, aggs }
  return (await engine.search(scope.target.indices, body, signal)).aggregations!
}

/** Counts again with so many terms of each shard that none is missed. */
async function countWide(asking: Asking, plan: FacetPlan): Promise<FacetCounts> {
  const found = await ask(asking, ALL, { facet: facetAggregation({ ...plan, rest: plan.query }, ALL_TERMS) })
  return facetCounts(plan, found['facet'])
}

/** Records none of whose many values is listed. */
async function countUnlisted(asking: Asking, { group, query }: FacetPlan, listed: readonly ValueCount[]): Promise<number> {
  const terms = anyTerm(
    group.field,
    listed.flatMap(({ value }) => group.termsOf(value))
  )
  const unlisted: Query = every([query, group.present, none(terms)])
  return (await ask(asking, unlisted, { unlisted: { filter: ALL } }))['unlisted']!.doc_count!
}

interface Listed {
  readonly values: readonly ValueCount[]
  readonly other: number
  readonly distinct: FacetResult['distinct']
}

async function listValues(asking: Asking, plan: FacetPlan, counts: FacetCounts): Promise<Listed> {
  const { limit, prefix } = plan.request
  const values = counts.values.slice(0, limit)
  const isWhole = values.length === counts.values.length && !counts.isCut
  const isAtLeast = counts.isCut || counts.values.length > MAX_COUNTED_VALUES
  const distinct = { value: Math.min(counts.values.length, MAX_COUNTED_VALUES), relation: isAtLeast ? 'gte' : 'eq' } as const
  if (isWhole && !prefix) return { values, distinct, other: 0 }
  const sum = values.reduce((total, { count }) => total + count, 0)
  const other = counts.isSimple ? counts.present - sum : await countUnlisted(asking, plan, values)
  return { values, distinct, other }
}

/** Facets out of the results of `facetAggregation`, in the order of the plans. */
export async function readFacets(
  asking: Asking,
  plans: readonly FacetPlan[],
  results: readonly (AggregationResult | undefined)[]
): Promise<FacetAnswers> {
  const warnings: string[] = []
  const counted = plans.map(async (plan, i) => {
    let counts = facetCounts(plan, results[i])
    if (counts.mayMiss) counts = await countWide(asking, plan)
    if (counts.mayMiss) warnings.push(`the values of ${plan.request.field.name} are too many to be counted exactly`)
    return { plan, counts, listed: await listValues(asking, plan, counts) }
  })
  const facets = await Promise.all(counted)
  const wanted = facets.filter(({ plan }) => plan.request.lastSeen)
  const groups = wanted.map(({ plan, listed }) => ({ group: plan.group, query: plan.query, sightings: listed.values }))
  const seen = await lastSeen(asking, groups)
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
