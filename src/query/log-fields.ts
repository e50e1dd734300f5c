import { facetNames } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { ResultFacts, WindowBounds } from './result.js'
import { chooseFacets, type FacetChoice } from './choose-facets.js'
import { type LogConditions, logFilter } from './conditions.js'
import { factsOf, FieldCatalog, type FieldsQuery, type FieldValuesQuery } from './field-catalog.js'
import { isBounded, selectedValues } from './log-facets.js'
import type { FacetCounts, FacetQuery, FieldSpread } from './log-query.js'
import type { LogSearch } from './log-search.js'
import { fieldOf, LOG_VOCABULARY } from './vocabulary.js'
import type { Warning } from '../domain/warning.js'

/** Records that decide on the automatic facets: as many as a search store returns at once. */
const CHOICE_ROWS = 5_000

/** Which facets of logs are requested. */
export interface FacetsQuery extends WindowBounds {
  readonly conditions: LogConditions
  /** Absent: chosen by the data. */
  readonly facets?: readonly FacetQuery[] | undefined
  /** Values per facet when `facets` is absent. */
  readonly limit?: number | undefined
}

/** Facets of logs, and those that were skipped. */
export interface FacetsResult extends ResultFacts {
  readonly facets: readonly FacetCounts[]
  /** Of fields with many numbers, when `facets` is absent. */
  readonly spreads: readonly FieldSpread[]
  /** Fields that were not counted, and why. */
  readonly skipped: readonly { readonly field: string; readonly reason: string }[]
}

/** Dependencies of `LogFields`. */
export interface LogFieldsDeps {
  readonly logs: LogStore
  readonly search: LogSearch
  readonly clock: Clock
}

/** Well-known fields that are worth a facet. */
const KNOWN_FACETS = facetNames(LOG)

/** Which fields and values logs have: `GET /api/v1/logs/levels`, `/services` and `/hosts`, facets, and `logFields`, `logFieldValues` of GraphQL. */
export class LogFields {
  readonly #search: LogSearch
  readonly #catalog: FieldCatalog<LogConditions>

  constructor({ logs, search, clock }: LogFieldsDeps) {
    this.#search = search
    const records = {
      ...({ name: 'logs', signal: 'logs', vocabulary: LOG_VOCABULARY, knownFacets: KNOWN_FACETS, filterOf: logFilter } as const),
      fields: (...requested: Parameters<LogStore['fields']>) => logs.fields(...requested),
      search: (...requested: Parameters<(typeof search)['search']>) => search.search(...requested)
    }
    this.#catalog = new FieldCatalog<LogConditions>(records, clock)
  }

  /** As `FieldCatalog.values`. */
  async values(ns: Namespace, query: FieldValuesQuery<LogConditions>, signal: AbortSignal) {
    return this.#catalog.values(ns, query, signal)
  }

  /** As `FieldCatalog.fields`. */
  async fields(ns: Namespace, query: FieldsQuery<LogConditions>, signal: AbortSignal) {
    return this.#catalog.fields(ns, query, signal)
  }

  /** Facets of named fields, or of those that the data suggests, with the spreads of its numbers. */
  async facets(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetsResult> {
    if (query.facets) return this.#counted(ns, query, { facets: query.facets, spreads: [], skipped: [], warnings: [] }, signal)
    return this.#counted(ns, query, await this.#suggested(ns, query, signal), signal)
  }

  async #counted(ns: Namespace, query: FacetsQuery, choice: Suggested, signal: AbortSignal): Promise<FacetsResult> {
    const { start, end, conditions } = query
    const { facets, spreads, skipped, warnings } = choice
    const result = await this.#search.search(ns, { start, end, conditions, rows: false, facets, spreads }, signal)
    const counted = { facets: result.facets, spreads: result.spreads, skipped }
    return { ...factsOf(result), warnings: [...result.warnings, ...warnings], ...counted }
  }

  async #suggested(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<Suggested> {
    const { fields, warnings } = await this.#catalog.sampled(ns, query, signal, CHOICE_ROWS)
    const filter = logFilter(query.conditions)
    const { facets, ...choice } = chooseFacets(KNOWN_FACETS, fields, {
      hasValues: name => selectedValues(filter, fieldOf(LOG_VOCABULARY, name)).size > 0,
      hasBounds: name => isBounded(filter, fieldOf(LOG_VOCABULARY, name))
    })
    return { ...choice, facets: facets.map(field => ({ field, limit: query.limit })), warnings }
  }
}

interface Suggested extends Pick<FacetChoice, 'spreads' | 'skipped'> {
  readonly facets: readonly FacetQuery[]
  readonly warnings: readonly Warning[]
}
