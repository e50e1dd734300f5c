import type { LabelMatcher } from '../../../ports/metric-store.js'
import type { Binary } from './ast.js'

/** How the conditions on labels are written. */
export const MATCHER_SIGNS: Readonly<Record<LabelMatcher['op'], string>> = { eq: '=', neq: '!=', regex: '=~', not_regex: '!~' }

/** Binary operators by how tightly they bind; `^` alone binds to the right. */
export const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['and', 2],
  ['unless', 2],
  ['==', 3],
  ['!=', 3],
  ['<=', 3],
  ['<', 3],
  ['>=', 3],
  ['>', 3],
  ['</', 3],
  ['>/', 3],
  ['+', 4],
  ['-', 4],
  ['*', 5],
  ['/', 5],
  ['%', 5],
  ['atan2', 5],
  ['^', 6]
])

/** A sign binds as `*` does, so that `-1^2` is `-(1^2)`. */
export const UNARY_PRECEDENCE = 5

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<=', '<', '>=', '>'])
const SET_OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'unless'])

/** Whether an operator compares. */
export function isComparison(op: string): boolean {
  return COMPARISONS.has(op)
}

/** Whether an operator is one of and, or, unless. */
export function isSetOperator(op: string): boolean {
  return SET_OPERATORS.has(op)
}

const TRIMMING: ReadonlySet<string> = new Set(['</', '>/'])

type Operation = Pick<Binary, 'op' | 'returnsBool'>

/** Whether an operation leaves the elements for which it holds as they are: a comparison without `bool`. */
export function isFilter({ op, returnsBool }: Operation): boolean {
  return isComparison(op) && !returnsBool
}

/** Whether the result of an operation is still called by the name of the metric: of filters, and of `</` and `>/`. */
export function keepsName(operation: Operation): boolean {
  return isFilter(operation) || TRIMMING.has(operation.op)
}

/** Aggregation operators, and what their parameter is. */
export const AGGREGATIONS: ReadonlyMap<string, 'none' | 'scalar' | 'string'> = new Map([
  ['sum', 'none'],
  ['avg', 'none'],
  ['count', 'none'],
  ['min', 'none'],
  ['max', 'none'],
  ['group', 'none'],
  ['stddev', 'none'],
  ['stdvar', 'none'],
  ['topk', 'scalar'],
  ['bottomk', 'scalar'],
  ['quantile', 'scalar'],
  ['limitk', 'scalar'],
  ['limit_ratio', 'scalar'],
  ['count_values', 'string']
])
