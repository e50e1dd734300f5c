import { Budget, type Stop } from './evaluate/budget.js'
import { Evaluator } from './evaluate/evaluator.js'
import { Notes } from './evaluate/notes.js'
import { planReads, type Reads } from './evaluate/samples-source.js'
import { type RawSeries, type Value, withValues } from './evaluate/values.js'
import { PromqlBadQuery } from './promql-error.js'
import type { PromqlResult, PromqlBounds, PromqlRequest } from './promql-request.js'
import { rawRange } from './evaluate/raw-range.js'
import { resolveTimes, timesOf } from './resolve-times.js'
import type { Expr, ValueType } from './syntax/ast.js'
import { TYPE_NAMES, typeOf } from './syntax/check-types.js'
import { parsePromql } from './syntax/parser.js'

/** Prometheus's `--query.lookback-delta`. */
const LOOKBACK_MS = 300_000
/** Step of subqueries that name none: Prometheus takes its global evaluation interval. */
const DEFAULT_STEP_MS = 60_000

/** A query that was read: what it needs, and what it will give. */
export interface PromqlPlan {
  readonly expr: Expr
  readonly type: ValueType
  readonly reads: Reads
}

/** Reads a query. Throws `PromqlBadQuery` (Prometheus: bad_data). */
export function planRequest(request: PromqlRequest, bounds: PromqlBounds): PromqlPlan {
  const { query, steps, lookbackMs = LOOKBACK_MS } = request
  const requested = typeof query === 'string' ? readQuery(query, bounds) : query
  const type = typeOf(requested)
  if (request.isRange && (type === 'matrix' || type === 'string')) {
    throw new PromqlBadQuery(`invalid expression type "${TYPE_NAMES[type]}" for range query, must be Scalar or instant Vector`)
  }
  const expr = resolveTimes(requested, timesOf(request))
  return {
    expr,
    type,
    reads: planReads(expr, steps, { lookbackMs, defaultStepMs: DEFAULT_STEP_MS, wholeReadMs: bounds.wholeReadMs })
  }
}

/** The dependencies of an evaluation. */
export interface EvaluationDeps {
  readonly bounds: PromqlBounds
  /** What was found for each of the plan's reads, in their order. */
  readonly found: readonly (readonly RawSeries[])[]
  /** Whether to end early, and why. */
  readonly stop: () => Stop | null
}

/** Evaluates a plan on this thread. Throws `PromqlExecutionError` (execution), `PromqlTimeout`, `PromqlCancelled`. */
export function runQuery(
  { query, steps, lookbackMs = LOOKBACK_MS, gaps = [] }: PromqlRequest,
  { expr, type, reads }: PromqlPlan,
  { bounds, found, stop }: EvaluationDeps
): PromqlResult {
  const budget = new Budget(bounds.maxValues, stop)
  budget.check()
  const notes = new Notes(typeof query === 'string' ? query : '')
  const samples = new Map([...reads.indexOf].map(([selector, index]) => [selector, found[index] ?? []] as const))
  const evaluator = new Evaluator({ query: steps, samples, lookbackMs, defaultStepMs: DEFAULT_STEP_MS, budget, notes }, steps)
  const value = type === 'matrix' ? rawRange(evaluator.range(expr)) : withoutEmpty(evaluator.evaluate(expr))
  return { type, value, warnings: [...gaps, ...notes.warnings], infos: notes.infos }
}

/** Reads the text of a query, within a bound of its length. Throws `PromqlBadQuery`. */
export function readQuery(
  query: string,
  { maxQueryChars, allowsExperimental }: Pick<PromqlBounds, 'maxQueryChars' | 'allowsExperimental'>
): Expr {
  if (query.length <= maxQueryChars) return parsePromql(query, allowsExperimental)
  throw new PromqlBadQuery(`a query must not exceed ${maxQueryChars} characters`)
}

function withoutEmpty(value: Value): Value {
  return value.type === 'vector' ? { type: 'vector', series: withValues(value.series) } : value
}
