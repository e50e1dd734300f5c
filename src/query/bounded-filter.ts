import { GatewayError } from '../domain/errors.js'
import { allOf, type Filter } from '../domain/filter.js'

/** Values of a whole query: what a store does with them grows faster than their number. */
export const MAX_QUESTION_VALUES = 2_000
/** Conditions of a whole query on free fields, values of one field counted once: each costs an engine some memory. */
export const MAX_FREE_CONDITIONS = 64

function refuse(detail: string): GatewayError {
  return new GatewayError('invalid_field', detail, { field: 'filters' })
}

type Condition = Exclude<Filter, { kind: 'and' | 'or' | 'not' }>

function sumOver(filter: Filter, weigh: (condition: Condition) => number): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.reduce((total, part) => total + sumOver(part, weigh), 0)
    case 'not':
      return sumOver(filter.of, weigh)
    default:
      return weigh(filter)
  }
}

/** The conjunction of a query's conditions, if it is within bounds as a whole. Throws `invalid_field`. */
export function boundedFilter(parts: readonly Filter[]): Filter {
  const filter = allOf(parts)
  if (sumOver(filter, condition => (condition.kind === 'in' ? condition.values.length : 1)) > MAX_QUESTION_VALUES)
    throw refuse(`the conditions of a query must not exceed ${MAX_QUESTION_VALUES} values in total`)
  if (sumOver(filter, ({ field }) => (field.in === 'known' ? 0 : 1)) > MAX_FREE_CONDITIONS)
    throw refuse(
      `a query must not exceed ${MAX_FREE_CONDITIONS} conditions on free fields; values of one field in one OR count as one`
    )
  return filter
}
