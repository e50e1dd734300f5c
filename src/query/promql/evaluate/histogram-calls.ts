import { fractionsOf, quantilesOf } from '../functions/histogram-estimates.js'
import { warnQuantiles } from '../functions/warn-quantiles.js'
import { openMetricsNumber } from '../go-number.js'
import type { Expr } from '../syntax/ast.js'
import { mergeSeries } from './merge-series.js'
import type { Notes } from './notes.js'
import type { GridSeries } from './values.js'

/** What these functions need of an evaluation. */
interface HistogramEvaluation {
  readonly notes: Notes
  numbers(expr: Expr): Float64Array
  series(expr: Expr): readonly GridSeries[]
  text(expr: Expr): string
}

/** `histogram_quantile(q, v)`. */
export function histogramQuantileCall(args: readonly Expr[], evaluation: HistogramEvaluation): readonly GridSeries[] {
  const { notes } = evaluation
  const quantiles = evaluation.numbers(args[0]!)
  warnQuantiles(notes, quantiles, args[0]!.position)
  return quantilesOf(quantiles, evaluation.series(args[1]!), { notes, position: args[1]!.position })
}

/** `histogram_quantiles(v, label, q, ...)`: many quantiles at once, each with a label that states which. */
export function histogramQuantilesCall(
  args: readonly Expr[],
  evaluation: HistogramEvaluation,
  labelName: (name: string) => string
): readonly GridSeries[] {
  const { notes } = evaluation
  const series = evaluation.series(args[0]!)
  const label = labelName(evaluation.text(args[1]!))
  const results = args.slice(2).flatMap(arg => {
    const quantiles = evaluation.numbers(arg)
    warnQuantiles(notes, quantiles, arg.position)
    const found = quantilesOf(quantiles, series, { notes, position: args[0]!.position })
    return found.map(one => ({ ...one, labels: one.labels.with(label, openMetricsNumber(quantiles[0] ?? Number.NaN)) }))
  })
  return mergeSeries(results)
}

/** `histogram_fraction(lower, upper, v)`. */
export function histogramFractionCall(args: readonly Expr[], evaluation: HistogramEvaluation): readonly GridSeries[] {
  const bounds = { lower: evaluation.numbers(args[0]!), upper: evaluation.numbers(args[1]!) }
  return fractionsOf(bounds, evaluation.series(args[2]!), { notes: evaluation.notes, position: args[2]!.position })
}
