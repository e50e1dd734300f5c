import type { Namespace } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import type { AnswerFacts, WindowBounds } from '../answer.js'
import { boundedCount } from '../bounds.js'
import type { FieldInfo } from '../log-fields.js'
import { MAX_FACET_VALUES } from '../log-facets.js'
import type { FacetAnswer } from '../log-query.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import { fieldName } from '../vocabulary.js'
import { SPAN_VOCABULARY } from './span-vocabulary.js'
import { type TraceConditionsAsked, traceQuestion } from './trace-conditions.js'
import type { TraceSearch } from './trace-search.js'

export interface SpanValuesQuery extends WindowBounds {
  readonly field: string
  readonly conditions: TraceConditionsAsked
  /** Only values that contain this text, letter case ignored. */
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

export interface SpanFieldsQuery extends WindowBounds {
  readonly conditions: TraceConditionsAsked
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

const KNOWN_FACETS = ['service', 'name', 'kind', 'status', 'host', 'scope_name', 'exception_type'] as const
const MAX_FIELDS = 1_000
const DEFAULT_FIELDS = 200
const DEFAULT_VALUES = 100
/** Newest spans that are looked through for names of fields. */
const SAMPLE_ROWS = 10_000
const SAMPLED = `names of fields were taken from the newest ${SAMPLE_ROWS} spans that match`

/** Which fields and values spans have: `traceFields` and `traceFieldValues` of GraphQL. */
export class TraceFields {
  readonly #traces: TraceStore
  readonly #search: TraceSearch
  readonly #clock: Clock

  constructor(deps: { readonly traces: TraceStore; readonly search: TraceSearch; readonly clock: Clock }) {
    this.#traces = deps.traces
    this.#search = deps.search
    this.#clock = deps.clock
  }

  /** Values of one field under all conditions, its own included; most frequent first. */
  async values(
    ns: Namespace,
    query: SpanValuesQuery,
    signal: AbortSignal
  ): Promise<AnswerFacts & { readonly facet: FacetAnswer }> {
    const { start, end, field, contains } = query
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_FACET_VALUES, otherwise: DEFAULT_VALUES })
    const containing = contains ? ([{ field, op: 'contains', value: contains }] as const) : []
    const conditions = { ...query.conditions, filters: [...(query.conditions.filters ?? []), ...containing] }
    const facets = [{ field, limit, excludeSelf: false }]
    const answer = await this.#search.search(ns, { start, end, conditions, rows: false, facets }, signal)
    return { ...factsOf(answer), facet: answer.facets[0]! }
  }

  /** Fields seen in the newest matching spans, most frequent first; the well-known ones before the others. */
  async fields(
    ns: Namespace,
    query: SpanFieldsQuery,
    signal: AbortSignal
  ): Promise<AnswerFacts & { readonly fields: readonly FieldInfo[] }> {
    const { start, end, conditions } = query
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_FIELDS, otherwise: DEFAULT_FIELDS })
    const facets = KNOWN_FACETS.map(field => ({ field, limit: 1, excludeSelf: false }))
    const [known, free] = await Promise.all([
      this.#search.search(ns, { start, end, conditions, rows: false, facets }, signal),
      this.#sampled(ns, query, signal)
    ])
    const fields: readonly FieldInfo[] = [
      ...known.facets.map(({ field, values, other, distinct }) => ({
        name: field,
        type: 'string' as const,
        count: values.reduce((sum, { count }) => sum + count, other),
        cardinality: distinct.value
      })),
      ...free.fields
    ]
    const wanted = query.contains?.toLowerCase() ?? ''
    const matching = fields.filter(field => field.count > 0 && field.name.toLowerCase().includes(wanted))
    return {
      ...factsOf(known),
      complete: known.complete && !free.sampled,
      warnings: free.sampled ? [...known.warnings, SAMPLED] : known.warnings,
      fields: matching.slice(0, limit)
    }
  }

  async #sampled(
    ns: Namespace,
    query: SpanFieldsQuery,
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldInfo[]; readonly sampled: boolean }> {
    const { range } = readWindow(query, { namespace: ns, signal: 'traces', nowNs: this.#clock.nowNs() }, HOUR_MS)
    const { filter } = traceQuestion(query.conditions)
    const request = { range, filter, limit: MAX_FIELDS, sampleRows: SAMPLE_ROWS }
    const { fields, sampled } = await this.#traces.fields(ns.id, request, signal)
    return { fields: fields.map(({ field, ...rest }) => ({ ...rest, name: fieldName(SPAN_VOCABULARY, field) })), sampled }
  }
}

function factsOf({ window, complete, warnings, tookMs }: AnswerFacts): AnswerFacts {
  return { window, complete, warnings, tookMs }
}
