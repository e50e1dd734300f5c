import type { Expr } from './ast.js'

/** Functions that look at the time of the step. */
const OF_STEP: ReadonlySet<string> = new Set([
  ...['day_of_month', 'day_of_week', 'day_of_year', 'days_in_month', 'hour', 'minute', 'month', 'year'],
  ...['predict_linear', 'time', 'timestamp']
])

/** Whether an expression gives the same at every step: whatever it selects is fixed by `@`. */
export function isStepInvariant(expr: Expr): boolean {
  switch (expr.type) {
    case 'selector':
    case 'subquery':
      return expr.at !== null
    case 'matrix':
      return expr.selector.at !== null
    case 'binary':
      return isStepInvariant(expr.lhs) && isStepInvariant(expr.rhs)
    case 'aggregation':
    case 'paren':
    case 'unary':
      return isStepInvariant(expr.expr)
    case 'call':
      return !OF_STEP.has(expr.name) && expr.args.every(isStepInvariant)
    default:
      return true
  }
}
