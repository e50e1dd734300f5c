import { extendedRate, extensionRefusal, fromAnchor } from '../functions/extended-rate.js'
import { mixedRangeFunction } from '../functions/mixed-range-functions.js'
import { OVER_TIME, quantileOverTime } from '../functions/over-time.js'
import { doubleExponentialSmoothing, MOVEMENTS, predictLinear, rateKindOf } from '../functions/rate.js'
import { warnQuantiles } from '../functions/warn-quantiles.js'
import { type LabelSet, NAME } from '../labels.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Call, Expr, Extension } from '../syntax/ast.js'
import { absentLabels, absentSeries } from './absent.js'
import type { RangeEvaluation, RangeInput } from './evaluation-context.js'
import { mergeSeries } from './merge-series.js'
import { type GridSeries, type RawSeries, timeOf, withValues } from './values.js'
import { type CellFunction, overWindows, type WindowFunction } from './windows.js'
import { goQuoted } from '../go-quote.js'
import type { RangeReport } from '../functions/range-report.js'

const OF_COUNTERS: ReadonlySet<string> = new Set(['rate', 'increase'])
const COUNTER_NAME = /_(?:total|sum|count|bucket)$/

/**
 * A function of a range that notes, when it first gives a number, that the metric might not be a counter. It does so if neither
 * the metric's name nor its type states that it is one; Prometheus ignores the type.
 */
function withSuspicion(
  name: string,
  { labels, isCounter = false }: RawSeries,
  run: CellFunction,
  { notes, position }: Omit<RangeReport, 'name'>
): CellFunction {
  const metric = labels.get(NAME)
  if (!OF_COUNTERS.has(name) || isCounter || metric === '' || COUNTER_NAME.test(metric)) return run
  let isReported = false
  return (window, step) => {
    const cell = run(window, step)
    if (!isReported && typeof cell === 'number') {
      isReported = true
      const sentence = 'metric might not be a counter, name does not end in _total/_sum/_count/_bucket:'
      notes.inform(`${sentence} ${goQuoted(metric)}`, position)
    }
    return cell
  }
}

/** Functions whose value is one of the samples, which goes on to have its name. */
const KEEPS_NAME: ReadonlySet<string> = new Set(['last_over_time', 'first_over_time'])
const WITH_ARGUMENTS: ReadonlySet<string> = new Set([
  'absent_over_time',
  'quantile_over_time',
  'predict_linear',
  'double_exponential_smoothing'
])

/** Whether a function takes a range. */
export function isRangeFunction(name: string): boolean {
  return OVER_TIME.has(name) || MOVEMENTS.has(name) || WITH_ARGUMENTS.has(name)
}

/** Evaluates a call of a function of a range. */
export function rangeFunction(expr: Call, evaluation: RangeEvaluation): readonly GridSeries[] {
  const { name, args } = expr
  const range = args[name === 'quantile_over_time' ? 1 : 0]!
  const extension = extensionOf(range)
  const refusal = extension === undefined ? null : extensionRefusal(extension, name)
  if (refusal !== null) throw new PromqlExecutionError(refusal)
  if (name === 'absent_over_time') {
    const present = overRange(evaluation, evaluation.range(args[0]!), () => () => 1, keepLabels)
    return [absentSeries(absentLabels(args[0]!), present, evaluation.steps.count)]
  }
  const input = evaluation.range(range)
  const functionOf = windowFunction(expr, evaluation)
  const kind = rateKindOf(name)
  const report = { notes: evaluation.notes, position: args[0]!.position }
  const cellFunction = (raw: RawSeries): CellFunction => {
    if (raw.isAggregated) return aggregatedValue
    if (extension === undefined) return mixedRangeFunction(name, raw, functionOf, report)
    // `changes` and `resets` are the others that may be extended.
    if (kind === undefined) return fromAnchor(mixedRangeFunction(name, raw, functionOf, report))
    return extendedRate(kind, raw, extension, { ...report, name: raw.labels.get(NAME) })
  }
  const withNotes = (raw: RawSeries): CellFunction => withSuspicion(name, raw, cellFunction(raw), report)
  const results = overRange(evaluation, input, withNotes, KEEPS_NAME.has(name) ? keepLabels : dropName)
  return KEEPS_NAME.has(name) ? results : mergeSeries(results)
}

function extensionOf(range: Expr): Extension | undefined {
  if (range.type === 'paren') return extensionOf(range.expr)
  return range.type === 'matrix' ? range.selector.extension : undefined
}

/** The value that the store has computed of a window: the only sample there is. */
function aggregatedValue({ values, to }: Parameters<CellFunction>[0]): number {
  return values[to - 1]!
}

function keepLabels(labels: LabelSet): LabelSet {
  return labels
}

function dropName(labels: LabelSet): LabelSet {
  return labels.withoutName()
}

function overRange(
  { steps, budget }: RangeEvaluation,
  { series, ranges }: RangeInput,
  functionOf: (raw: RawSeries) => CellFunction,
  labelsOf: (labels: LabelSet) => LabelSet
): readonly GridSeries[] {
  return withValues(series.map(raw => overWindows(raw, labelsOf(raw.labels), { steps, ranges, budget }, functionOf(raw))))
}

function windowFunction({ name, args }: Call, evaluation: RangeEvaluation): (raw: RawSeries) => WindowFunction {
  const movement = MOVEMENTS.get(name)
  if (movement !== undefined) return movement
  const plain = OVER_TIME.get(name)
  if (plain !== undefined) return () => plain
  if (name === 'quantile_over_time') {
    const quantiles = evaluation.numbers(args[0]!)
    warnQuantiles(evaluation.notes, quantiles, args[0]!.position)
    return () => quantileOverTime(quantiles)
  }
  if (name === 'predict_linear') {
    const predict = predictLinear(evaluation.numbers(args[1]!), step => timeOf(evaluation.steps, step))
    return () => predict
  }
  return smoothing(args, evaluation)
}

function smoothing(args: Call['args'], evaluation: RangeEvaluation): () => WindowFunction {
  const factors = args.slice(1).map(arg => evaluation.numbers(arg))
  const isValid = (factor: number): boolean => factor > 0 && factor < 1
  for (const [i, what] of ['smoothing', 'trend'].entries()) {
    const wrong = factors[i]!.find(factor => !isValid(factor))
    if (wrong !== undefined) throw new PromqlExecutionError(`invalid ${what} factor. Expected: 0 < factor < 1, got: ${wrong}`)
  }
  const smooth = doubleExponentialSmoothing(factors[0]!, factors[1]!)
  return () => smooth
}
