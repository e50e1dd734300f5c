import type { Filter } from '../../../domain/filter.js'
import type { FacetRequest, SearchRequest, SearchResult } from '../../../domain/search.js'
import { compileFilter } from './compile-filter.js'
import { decide, tooManyToVerify, MAX_VERIFIED, type JudgedFilter } from './decide.js'
import { distributionAggregation, distributionPlan, type DistributionPlan, readDistribution } from './distributions.js'
import { facetAggregation, type FacetPlan } from './facet-counts.js'
import { readFacets } from './facets.js'
import { groupTerms } from './group-terms.js'
import { histogramAggregation, readHistogram, type HistogramPlan } from './histogram.js'
import { type Fitting, ordering, readFitting, type SearchContext } from './pages.js'
import { ALL, factor, NONE, some, type Query } from './query.js'
import type { DocumentCodec } from '../document/record-kinds.js'
import { completePage, firstFetch, scanPage } from './rows.js'
import type { SearchBody, SearchResponse } from './search-engine.js'
import { readSpread, spreadPlan } from './spreads.js'
import { exactly, isExact, type Verdict } from './verdict.js'
import type { Cut } from '../../../domain/warning.js'

/** The request, each filter as a query: that of the search, those of its facets and spreads, and one that covers them all. */
interface Queries {
  readonly main: Query
  /** Of facets, then of spreads. */
  readonly own: readonly Query[]
  readonly around: Query
  /** Records on which the engine may not decide one of the filters. */
  readonly doubt: Query
}

interface Plan {
  readonly facets: readonly FacetPlan[]
  readonly histogram: HistogramPlan | null
  readonly distributions: readonly DistributionPlan[]
  readonly spreads: readonly DistributionPlan[]
  readonly rest: Query
}

const APPROXIMATE: Cut = {
  kind: 'sample',
  detail: 'substrings are searched approximately here: counts may be too high',
  remedy: 'Set the substring search of the namespace to EXACT; it applies to records that arrive later.'
}

function hasCounts(request: SearchRequest): boolean {
  return Boolean(
    request.total || request.histogram || request.facets?.length || request.distributions?.length || request.spreads?.length
  )
}

function planOf(
  { scope }: SearchContext,
  request: SearchRequest,
  { main, own, around }: Queries,
  kind: DocumentCodec<never, unknown>
): Plan {
  const searched = { kind: kind.kind, search: scope.target.search }
  const { rest } = factor([main, ...own, around])
  const toPlan = (facet: FacetRequest, i: number): FacetPlan => ({
    request: facet,
    group: groupTerms(facet.field, kind.kind, facet),
    query: own[i]!,
    rest: rest[i + 1]!
  })
  const { histogram: grid, facets = [], spreads = [] } = request
  const firstSpread = 1 + facets.length
  const group = grid?.by ? groupTerms(grid.by, kind.kind) : null
  return {
    facets: facets.map(toPlan),
    histogram: grid ? { grid, group, query: rest[0]! } : null,
    distributions: (request.distributions ?? []).map(each => distributionPlan(each, rest[0]!, searched)),
    spreads: spreads.map((spread, i) => spreadPlan(spread, rest[firstSpread + i]!, searched)),
    rest: rest[0]!
  }
}

function toBody(context: SearchContext, request: SearchRequest, queries: Queries, plan: Plan): Omit<SearchBody, 'size'> {
  const { rows, total = false } = request
  const aggs: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const [i, facet] of plan.facets.entries()) aggs[`facet${i}`] = facetAggregation(facet)
  if (plan.histogram) aggs['histogram'] = histogramAggregation(plan.histogram, context.scope)
  for (const [i, each] of plan.distributions.entries()) aggs[`distribution${i}`] = distributionAggregation(each)
  for (const [i, each] of plan.spreads.entries()) aggs[`spread${i}`] = distributionAggregation(each)
  if (queries.doubt !== NONE) aggs['doubt'] = { filter: queries.doubt }
  return {
    query: context.scope.confine(queries.around),
    track_total_hits: total,
    ...(plan.rest !== ALL && { post_filter: plan.rest }),
    ...(rows && ordering(rows.order, rows.after)),
    ...(Object.keys(aggs).length > 0 && { aggs })
  }
}

/** The first filter is the search's own, the others are those of its facets and spreads. */
function queriesOf(verdicts: readonly Verdict[]): Queries {
  const [main, ...own] = verdicts.map(verdict => verdict.sure)
  const doubt = some(verdicts.map(verdict => verdict.doubt))
  return { main: main!, own, around: factor(verdicts.map(verdict => verdict.maybe)).common, doubt }
}

/** One search: rows, total, histogram and facets as requested, all of one view. */
class Search<Row> {
  readonly #context: SearchContext
  readonly #kind: DocumentCodec<never, Row>
  readonly #request: SearchRequest

  constructor(context: SearchContext, kind: DocumentCodec<never, Row>, request: SearchRequest) {
    this.#context = context
    this.#kind = kind
    this.#request = request
  }

  async run(): Promise<SearchResult<Row>> {
    const { filter, facets = [], spreads = [], rows } = this.#request
    const main = this.#search(filter)
    const all = [main, ...[...facets, ...spreads].map(each => this.#search(each.filter))]
    if (rows && !hasCounts(this.#request) && !isExact(main.verdict)) {
      return { ...(await scanPage(this.#context, this.#kind, main, rows)), complete: true, warnings: [] }
    }
    const queries = queriesOf(all.map(({ verdict }) => verdict))
    const plan = planOf(this.#context, this.#request, queries, this.#kind)
    const response = await this.#send(queries, plan)
    const open = response.result.aggregations?.['doubt']?.doc_count ?? 0
    return open === 0 ? this.#read(queries, plan, response) : this.#decided(all)
  }

  #search(filter: Filter): JudgedFilter {
    const { search } = this.#context.scope.target
    return { filter, verdict: compileFilter(filter, { kind: this.#kind.kind, search }) }
  }

  #send(queries: Queries, plan: Plan): Promise<Fitting<SearchResponse>> {
    const { engine, scope, signal } = this.#context
    const { rows } = this.#request
    const body = toBody(this.#context, this.#request, queries, plan)
    return readFitting(rows ? firstFetch(rows) : 0, size => engine.search(scope.target.indices, { ...body, size }, signal))
  }

  /** The same query, once the records in doubt have been looked at. */
  async #decided(all: readonly JudgedFilter[]): Promise<SearchResult<Row>> {
    const exact = await decide(this.#context, this.#kind.kind, all)
    if (exact) return this.#resend(exact)
    if (this.#context.scope.target.search !== 'approximate') throw tooManyToVerify(MAX_VERIFIED)
    const { rows, ...counts } = this.#request
    const page = rows && (await scanPage(this.#context, this.#kind, all[0]!, rows))
    const counted = new Search(this.#context, this.#kind, counts)
    const found = await counted.#resend(all.map(({ verdict }) => verdict.maybe))
    return { ...found, ...page, complete: false, warnings: [...found.warnings, APPROXIMATE] }
  }

  async #resend(exact: readonly Query[]): Promise<SearchResult<Row>> {
    const queries = queriesOf(exact.map(exactly))
    const plan = planOf(this.#context, this.#request, queries, this.#kind)
    return this.#read(queries, plan, await this.#send(queries, plan))
  }

  async #read(queries: Queries, plan: Plan, { result, size }: Fitting<SearchResponse>): Promise<SearchResult<Row>> {
    const { hits, aggregations = {} } = result
    const { rows, total, facets } = this.#request
    const documents = hits.hits.map(hit => hit._source)
    const first = { documents, size, isLast: documents.length < size }
    const page = rows && (await completePage(this.#context, this.#kind, { query: queries.main, rows }, first))
    const histogram = plan.histogram && readHistogram(plan.histogram, aggregations['histogram'])
    const counted = plan.facets.map((_, i) => aggregations[`facet${i}`])
    const listed = facets && (await readFacets(this.#context, plan.facets, counted))
    const distributions = plan.distributions.map((each, i) => readDistribution(each, aggregations[`distribution${i}`]))
    const spreads = plan.spreads.map((each, i) => readSpread(each, aggregations[`spread${i}`]))
    const warnings = [...(histogram?.warnings ?? []), ...(listed?.warnings ?? [])]
    return {
      ...page,
      ...(total && { total: { value: hits.total!.value, relation: 'eq' } as const }),
      ...(histogram && { histogram: histogram.series }),
      ...(listed && { facets: listed.facets }),
      ...(this.#request.distributions && { distributions }),
      ...(this.#request.spreads && { spreads }),
      complete: warnings.length === 0,
      warnings
    }
  }
}

/** Returns every part of a search from one request; parts that were not requested are not computed. */
export function searchRecords<Row>(
  context: SearchContext,
  kind: DocumentCodec<never, Row>,
  request: SearchRequest
): Promise<SearchResult<Row>> {
  return new Search(context, kind, request).run()
}
