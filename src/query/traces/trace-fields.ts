import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { FieldCatalogue } from '../field-catalogue.js'
import { SPAN_VOCABULARY } from './span-vocabulary.js'
import { type TraceConditionsAsked, traceQuestion } from './trace-conditions.js'
import type { TraceSearch } from './trace-search.js'

/** Which fields and values spans have. */
export type TraceFields = FieldCatalogue<TraceConditionsAsked>

const KNOWN_FACETS = ['service', 'name', 'kind', 'status', 'host', 'scope_name', 'exception_type'] as const

/** The catalogue under `traceFields` and `traceFieldValues` of GraphQL. */
export function traceFieldsOf(deps: {
  readonly traces: TraceStore
  readonly search: TraceSearch
  readonly clock: Clock
}): TraceFields {
  const { traces, search, clock } = deps
  const records = {
    ...({ name: 'spans', signal: 'traces', vocabulary: SPAN_VOCABULARY, knownFacets: KNOWN_FACETS } as const),
    filterOf: (conditions: TraceConditionsAsked) => traceQuestion(conditions).filter,
    fields: (...asked: Parameters<TraceStore['fields']>) => traces.fields(...asked),
    search: (...asked: Parameters<(typeof search)['search']>) => search.search(...asked)
  }
  return new FieldCatalogue<TraceConditionsAsked>(records, clock)
}
