import { allOf, EVERYTHING, type Filter } from '../domain/filter.js'

export const CONDITION_OPS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'prefix',
  'regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'not_exists'
] as const
export type ConditionOp = (typeof CONDITION_OPS)[number]

/** One condition as it was sent: `filters` of REST, `where` of GraphQL. `value` is checked here, not by the caller. */
export interface FieldCondition {
  readonly field: string
  readonly op: ConditionOp
  readonly value?: unknown
}

/** One text or many of which any may hold. */
export type OneOrMany = string | readonly string[]

/** Conditions on logs, all of which must hold. An empty list is no condition. */
export interface LogConditions {
  readonly service?: OneOrMany | undefined
  /** Any spelling that `domain/severity` knows. */
  readonly level?: OneOrMany | undefined
  /** Also, or only, logs whose level is none of the six known ones. */
  readonly unknownLevel?: boolean | undefined
  readonly host?: OneOrMany | undefined
  readonly source?: OneOrMany | undefined
  readonly traceId?: OneOrMany | undefined
  readonly spanId?: OneOrMany | undefined
  readonly filters?: readonly FieldCondition[] | undefined
  /** Search language. */
  readonly query?: string | undefined
}

/** One filter out of the conditions on logs. Throws `invalid_field`, `invalid_query`, `query_unsupported`. */
export function logFilter(_conditions: LogConditions): Filter {
  return allOf([EVERYTHING])
}
