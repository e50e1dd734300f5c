import { ARITHMETIC } from '../functions/arithmetic.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Binary } from '../syntax/ast.js'
import { isFilter, isSetOperator, keepsName } from '../syntax/operators.js'
import type { Bounds } from './budget.js'
import { type CellOperation, cellOf, matchVectors } from './vector-matching.js'
import { mergeSeries } from './merge-series.js'
import type { Notes } from './notes.js'
import { bucketCountOf, cellAt, emptySeries, type GridSeries, putCell, type Value, vector, anyPresent } from './values.js'
import { bySignature, signatureOf } from './signature.js'

type Run = (left: number, right: number) => number

/** The notes and bounds of an operation. */
interface Evaluation {
  readonly notes: Notes
  readonly budget: Bounds
}

/** Values of some series over all steps. */
function valuesOf(series: readonly GridSeries[]): number {
  return series.length * (series[0]?.values.length ?? 0)
}

/** Evaluates a binary operation whose sides are known; what it makes is counted before it is made. */
export function evaluateBinary(expr: Binary, left: Value, right: Value, { notes, budget }: Evaluation): Value {
  const run = ARITHMETIC.get(expr.op)
  if (left.type === 'scalar' && right.type === 'scalar') {
    if (run === undefined) throw new PromqlExecutionError(`operator "${expr.op}" not allowed for Scalar operations`)
    const rightValues = right.values
    return { type: 'scalar', values: left.values.map((value, i) => run(value, rightValues[i]!)) }
  }
  if (left.type === 'vector' && right.type === 'vector') {
    if (!isSetOperator(expr.op)) return vector(matchVectors(expr, left.series, right.series, { run, notes, budget }))
    budget.take(valuesOf(left.series) + (expr.op === 'or' ? valuesOf(right.series) : 0))
    return vector(evaluateSet(expr, left.series, right.series))
  }
  if (left.type === 'vector' && right.type === 'scalar') {
    budget.take(valuesOf(left.series))
    return vector(withScalar({ expr, numbers: right.values, isLeft: false, run, notes, budget }, left.series))
  }
  if (left.type === 'scalar' && right.type === 'vector') {
    budget.take(valuesOf(right.series))
    return vector(withScalar({ expr, numbers: left.values, isLeft: true, run, notes, budget }, right.series))
  }
  throw new TypeError('a binary operation has scalars and vectors only')
}

interface WithScalar extends CellOperation {
  readonly numbers: Float64Array
  readonly budget: Bounds
  /** Whether the scalar is on the left. */
  readonly isLeft: boolean
}

/** A comparison without `bool` keeps the elements for which it holds, as they are. */
function withScalar(operation: WithScalar, series: readonly GridSeries[]): readonly GridSeries[] {
  const isNamed = keepsName(operation.expr)
  const results = series.map(one => {
    const result = emptySeries(isNamed ? one.labels : one.labels.withoutName(), one.values.length)
    if (one.histograms === undefined && operation.run !== undefined) numbersWithScalar(operation, operation.run, one, result)
    else cellsWithScalar(operation, one, result)
    return result
  })
  return isNamed ? results : mergeSeries(results)
}

function numbersWithScalar({ expr, numbers, isLeft }: WithScalar, run: Run, from: GridSeries, into: GridSeries): void {
  const { values, present } = from
  const isFiltering = isFilter(expr)
  for (let i = 0; i < values.length; i++) {
    if (present[i] === 0) continue
    const value = isLeft ? run(numbers[i]!, values[i]!) : run(values[i]!, numbers[i]!)
    if (isFiltering && value === 0) continue
    into.values[i] = isFiltering ? values[i]! : value
    into.present[i] = 1
  }
}

function cellsWithScalar({ expr, numbers, isLeft, run, notes, budget }: WithScalar, from: GridSeries, into: GridSeries): void {
  for (let i = 0; i < from.values.length; i++) {
    if (from.present[i] === 0) continue
    const own = cellAt(from, i)
    budget.work(bucketCountOf(own))
    const [left, right] = isLeft ? [numbers[i]!, own] : [own, numbers[i]!]
    const cell = cellOf({ expr, run, notes }, left, right, own)
    if (cell !== undefined) putCell(into, i, cell, budget)
  }
}

function masked(series: GridSeries, mask: Uint8Array | undefined, requested: 0 | 1): GridSeries {
  const { labels, values, present, histograms } = series
  return { labels, values, histograms, present: present.map((has, i) => (has === 1 && (mask?.[i] ?? 0) === requested ? 1 : 0)) }
}

/** `and`, `or`, `unless`: which elements stay is decided step by step, by what the other side has there. */
function evaluateSet({ op, matching }: Binary, left: readonly GridSeries[], right: readonly GridSeries[]): readonly GridSeries[] {
  const [kept, other] = op === 'or' ? [right, left] : [left, right]
  const masks = new Map<string, Uint8Array>()
  for (const [key, group] of bySignature(other, matching)) masks.set(key, anyPresent(group, group[0]!.present.length))
  const requested = op === 'and' ? 1 : 0
  const results = kept.map(series => masked(series, masks.get(signatureOf(series.labels, matching).key), requested))
  return op === 'or' ? mergeSeries([...left, ...results]) : results
}
