import type { FieldCondition, LogConditions, OneOrMany } from '../../query/conditions.js'
import { parseFilters } from '../field-filters.js'

/** Conditions on logs in a JSON body. */
export interface LogConditionsBody {
  readonly namespace?: string
  readonly service?: OneOrMany
  readonly level?: OneOrMany
  readonly host?: OneOrMany
  readonly source?: OneOrMany
  readonly trace_id?: OneOrMany
  readonly span_id?: OneOrMany
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

export function conditionsOfBody(body: LogConditionsBody): LogConditions {
  const { service, level, host, source, trace_id: traceId, span_id: spanId, filters, query } = body
  return { service, level, host, source, traceId, spanId, filters, query }
}

export function conditionsOfQuery({ filters, ...rest }: LogValuesQuery): LogConditions {
  return { ...conditionsOfBody(rest), filters: parseFilters(filters) }
}
