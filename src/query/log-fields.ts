import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { AnswerFacts, WindowBounds } from './answer.js'
import { type LogConditions, logFilter } from './conditions.js'
import { chooseFacets } from './facet-choice.js'
import { factsOf, FieldCatalogue, type FieldsQuery, type FieldValuesQuery } from './field-catalogue.js'
import type { FacetAnswer, FacetQuery } from './log-query.js'
import type { LogSearch } from './log-search.js'
import { LOG_VOCABULARY } from './vocabulary.js'

export interface FacetsQuery extends WindowBounds {
  readonly conditions: LogConditions
  /** Absent: chosen by the data. */
  readonly facets?: readonly FacetQuery[] | undefined
  /** Values per facet when `facets` is absent. */
  readonly limit?: number | undefined
}

export interface FacetsAnswer extends AnswerFacts {
  readonly facets: readonly FacetAnswer[]
  /** Fields that were not counted, and why. */
  readonly skipped: readonly { readonly field: string; readonly reason: string }[]
}

export interface LogFieldsDeps {
  readonly logs: LogStore
  readonly search: LogSearch
  readonly clock: Clock
}

/** Well-known fields that are worth a facet. */
const KNOWN_FACETS = ['level', 'service', 'host', 'source'] as const

/** Which fields and values logs have: `GET /api/v1/logs/levels`, `/services` and `/hosts`, facets, and `logFields`, `logFieldValues` of GraphQL. */
export class LogFields {
  readonly #search: LogSearch
  readonly #catalogue: FieldCatalogue<LogConditions>

  constructor({ logs, search, clock }: LogFieldsDeps) {
    this.#search = search
    const records = {
      ...({ name: 'logs', signal: 'logs', vocabulary: LOG_VOCABULARY, knownFacets: KNOWN_FACETS, filterOf: logFilter } as const),
      fields: (...asked: Parameters<LogStore['fields']>) => logs.fields(...asked),
      search: (...asked: Parameters<(typeof search)['search']>) => search.search(...asked)
    }
    this.#catalogue = new FieldCatalogue<LogConditions>(records, clock)
  }

  /** As `FieldCatalogue.values`. */
  async values(ns: Namespace, query: FieldValuesQuery<LogConditions>, signal: AbortSignal) {
    return this.#catalogue.values(ns, query, signal)
  }

  /** As `FieldCatalogue.fields`. */
  async fields(ns: Namespace, query: FieldsQuery<LogConditions>, signal: AbortSignal) {
    return this.#catalogue.fields(ns, query, signal)
  }

  /** Facets of named fields, or of those that the data suggests. */
  async facets(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetsAnswer> {
    const chosen = query.facets ? { facets: query.facets, skipped: [], warnings: [] } : await this.#suggested(ns, query, signal)
    const { start, end, conditions } = query
    const asked = { start, end, conditions, rows: false, facets: chosen.facets }
    const answer = await this.#search.search(ns, asked, signal)
    const { skipped } = chosen
    return { ...factsOf(answer), warnings: [...answer.warnings, ...chosen.warnings], facets: answer.facets, skipped }
  }

  async #suggested(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetChoice> {
    const { fields, warnings } = await this.#catalogue.sampled(ns, query, signal)
    const choice = chooseFacets(KNOWN_FACETS, fields)
    return { facets: choice.chosen.map(field => ({ field, limit: query.limit })), skipped: choice.skipped, warnings }
  }
}

interface FacetChoice {
  readonly facets: readonly FacetQuery[]
  readonly skipped: FacetsAnswer['skipped']
  readonly warnings: readonly string[]
}
