import type { ParameterName } from '../../domain/records/field.js'
import type { LOG } from '../../domain/records/log.js'
import { type FieldCondition, LOG_PARAMETERS, type LogConditions, type OneOrMany } from '../../query/conditions.js'
import { parseFilters } from '../field-filters.js'

/** Conditions on logs in a JSON body; parameters by the names of their fields. */
export interface LogConditionsBody extends Readonly<Partial<Record<ParameterName<typeof LOG>, OneOrMany>>> {
  readonly namespace?: string
  readonly filters?: readonly FieldCondition[]
  readonly query?: string
}

/** Body of `POST /api/v1/logs/query`. */
export interface LogSearchBody extends LogConditionsBody {
  readonly start?: unknown
  readonly end?: unknown
  readonly order?: 'asc' | 'desc'
  readonly limit?: number
  readonly cursor?: string
  readonly total?: boolean
}

/** Body of the facets route. */
export interface FacetsBody extends LogConditionsBody {
  readonly start?: unknown
  readonly end?: unknown
  readonly fields?: readonly string[]
  readonly limit?: number
}

/** Query string of `GET /api/v1/logs/levels`, `/services` and `/hosts`. */
export interface LogValuesQuery extends Omit<LogConditionsBody, 'filters'> {
  readonly start?: string
  readonly end?: string
  readonly prefix?: string
  readonly limit?: number
  readonly filters?: string
}

/** Query string of the logs of traces. */
export interface TraceLogsQuerystring {
  readonly start?: string
  readonly end?: string
  readonly span_id?: string
  readonly limit?: number
  readonly cursor?: string
}

/** The conditions in the parameters of a body, by property of the record. */
export function conditionsOfBody(body: LogConditionsBody): LogConditions {
  const parameters = LOG_PARAMETERS.map(({ key, name }) => [key, body[name as ParameterName<typeof LOG>]])
  return { ...Object.fromEntries(parameters), filters: body.filters, query: body.query }
}

export function conditionsOfQuery({ filters, ...rest }: LogValuesQuery): LogConditions {
  return { ...conditionsOfBody(rest), filters: parseFilters(filters) }
}
