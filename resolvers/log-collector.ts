import type { Namespace } from '../src/domain/namespace.js'
import type { ConditionCount } from '../src/query/condition-counts.js'
import type {
  FacetCounts,
  FacetQuery,
  HistogramCounts,
  HistogramQuery,
  LogSearchResult,
  LogQuery
} from '../src/query/log-query.js'
import type { FacetsResult } from '../src/query/log-fields.js'
import type { PatternListResult, PatternsQuery } from '../src/query/patterns/pattern-list.js'
import type { Context } from './context.js'
import { Distinct, FieldBatch } from './field-batch.js'

/** What the arguments of `patterns` decide. */
type PatternParts = Pick<PatternsQuery, 'limit' | 'compare'>

/** The parts of a `LogQuery` that selected fields decide. */
type LogParts = Pick<LogQuery, 'rows' | 'total' | 'histograms' | 'facets'>

interface LogSelection {
  rows: boolean
  total: boolean
  readonly histograms: Distinct<HistogramQuery>
  readonly facets: Distinct<FacetQuery>
}

function nothing(): LogSelection {
  return { rows: false, total: false, histograms: new Distinct(), facets: new Distinct() }
}

/** Source of a `LogConnection`: one query, which runs when the selection is known. */
export class LogCollector {
  readonly #batch: FieldBatch<LogSelection, LogSearchResult>
  readonly #conditions: () => Promise<readonly ConditionCount[]>
  readonly #suggestFacets: (limit: number) => Promise<FacetsResult>
  readonly #listPatterns: (parts: PatternParts) => Promise<PatternListResult>
  readonly #suggested = new Map<number, Promise<FacetsResult>>()
  readonly #patterns = new Map<string, Promise<PatternListResult>>()

  /** @param more is awaited next to the search, and completes its result */
  constructor(
    { use, signal }: Pick<Context, 'use' | 'signal'>,
    namespace: Namespace,
    query: LogQuery,
    more: (search: Promise<LogSearchResult>) => Promise<LogSearchResult> = async search => search
  ) {
    const search = async (parts: LogParts): Promise<LogSearchResult> =>
      more(use.logSearch.search(namespace, { ...query, ...parts }, signal))
    this.#conditions = async () => use.logSearch.conditions(namespace, query, signal)
    const { start, end, conditions } = query
    this.#suggestFacets = async limit => use.logFields.facets(namespace, { start, end, conditions, limit }, signal)
    this.#listPatterns = async parts => use.patternList.list(namespace, { start, end, conditions, ...parts }, signal)
    this.#batch = new FieldBatch(nothing, async ({ rows, total, histograms, facets }) =>
      search({ rows, total, histograms: histograms.values, facets: facets.values })
    )
  }

  async rows(): Promise<LogSearchResult> {
    return this.#batch.select(selection => (selection.rows = true))
  }

  async total(): Promise<LogSearchResult> {
    return this.#batch.select(selection => (selection.total = true))
  }

  /** Window, warnings and time of the result, with no part of its own. */
  async facts(): Promise<LogSearchResult> {
    return this.#batch.select(() => undefined)
  }

  /** Counts per condition of a search that found nothing. */
  async conditions(): Promise<readonly ConditionCount[]> {
    return this.#conditions()
  }

  /** Facets of the fields that suit the matching records, by searches of their own; fields with equal limits share them. */
  async suggestedFacets(limit: number): Promise<FacetsResult> {
    const suggested = this.#suggested.get(limit) ?? this.#suggestFacets(limit)
    this.#suggested.set(limit, suggested)
    return suggested
  }

  /** Patterns of the matching records, by searches of their own; fields with equal arguments share them. */
  async patterns(parts: PatternParts): Promise<PatternListResult> {
    const key = JSON.stringify([parts.limit, parts.compare?.start, parts.compare?.end])
    const known = this.#patterns.get(key)
    const list = known ?? this.#listPatterns(parts)
    if (known === undefined) this.#patterns.set(key, list)
    return list
  }

  async histogram(query: HistogramQuery): Promise<HistogramCounts> {
    let place = 0
    const { histograms } = await this.#batch.select(selection => (place = selection.histograms.place(query)))
    return histograms[place]!
  }

  async facets(queries: readonly FacetQuery[]): Promise<FacetCounts[]> {
    let places: number[] = []
    const { facets } = await this.#batch.select(selection => (places = queries.map(query => selection.facets.place(query))))
    return places.map(place => facets[place]!)
  }
}
