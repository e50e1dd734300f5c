import { Budget, type Stop } from './evaluate/budget.js'
import { Evaluator } from './evaluate/evaluator.js'
import { Notes } from './evaluate/notes.js'
import { readSamples, type SelectSamples } from './evaluate/samples-source.js'
import { type Value, withValues } from './evaluate/values.js'
import { PromqlBadQuery } from './promql-error.js'
import type { PromqlAnswer, PromqlBounds, PromqlQuestion } from './promql-question.js'
import type { Expr, ValueType } from './syntax/ast.js'
import { typeOf } from './syntax/check-types.js'
import { parsePromql } from './syntax/parser.js'

/** Prometheus's `--query.lookback-delta`. */
const LOOKBACK_MS = 300_000
/** Step of subqueries that name none: Prometheus takes its global evaluation interval. */
const DEFAULT_STEP_MS = 60_000

const KINDS: Readonly<Record<ValueType, string>> = {
  scalar: 'scalar',
  vector: 'instant vector',
  matrix: 'range vector',
  string: 'string'
}

/** What an evaluation stands on. */
export interface EvaluationDeps {
  readonly select: SelectSamples
  readonly bounds: PromqlBounds
  /** Whether to end early, and why. */
  readonly stop: () => Stop | null
}

/**
 * Evaluates a question on this thread. Throws `PromqlBadQuery` (Prometheus: bad_data), `PromqlExecutionError`
 * (execution), `PromqlTimeout`, `PromqlCancelled`, and what `select` throws.
 */
export async function answerQuestion(question: PromqlQuestion, { select, bounds, stop }: EvaluationDeps): Promise<PromqlAnswer> {
  const { query, steps, lookbackMs = LOOKBACK_MS } = question
  const expr = readQuery(query, bounds.maxQueryChars)
  const type = typeOf(expr)
  if (question.isRange && (type === 'matrix' || type === 'string')) {
    throw new PromqlBadQuery(`invalid expression type "${KINDS[type]}" for range query, must be Scalar or instant Vector`)
  }
  const budget = new Budget(bounds.maxValues, stop)
  const notes = new Notes()
  const options = { lookbackMs, defaultStepMs: DEFAULT_STEP_MS, maxSamples: bounds.maxSamples }
  const samples = await readSamples(expr, steps, { ...options, select })
  budget.check()
  const evaluator = new Evaluator({ query: steps, samples, lookbackMs, defaultStepMs: DEFAULT_STEP_MS, budget, notes }, steps)
  const value = type === 'matrix' ? rawValue(evaluator, expr) : withoutEmpty(evaluator.evaluate(expr))
  return { type, value, warnings: notes.warnings, infos: notes.infos }
}

/** Reads the text of a query, within a bound of its length. Throws `PromqlBadQuery`. */
export function readQuery(query: string, maxChars: number): Expr {
  if (query.length <= maxChars) return parsePromql(query)
  throw new PromqlBadQuery(`a query may be ${maxChars} characters long`)
}

function withoutEmpty(value: Value): Value {
  return value.type === 'vector' ? { type: 'vector', series: withValues(value.series) } : value
}

/** The samples of a range selector within the window of the only step. */
function rawValue(evaluator: Evaluator, expr: Expr): PromqlAnswer['value'] {
  const { series, ranges } = evaluator.range(expr)
  const endMs = ranges.endOf(0)
  const within = series.map(({ labels, times, values }) => {
    const from = times.findIndex(ms => ms > endMs - ranges.rangeMs)
    const to = times.findLastIndex(ms => ms <= endMs) + 1
    return from < 0
      ? { labels, times: times.slice(0, 0), values }
      : { labels, times: times.slice(from, to), values: values.slice(from, to) }
  })
  return { type: 'matrix', series: within.filter(({ times }) => times.length > 0) }
}
