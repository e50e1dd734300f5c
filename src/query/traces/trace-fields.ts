import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { FieldCatalog } from '../field-catalog.js'
import { SPAN_VOCABULARY } from './span-vocabulary.js'
import { type TraceConditionsInput, traceRequest } from './trace-conditions.js'
import type { TraceSearch } from './trace-search.js'

/** Which fields and values spans have. */
export type TraceFields = FieldCatalog<TraceConditionsInput>

const KNOWN_FACETS = ['service', 'name', 'kind', 'status', 'host', 'scope_name', 'exception_type'] as const

/** The catalog under `traceFields` and `traceFieldValues` of GraphQL. */
export function traceFieldsOf(deps: {
  readonly traces: TraceStore
  readonly search: TraceSearch
  readonly clock: Clock
}): TraceFields {
  const { traces, search, clock } = deps
  const records = {
    ...({ name: 'spans', signal: 'traces', vocabulary: SPAN_VOCABULARY, knownFacets: KNOWN_FACETS } as const),
    filterOf: (conditions: TraceConditionsInput) => traceRequest(conditions).filter,
    fields: (...requested: Parameters<TraceStore['fields']>) => traces.fields(...requested),
    search: (...requested: Parameters<(typeof search)['search']>) => search.search(...requested)
  }
  return new FieldCatalog<TraceConditionsInput>(records, clock)
}
