import type { DurationExpr, Expr } from '../../../query/promql/syntax/ast.js'

const OF_QUERY: ReadonlySet<string> = new Set(['start', 'end', 'range', 'step'])

function durationSeesQuery(duration: DurationExpr | undefined | null): boolean {
  if (duration === undefined || duration === null || duration.type === 'number') return false
  const { op, lhs, rhs } = duration
  return op === 'step' || op === 'range' || durationSeesQuery(lhs) || durationSeesQuery(rhs)
}

/**
 * Whether a query depends on the times of the request that it came with (`@ start()`, `step()`): then a range query has other
 * values than queries of each of its times.
 */
export function seesItsRequest(expr: Expr): boolean {
  switch (expr.type) {
    case 'selector':
      return expr.at === 'start' || expr.at === 'end' || durationSeesQuery(expr.offsetExpr)
    case 'matrix':
      return durationSeesQuery(expr.rangeExpr) || seesItsRequest(expr.selector)
    case 'subquery':
      return (
        expr.at === 'start' ||
        expr.at === 'end' ||
        [expr.offsetExpr, expr.rangeExpr, expr.stepExpr].some(durationSeesQuery) ||
        seesItsRequest(expr.expr)
      )
    case 'call':
      return OF_QUERY.has(expr.name) || expr.args.some(seesItsRequest)
    case 'aggregation':
      return seesItsRequest(expr.expr) || (expr.param !== null && seesItsRequest(expr.param))
    case 'binary':
      return seesItsRequest(expr.rhs) || seesItsRequest(expr.lhs)
    case 'unary':
    case 'paren':
      return seesItsRequest(expr.expr)
    default:
      return false
  }
}
