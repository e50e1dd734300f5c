import type { ParameterName } from '../../domain/records/field.js'
import type { LOG } from '../../domain/records/log.js'
import { LOG_PARAMETERS, type LogConditions } from '../../query/conditions.js'
import { parseFilters } from '../field-filters.js'
import type { Static } from '../json-schema.js'
import type { FIELD_VALUES, SEARCH_LOGS } from './logs-query-schemas.js'

/** Query string of `GET /api/v1/logs/levels`, `/services` and `/hosts`. */
export type LogValuesQuery = Static<typeof FIELD_VALUES.querystring>

/** Conditions on logs in a JSON body; parameters by the names of their fields. */
type LogConditionsBody = Pick<NonNullable<Static<typeof SEARCH_LOGS.body>>, ParameterName<typeof LOG> | 'filters' | 'query'>

/** The conditions in the parameters of a body, by property of the record. */
export function conditionsOfBody(body: LogConditionsBody): LogConditions {
  const parameters = LOG_PARAMETERS.map(({ key, name }) => [key, body[name as ParameterName<typeof LOG>]])
  return { ...Object.fromEntries(parameters), filters: body.filters, query: body.query }
}

/** The same of a query string. */
export function conditionsOfQuery({ filters, ...rest }: LogValuesQuery): LogConditions {
  return { ...conditionsOfBody(rest), filters: parseFilters(filters) }
}
