import { TraceFieldNamesDocument, type TraceFieldNamesQuery } from '../api/generated/TraceFieldNames.js'
import { TraceFieldValuesDocument, type TraceFieldValuesQuery } from '../api/generated/TraceFieldValues.js'
import type { FieldSource } from '../query/use-suggestions.js'

/** Fields of spans and their values. */
export const TRACE_FIELDS: FieldSource<TraceFieldNamesQuery, TraceFieldValuesQuery> = {
  names: TraceFieldNamesDocument,
  values: TraceFieldValuesDocument,
  namesOf: ({ traceFields }) => traceFields,
  valuesOf: ({ traceFieldValues }) => traceFieldValues
}
