import type { Expr, VectorSelector } from './ast.js'

/** The selectors of an expression, in the order in which they stand. */
export function selectorsOf(expr: Expr): readonly VectorSelector[] {
  switch (expr.type) {
    case 'selector':
      return [expr]
    case 'matrix':
      return [expr.selector]
    case 'binary':
      return [...selectorsOf(expr.lhs), ...selectorsOf(expr.rhs)]
    case 'aggregation':
      return [...(expr.param === null ? [] : selectorsOf(expr.param)), ...selectorsOf(expr.expr)]
    case 'call':
      return expr.args.flatMap(selectorsOf)
    case 'subquery':
    case 'paren':
    case 'unary':
      return selectorsOf(expr.expr)
    default:
      return []
  }
}
