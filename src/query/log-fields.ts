import { facetNames } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { ResultFacts, WindowBounds } from './result.js'
import { type LogConditions, logFilter } from './conditions.js'
import { factsOf, FieldCatalog, type FieldsQuery, type FieldValuesQuery } from './field-catalog.js'
import { selectedValues } from './log-facets.js'
import type { FacetCounts, FacetQuery } from './log-query.js'
import type { LogSearch } from './log-search.js'
import { fieldOf, LOG_VOCABULARY } from './vocabulary.js'
import type { Warning } from '../domain/warning.js'

/** A field of the data that could have a facet. */
interface Candidate {
  readonly name: string
  /** Rows that carry it, among those looked at. */
  readonly count: number
  readonly cardinality: number
  readonly longest: number
  readonly examples: readonly string[]
}

/** The limit of facets in one automatic response, including the well-known ones. */
const MAX_CHOSEN = 12
/** A facet with more values is a list to search, not a choice. */
const MAX_CARDINALITY = 100
/** A facet of longer values is hard to read. */
const MAX_VALUE_CHARS = 256
/** Below this many rows per value a field is an id or a free text. */
const MIN_ROWS_PER_VALUE = 2

function reasonAgainst({ count, cardinality, longest, examples }: Candidate): string | null {
  if (longest > MAX_VALUE_CHARS) return `values of up to ${longest} characters`
  if (cardinality > MAX_CARDINALITY) return `about ${cardinality} different values`
  if (cardinality === 1 && count > 1) return `always ${JSON.stringify(examples[0])}`
  if (cardinality > 1 && count < cardinality * MIN_ROWS_PER_VALUE) return 'nearly every log has a different value'
  return null
}

/** Which fields get a facet by default; `candidates` come most frequent first. Those that the filter names always do. */
function chooseFacets(
  known: readonly string[],
  candidates: readonly Candidate[],
  isNamed: (name: string) => boolean
): { readonly chosen: readonly string[]; readonly skipped: readonly { readonly field: string; readonly reason: string }[] } {
  const chosen = [...known]
  const skipped: { field: string; reason: string }[] = []
  for (const candidate of candidates) {
    const against = isNamed(candidate.name) ? null : reasonAgainst(candidate)
    const reason = against ?? (chosen.length >= MAX_CHOSEN ? `at most ${MAX_CHOSEN} facets are selected automatically` : null)
    if (reason === null) chosen.push(candidate.name)
    else skipped.push({ field: candidate.name, reason })
  }
  return { chosen, skipped }
}

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

  /** Facets of named fields, or of those that the data suggests. */
  async facets(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetsResult> {
    const chosen = query.facets ? { facets: query.facets, skipped: [], warnings: [] } : await this.#suggested(ns, query, signal)
    const { start, end, conditions } = query
    const requested = { start, end, conditions, rows: false, facets: chosen.facets }
    const result = await this.#search.search(ns, requested, signal)
    const { skipped } = chosen
    return { ...factsOf(result), warnings: [...result.warnings, ...chosen.warnings], facets: result.facets, skipped }
  }

  async #suggested(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetChoice> {
    const { fields, warnings } = await this.#catalog.sampled(ns, query, signal)
    const filter = logFilter(query.conditions)
    const isNamed = (name: string) => selectedValues(filter, fieldOf(LOG_VOCABULARY, name)).size > 0
    const choice = chooseFacets(KNOWN_FACETS, fields, isNamed)
    return { facets: choice.chosen.map(field => ({ field, limit: query.limit })), skipped: choice.skipped, warnings }
  }
}

interface FacetChoice {
  readonly facets: readonly FacetQuery[]
  readonly skipped: FacetsResult['skipped']
  readonly warnings: readonly Warning[]
}
