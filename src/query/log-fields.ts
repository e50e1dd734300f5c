import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { AnswerFacts, WindowBounds } from './answer.js'
import { boundedCount } from './bounds.js'
import { type LogConditions, logFilter } from './conditions.js'
import { chooseFacets } from './facet-choice.js'
import { MAX_FACET_VALUES } from './log-facets.js'
import { HOUR_MS, readWindow } from './read-window.js'
import { fieldName, LOG_VOCABULARY } from './vocabulary.js'
import type { FacetAnswer, FacetQuery } from './log-query.js'
import type { LogSearch } from './log-search.js'
import type { QuerySettings } from './settings.js'

export interface FieldValuesQuery extends WindowBounds {
  readonly field: string
  readonly conditions: LogConditions
  readonly prefix?: string | undefined
  /** Only values that contain this text, letter case ignored. */
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

export interface FieldValuesAnswer extends AnswerFacts {
  readonly facet: FacetAnswer
  readonly limit: number
}

export interface FieldsQuery extends WindowBounds {
  readonly conditions: LogConditions
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

export interface FieldInfo {
  /** The name to use in filters and facets. */
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean' | 'timestamp'
  readonly count: number
  readonly cardinality: number
}

export interface FieldsAnswer extends AnswerFacts {
  readonly fields: readonly FieldInfo[]
  readonly limit: number
}

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
  readonly settings: QuerySettings
}

/** Well-known fields that are worth a facet. */
const KNOWN_FACETS = ['level', 'service', 'host', 'source'] as const
const MAX_FIELDS = 1_000
const DEFAULT_FIELDS = 200
const DEFAULT_VALUES = 100
/** Newest logs that are looked through for names of fields. */
const SAMPLE_ROWS = 10_000

/** Which fields and values logs have: endpoints 6 to 8, facets, and `logFields`, `logFieldValues` of GraphQL. */
export class LogFields {
  readonly #deps: LogFieldsDeps

  constructor(deps: LogFieldsDeps) {
    this.#deps = deps
  }

  /** Values of one field under all conditions, its own included; most frequent first. */
  async values(ns: Namespace, query: FieldValuesQuery, signal: AbortSignal): Promise<FieldValuesAnswer> {
    const { field, prefix, contains } = query
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_FACET_VALUES, otherwise: DEFAULT_VALUES })
    const containing = contains ? ([{ field, op: 'contains', value: contains }] as const) : []
    const conditions = { ...query.conditions, filters: [...(query.conditions.filters ?? []), ...containing] }
    const facets = [{ field, limit, excludeSelf: false, prefix: prefix === '' ? undefined : prefix }]
    const { search } = this.#deps
    const answer = await search.search(ns, { start: query.start, end: query.end, conditions, rows: false, facets }, signal)
    return { ...factsOf(answer), facet: answer.facets[0]!, limit }
  }

  /** Fields seen in the newest matching logs, most frequent first; the well-known ones before the others. */
  async fields(ns: Namespace, query: FieldsQuery, signal: AbortSignal): Promise<FieldsAnswer> {
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_FIELDS, otherwise: DEFAULT_FIELDS })
    const facets = KNOWN_FACETS.map(field => ({ field, limit: 1, excludeSelf: false }))
    const [known, free] = await Promise.all([
      this.#deps.search.search(ns, { ...query, limit: undefined, rows: false, total: true, facets }, signal),
      this.#sampled(ns, query, signal)
    ])
    const total = known.total?.value ?? 0
    const fields: readonly FieldInfo[] = [
      ...known.facets.map(facet => ({
        name: facet.field,
        type: 'string' as const,
        count: total - facet.missing,
        cardinality: facet.distinct.value
      })),
      ...free.fields
    ]
    const wanted = query.contains?.toLowerCase() ?? ''
    const matching = fields.filter(field => field.count > 0 && field.name.toLowerCase().includes(wanted))
    return {
      ...factsOf(known),
      complete: known.complete && !free.sampled,
      warnings: free.sampled ? [...known.warnings, SAMPLED] : known.warnings,
      fields: matching.slice(0, limit),
      limit
    }
  }

  /** Facets of named fields, or of those that the data suggests. */
  async facets(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetsAnswer> {
    const chosen = query.facets ? { facets: query.facets, skipped: [], warnings: [] } : await this.#suggested(ns, query, signal)
    const { start, end, conditions } = query
    const asked = { start, end, conditions, rows: false, facets: chosen.facets }
    const answer = await this.#deps.search.search(ns, asked, signal)
    const { skipped } = chosen
    return { ...factsOf(answer), warnings: [...answer.warnings, ...chosen.warnings], facets: answer.facets, skipped }
  }

  async #suggested(ns: Namespace, query: FacetsQuery, signal: AbortSignal): Promise<FacetChoice> {
    const { fields, sampled } = await this.#sampled(ns, query, signal)
    const choice = chooseFacets(KNOWN_FACETS, fields)
    const facets = choice.chosen.map(field => ({ field, limit: query.limit }))
    return { facets, skipped: choice.skipped, warnings: sampled ? [SAMPLED] : [] }
  }

  async #sampled(
    ns: Namespace,
    query: WindowBounds & { readonly conditions: LogConditions },
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldInfo[]; readonly sampled: boolean }> {
    const { logs, clock } = this.#deps
    const { range } = readWindow(query, { namespace: ns, signal: 'logs', nowNs: clock.nowNs() }, HOUR_MS)
    const request = { range, filter: logFilter(query.conditions), limit: MAX_FIELDS, sampleRows: SAMPLE_ROWS }
    const { fields, sampled } = await logs.fields(ns.id, request, signal)
    return { fields: fields.map(({ field, ...rest }) => ({ ...rest, name: fieldName(LOG_VOCABULARY, field) })), sampled }
  }
}

interface FacetChoice {
  readonly facets: readonly FacetQuery[]
  readonly skipped: FacetsAnswer['skipped']
  readonly warnings: readonly string[]
}

const SAMPLED = `names of fields were taken from the newest ${SAMPLE_ROWS} logs that match`

function factsOf({ window, complete, warnings, tookMs }: AnswerFacts): AnswerFacts {
  return { window, complete, warnings, tookMs }
}
