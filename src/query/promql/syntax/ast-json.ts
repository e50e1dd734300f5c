import type { LabelMatcher } from '../../../ports/metric-store.js'
import { formatValue } from '../format-value.js'
import { SIGNATURES } from '../functions/signatures.js'
import { NAME } from '../labels.js'
import type { Binary, Call, DurationExpr, Expr, VectorSelector } from './ast.js'
import { typeOf } from './check-types.js'
import { MATCHER_SIGNS } from './operators.js'

// The tree of a query as Prometheus's `parse_query` shows it, which its own tree view and Grafana's builder read.

function matchersJson(matchers: readonly LabelMatcher[]): object[] {
  const last = matchers.filter(({ name, op }) => name === NAME && op === 'eq')
  const ordered = [...matchers.filter(matcher => !last.includes(matcher)), ...last]
  return ordered.map(({ name, op, value }) => ({ name, type: MATCHER_SIGNS[op], value }))
}

function durationJson(expr: DurationExpr | null | undefined): object | null {
  if (expr === null || expr === undefined) return null
  if (expr.type === 'number') return { type: 'numberLiteral', val: formatValue(expr.value), duration: expr.isDuration }
  const { op, lhs, rhs, isWrapped } = expr
  return { type: 'durationExpr', op, lhs: durationJson(lhs), rhs: durationJson(rhs), wrapped: isWrapped }
}

function shiftJson({ offsetMs, offsetExpr, at }: Pick<VectorSelector, 'offsetMs' | 'offsetExpr' | 'at'>): object {
  return {
    offset: offsetMs,
    offsetExpr: durationJson(offsetExpr),
    timestamp: typeof at === 'object' && at !== null ? at.atMs : null,
    startOrEnd: typeof at === 'string' ? at : null
  }
}

function extensionJson({ extension }: Pick<VectorSelector, 'extension'>): object {
  return { anchored: extension === 'anchored', smoothed: extension === 'smoothed' }
}

function binaryJson(expr: Binary): object {
  const { card, labels, isOn, include, fill } = expr.matching
  const fillValues = { lhs: fill.left, rhs: fill.right }
  const isOfVectors = typeOf(expr.lhs) === 'vector' && typeOf(expr.rhs) === 'vector'
  return {
    type: 'binaryExpr',
    op: expr.op,
    lhs: exprJson(expr.lhs),
    rhs: exprJson(expr.rhs),
    matching: isOfVectors ? { card, labels, on: isOn, include, fillValues } : null,
    bool: expr.returnsBool
  }
}

function callJson({ name, args }: Call): object {
  const { args: argTypes, optional, returns } = SIGNATURES.get(name)!
  const func = { name, argTypes, variadic: optional, returnType: returns }
  return { type: 'call', func, args: args.map(exprJson) }
}

/** The tree of an expression as plain JSON. */
export function exprJson(expr: Expr): object {
  switch (expr.type) {
    case 'number':
      return { type: 'numberLiteral', val: formatValue(expr.value) }
    case 'string':
      return { type: 'stringLiteral', val: expr.value }
    case 'paren':
      return { type: 'parenExpr', expr: exprJson(expr.expr) }
    case 'unary':
      return { type: 'unaryExpr', op: expr.op, expr: exprJson(expr.expr) }
    case 'selector':
      return {
        type: 'vectorSelector',
        name: expr.name ?? '',
        ...shiftJson(expr),
        matchers: matchersJson(expr.matchers),
        ...extensionJson(expr)
      }
    case 'matrix': {
      const { selector, rangeMs, rangeExpr } = expr
      return {
        type: 'matrixSelector',
        name: selector.name ?? '',
        range: rangeMs,
        rangeExpr: durationJson(rangeExpr),
        ...shiftJson(selector),
        matchers: matchersJson(selector.matchers),
        ...extensionJson(selector)
      }
    }
    case 'subquery':
      return {
        type: 'subquery',
        expr: exprJson(expr.expr),
        range: expr.rangeMs,
        rangeExpr: durationJson(expr.rangeExpr),
        step: expr.stepMs ?? 0,
        stepExpr: durationJson(expr.stepExpr),
        ...shiftJson(expr)
      }
    case 'binary':
      return binaryJson(expr)
    case 'call':
      return callJson(expr)
    default: {
      const { op, grouping, isWithout } = expr
      const param = expr.param === null ? null : exprJson(expr.param)
      return { type: 'aggregation', op, expr: exprJson(expr.expr), param, grouping, without: isWithout }
    }
  }
}
