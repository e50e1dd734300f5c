import type { SloContent, SloIndicator } from '../../domain/alerts/slo.js'
import { unreachable } from '../../domain/errors.js'
import { goQuoted } from '../../query/promql/go-quote.js'
import { PromqlBadQuery } from '../../query/promql/promql-error.js'
import type { Expr, MatrixSelector, VectorSelector } from '../../query/promql/syntax/ast.js'
import { typeOf } from '../../query/promql/syntax/check-types.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import { printExpr } from '../../query/promql/syntax/print.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { RECORDED_MS } from './slo-limits.js'

/** How much time an expression counts, in expressions of users. The second form is that of Sloth. */
const WINDOW = /\$window\b|\{\{\s*\.window\s*\}\}/g
const NOWHERE = { start: 0, end: 0 }
/** Functions that result in events per second. */
const PER_SECOND: ReadonlySet<string> = new Set(['rate', 'irate'])
const MS_PER_S = 1_000
/** Operators whose result is NaN for some counts. */
const NOT_A_NUMBER: ReadonlySet<string> = new Set(['/', '%', '^', 'atan2'])

/** PromQL that counts the events of a window, without labels. */
export interface EventExpressions {
  readonly bad: string
  readonly total: string
}

/** Two expressions that count the bad events and all events of the last `windowMs`. `content` has been checked. */
export function eventExpressions(
  { indicator, service }: Pick<SloContent, 'indicator' | 'service'>,
  windowMs: number,
  readPromql: ReadPromql
): EventExpressions {
  const window = formatDuration(windowMs)
  switch (indicator.kind) {
    case 'ratio':
      return ratioExpressions(indicator, windowMs, readPromql)
    case 'availability': {
      const spans = [`service=${goQuoted(service)}`, 'kind=~"server|consumer"', ...operationMatcher(indicator.operation)].join(
        ', '
      )
      return withZero(
        `sum(increase(spans_total{${spans}, status="error"}[${window}]))`,
        `sum(increase(spans_total{${spans}}[${window}]))`
      )
    }
    case 'latency': {
      const spans = [`service=${goQuoted(service)}`, ...operationMatcher(indicator.operation)].join(', ')
      const bound = goQuoted(String(indicator.thresholdMs / MS_PER_S))
      const total = `sum(increase(span_duration_seconds_count{${spans}}[${window}]))`
      return remainder(`sum(increase(span_duration_seconds_bucket{${spans}, le=${bound}}[${window}]))`, total)
    }
    default:
      return unreachable(indicator)
  }
}

function operationMatcher(operation: string | null): readonly string[] {
  return operation === null ? [] : [`operation=${goQuoted(operation)}`]
}

function ratioExpressions(
  { good, bad, total }: Extract<SloIndicator, { kind: 'ratio' }>,
  windowMs: number,
  readPromql: ReadPromql
): EventExpressions {
  const count = (query: string): string => countExpression(query, windowMs, readPromql)
  return bad === null ? remainder(count(good!), count(total)) : withZero(count(bad), count(total))
}

/** Counters of errors often exist only after the first error. */
function withZero(bad: string, total: string): EventExpressions {
  return { bad: `${bad} or 0 * ${total}`, total }
}

function remainder(good: string, total: string): EventExpressions {
  return { bad: `clamp_min(${total} - (${good} or 0 * ${total}), 0)`, total }
}

/** An expression of a user with `$window` in place. */
export function withWindow(query: string, windowMs = RECORDED_MS): string {
  return query.replaceAll(WINDOW, formatDuration(windowMs))
}

/** Why an expression cannot count events; null for one that can. Throws `PromqlBadQuery`. */
export function countFault(query: string, readPromql: ReadPromql): string | null {
  const expr = readPromql(withWindow(query))
  if (counterOf(expr) !== null) return null
  if (typeOf(expr) !== 'vector') return 'must result in an instant vector'
  const found = matrices(expr)
  if (found === null) return 'must not contain subqueries, offsets or @; use ranges of [$window]'
  if (found.length === 0)
    return 'must count events: use a counter such as http_requests_total{code=~"5.."}, or sum(increase(http_requests_total[$window]))'
  const other = found.find(({ rangeMs, rangeExpr }) => rangeExpr !== undefined || rangeMs !== RECORDED_MS)
  if (other !== undefined) return `must only use ranges of [$window] (got [${formatDuration(other.rangeMs)}])`
  if (divides(expr)) return 'must not divide one series by another: 0 / 0 counts nothing, and would hide all events of a window'
  return null
}

/** Whether an operator whose result may be NaN has series on both sides. */
function divides(expr: Expr): boolean {
  const isDivision = expr.type === 'binary' && NOT_A_NUMBER.has(expr.op) && hasSeries(expr.lhs) && hasSeries(expr.rhs)
  return isDivision || childrenOf(expr).some(divides)
}

function hasSeries(expr: Expr): boolean {
  return expr.type === 'matrix' || expr.type === 'selector' || childrenOf(expr).some(hasSeries)
}

/** PromQL that counts events of a window: an expression with rates is multiplied by the seconds of the window. */
export function countExpression(query: string, windowMs: number, readPromql: ReadPromql): string {
  const fault = countFault(query, readPromql)
  if (fault !== null) throw new PromqlBadQuery(fault)
  const expr = readPromql(withWindow(query))
  const counter = counterOf(expr)
  if (counter !== null) return `sum(increase(${printExpr(counter)}[${formatDuration(windowMs)}]))`
  const counted = `sum(${printExpr(withRange(expr, windowMs))})`
  return isPerSecond(expr) ? `${counted} * ${windowMs / MS_PER_S}` : counted
}

/** The selector of a counter, alone or within `sum`; null for anything else. */
function counterOf(expr: Expr): VectorSelector | null {
  if (expr.type === 'paren') return counterOf(expr.expr)
  if (expr.type === 'aggregation' && expr.op === 'sum') return counterOf(expr.expr)
  if (expr.type !== 'selector' || expr.extension !== undefined || !isPlain(expr)) return null
  return expr
}

function isPlain({ offsetMs, offsetExpr, at }: VectorSelector): boolean {
  return offsetMs === 0 && offsetExpr === undefined && at === null
}

function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.type) {
    case 'call':
      return expr.args
    case 'aggregation':
      return expr.param === null ? [expr.expr] : [expr.param, expr.expr]
    case 'binary':
      return [expr.lhs, expr.rhs]
    case 'unary':
    case 'paren':
      return [expr.expr]
    default:
      return []
  }
}

/** All range selectors; null when something looks at other times than ranges do. */
function matrices(expr: Expr): readonly MatrixSelector[] | null {
  if (expr.type === 'subquery' || (expr.type === 'selector' && !isPlain(expr))) return null
  if (expr.type === 'matrix') return isPlain(expr.selector) ? [expr] : null
  const all: MatrixSelector[] = []
  for (const child of childrenOf(expr)) {
    const found = matrices(child)
    if (found === null) return null
    all.push(...found)
  }
  return all
}

function isPerSecond(expr: Expr): boolean {
  if (expr.type === 'call' && PER_SECOND.has(expr.name)) return true
  return childrenOf(expr).some(isPerSecond)
}

function withRange(expr: Expr, rangeMs: number): Expr {
  switch (expr.type) {
    case 'matrix':
      return { ...expr, rangeMs, position: NOWHERE }
    case 'call':
      return { ...expr, args: expr.args.map(arg => withRange(arg, rangeMs)) }
    case 'binary':
      return { ...expr, lhs: withRange(expr.lhs, rangeMs), rhs: withRange(expr.rhs, rangeMs) }
    case 'aggregation':
    case 'unary':
    case 'paren':
      return { ...expr, expr: withRange(expr.expr, rangeMs) }
    default:
      return expr
  }
}
