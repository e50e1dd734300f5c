import { ARITHMETIC } from '../functions/arithmetic.js'
import type { Binary } from '../syntax/ast.js'
import { isComparison, isSetOperator } from '../syntax/operators.js'
import type { Budget } from './budget.js'
import { mergeSeries } from './merge-series.js'
import { evaluateSet } from './set-operators.js'
import { emptySeries, type GridSeries, type Value, vector } from './values.js'
import { matchVectors } from './vector-matching.js'

/** Values of some series over all steps. */
function valuesOf(series: readonly GridSeries[]): number {
  return series.length * (series[0]?.values.length ?? 0)
}

/** Evaluates a binary operation whose sides are known; what it makes is counted before it is made. */
export function evaluateBinary(expr: Binary, left: Value, right: Value, budget: Pick<Budget, 'take'>): Value {
  const run = ARITHMETIC.get(expr.op)
  if (left.type === 'scalar' && right.type === 'scalar') {
    const rightValues = right.values
    return { type: 'scalar', values: left.values.map((value, i) => run!(value, rightValues[i]!)) }
  }
  if (left.type === 'vector' && right.type === 'vector') {
    if (!isSetOperator(expr.op)) return vector(matchVectors(expr, left.series, right.series, { run: run!, budget }))
    budget.take(valuesOf(left.series) + (expr.op === 'or' ? valuesOf(right.series) : 0))
    return vector(evaluateSet(expr, left.series, right.series))
  }
  if (left.type === 'vector' && right.type === 'scalar') {
    const numbers = right.values
    budget.take(valuesOf(left.series))
    return vector(withScalar(expr, left.series, (value, i) => run!(value, numbers[i]!)))
  }
  if (left.type === 'scalar' && right.type === 'vector') {
    const numbers = left.values
    budget.take(valuesOf(right.series))
    return vector(withScalar(expr, right.series, (value, i) => run!(numbers[i]!, value)))
  }
  throw new TypeError('a binary operation has scalars and vectors only')
}

/** A comparison without `bool` keeps the elements for which it holds, as they are. */
function withScalar(
  { op, returnsBool }: Binary,
  series: readonly GridSeries[],
  run: (value: number, step: number) => number
): readonly GridSeries[] {
  const isFilter = isComparison(op) && !returnsBool
  const results = series.map(({ labels, values, present }) => {
    const result = emptySeries(isFilter ? labels : labels.withoutName(), values.length)
    for (let i = 0; i < values.length; i++) {
      if (present[i] === 0) continue
      const value = run(values[i]!, i)
      if (isFilter && value === 0) continue
      result.values[i] = isFilter ? values[i]! : value
      result.present[i] = 1
    }
    return result
  })
  return isFilter ? results : mergeSeries(results)
}
