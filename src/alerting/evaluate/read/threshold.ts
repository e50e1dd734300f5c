import type { Threshold } from '../../../domain/alerts/alert-rule.js'
import { unreachable } from '../../../domain/errors.js'

/** Whether a value is one that a rule alerts on. As in PromQL, a value that is not a number is only `neq`. */
export function meetsThreshold({ op, value: bound, upper }: Threshold, value: number): boolean {
  switch (op) {
    case 'gt':
      return value > bound
    case 'gte':
      return value >= bound
    case 'lt':
      return value < bound
    case 'lte':
      return value <= bound
    case 'eq':
      return value === bound
    case 'neq':
      return value !== bound
    case 'outside':
      return value < bound || value > upper!
    case 'inside':
      return value >= bound && value <= upper!
    default:
      return unreachable(op)
  }
}
