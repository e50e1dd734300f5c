import { LogFieldNamesDocument, type LogFieldNamesQuery } from '../api/generated/LogFieldNames.js'
import { LogFieldValuesDocument, type LogFieldValuesQuery } from '../api/generated/LogFieldValues.js'
import type { FieldSource } from '../query/use-suggestions.js'

/** Fields of logs and their values. */
export const LOG_FIELDS: FieldSource<LogFieldNamesQuery, LogFieldValuesQuery> = {
  names: LogFieldNamesDocument,
  values: LogFieldValuesDocument,
  namesOf: ({ logFields }) => logFields,
  valuesOf: ({ logFieldValues }) => logFieldValues
}
