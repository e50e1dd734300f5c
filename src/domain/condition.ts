import type { Filter } from './filter.js'

/** A filter on one field: every member of the union but the logical ones. */
export type Condition = Exclude<Filter, { kind: 'and' | 'or' | 'not' }>

/** A filter on the order of values. */
export type RangeCondition = Extract<Filter, { kind: 'range' }>

/** One bound of a range, by its name in queries of the engine. */
export interface Bound {
  readonly op: 'gt' | 'gte' | 'lt' | 'lte'
  readonly value: string
}

const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const

/** The bounds that a range has. */
export function boundsOf(range: RangeCondition): readonly Bound[] {
  return OPERATORS.flatMap(op => (range[op] === undefined ? [] : [{ op, value: range[op] }]))
}
