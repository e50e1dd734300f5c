import { OF_HISTOGRAMS } from '../functions/histogram-functions.js'
import { labelJoin, labelReplace } from '../functions/label-functions.js'
import { CALENDAR, MATH } from '../functions/math.js'
import { clamp, round, largerOf, smallerOf } from '../functions/clamp-and-round.js'
import { warnQuantiles } from '../functions/warn-quantiles.js'
import { multiply } from '../histograms/scale.js'
import { goQuoted } from '../go-quote.js'
import { isLabelName, NO_LABELS } from '../labels.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Aggregation, Call, Expr } from '../syntax/ast.js'
import { isStepInvariant } from '../syntax/step-invariant.js'
import { absentLabels, absentSeries } from './absent.js'
import { countValues, foldGroups, groupSeries } from './aggregate.js'
import { evaluateBinary } from './binary.js'
import type { Budget } from './budget.js'
import type { EvaluationContext, RangeEvaluation, RangeInput } from './evaluation-context.js'
import { histogramFractionCall, histogramQuantileCall, histogramQuantilesCall } from './histogram-calls.js'
import { mapCells, mapValues } from './merge-series.js'
import { joinInfo } from './info.js'
import { infoSelector } from './info-selector.js'
import type { Notes } from './notes.js'
import { toRaw } from './raw-series.js'
import { isRangeFunction, rangeFunction } from './range-functions.js'
import { chooseSeries } from './rank.js'
import { SelectorReading } from './selector-reading.js'
import { sortByLabels, sortByValue } from './sort.js'
import { fixedTime, shiftedTime, subquerySteps } from './step-times.js'
import { type GridSeries, type Steps, timeOf, type Value, vector, withValues } from './values.js'

const CHOOSING: ReadonlySet<string> = new Set(['topk', 'bottomk', 'limitk', 'limit_ratio'])

/** Evaluates expressions over a grid of steps: every node gives whole series, so that work on labels is done once per series. */
export class Evaluator implements RangeEvaluation {
  readonly #context: EvaluationContext
  readonly #steps: Steps
  readonly #selectors: SelectorReading

  constructor(context: EvaluationContext, steps: Steps) {
    this.#context = context
    this.#steps = steps
    this.#selectors = new SelectorReading(context, steps)
  }

  get steps(): Steps {
    return this.#steps
  }

  get notes(): Notes {
    return this.#context.notes
  }

  get budget(): Budget {
    return this.#context.budget
  }

  evaluate(expr: Expr): Value {
    this.budget.check()
    switch (expr.type) {
      case 'number':
        return this.#scalar(() => expr.value)
      case 'string':
        return { type: 'string', value: expr.value }
      case 'paren':
        return this.evaluate(expr.expr)
      case 'unary':
        return expr.op === '-' ? this.#negated(this.evaluate(expr.expr)) : this.evaluate(expr.expr)
      case 'selector':
        return vector(this.#selectors.vector(expr))
      case 'binary':
        return evaluateBinary(expr, this.evaluate(expr.lhs), this.evaluate(expr.rhs), this.#context)
      case 'aggregation':
        return this.#aggregate(expr)
      case 'call':
        return expr.name === 'info' ? vector(this.#info(expr)) : this.#counted(this.#call(expr))
      default:
        throw new PromqlExecutionError('a range vector cannot be evaluated by itself')
    }
  }

  /** The value of each step of a scalar expression. */
  numbers(expr: Expr): Float64Array {
    const value = this.evaluate(expr)
    if (value.type !== 'scalar') throw new TypeError('the type check lets only scalars here')
    return value.values
  }

  text(expr: Expr): string {
    const value = this.evaluate(expr)
    if (value.type !== 'string') throw new TypeError('the type check lets only strings here')
    return value.value
  }

  series(expr: Expr): readonly GridSeries[] {
    const value = this.evaluate(expr)
    if (value.type !== 'vector') throw new TypeError('the type check lets only vectors here')
    return value.series
  }

  /** The samples that a range expression covers, without the marks of ended series. */
  range(expr: Expr): RangeInput {
    if (expr.type === 'paren') return this.range(expr.expr)
    if (expr.type === 'matrix') return this.#selectors.range(expr)
    if (expr.type !== 'subquery') throw new TypeError('the type check lets only ranges here')
    const endOf = shiftedTime(this.#steps, fixedTime(expr.at, this.#context.query), expr.offsetMs)
    const inner = subquerySteps(expr, this.#steps, { defaultStepMs: this.#context.defaultStepMs, rangeEnd: endOf })
    const ranges = { rangeMs: expr.rangeMs, endOf }
    if (inner.count === 0) return { series: [], ranges }
    // Counted before anything is made: even without any series some functions make one, as long as the steps.
    this.budget.take(inner.count)
    const series = new Evaluator(this.#context, inner).series(expr.expr)
    return { series: series.map(one => toRaw(one, inner)), ranges }
  }

  /** A series without labels that has a value at every step. */
  #asSeries(values: Float64Array): GridSeries {
    return { labels: NO_LABELS, values, present: new Uint8Array(values.length).fill(1), histograms: undefined }
  }

  #counted(value: Value): Value {
    if (value.type === 'vector') this.budget.take(value.series.length * this.#steps.count)
    return value
  }

  #scalar(numberAt: (step: number) => number): Value {
    return { type: 'scalar', values: this.#numbersOf(numberAt) }
  }

  #numbersOf(numberAt: (step: number) => number): Float64Array {
    this.budget.take(this.#steps.count)
    return Float64Array.from({ length: this.#steps.count }, (_, i) => numberAt(i))
  }

  #secondsAt(step: number): number {
    return timeOf(this.#steps, step) / 1_000
  }

  #negated(value: Value): Value {
    if (value.type === 'scalar') return { type: 'scalar', values: value.values.map(number => -number) }
    if (value.type !== 'vector') return value
    return vector(mapCells(value.series, this.budget, cell => (typeof cell === 'number' ? -cell : multiply(cell, -1))))
  }

  #aggregate(expr: Aggregation): Value {
    const groups = groupSeries(this.series(expr.expr), expr)
    const { count } = this.#steps
    if (expr.op === 'count_values') {
      return vector(countValues(expr, groups, labelName(this.text(expr.param!)), { count, budget: this.budget }))
    }
    const param = expr.param === null ? null : this.numbers(expr.param)
    if (CHOOSING.has(expr.op) && param!.some(Number.isNaN)) {
      throw new PromqlExecutionError(`${expr.op === 'limit_ratio' ? 'Ratio' : 'Parameter'} value is NaN`)
    }
    if (expr.op === 'quantile') warnQuantiles(this.notes, param!, expr.param!.position)
    if (CHOOSING.has(expr.op)) return this.#counted(vector(withValues(chooseSeries(expr, groups, param!, this.notes))))
    return this.#counted(vector(foldGroups(expr, groups, { count, param, notes: this.notes, budget: this.budget })))
  }

  #call(expr: Call): Value {
    const { name, args } = expr
    const math = MATH.get(name)
    if (math !== undefined) return vector(mapValues(this.series(args[0]!), math))
    const calendar = CALENDAR.get(name)
    if (calendar !== undefined) return vector(mapValues(this.#orTime(args[0]), calendar))
    const ofHistogram = OF_HISTOGRAMS.get(name)
    if (ofHistogram !== undefined) {
      return vector(
        mapCells(this.series(args[0]!), this.budget, cell => (typeof cell === 'number' ? undefined : ofHistogram(cell)))
      )
    }
    if (isRangeFunction(name)) return vector(rangeFunction(expr, this))
    return this.#otherCall(expr)
  }

  #otherCall(call: Call): Value {
    const { name, args } = call
    switch (name) {
      case 'time':
        return this.#scalar(step => this.#secondsAt(step))
      case 'pi':
        return this.#scalar(() => Math.PI)
      case 'max_of':
      case 'min_of':
        return this.#ofTwo(args, name === 'max_of' ? largerOf : smallerOf)
      case 'start_timestamp':
        // Nothing here knows when series started, as Prometheus does not by default.
        this.series(args[0]!)
        return vector([])
      case 'scalar':
        return this.#toScalar(this.series(args[0]!))
      case 'vector':
        return vector([this.#asSeries(this.numbers(args[0]!))])
      case 'absent':
        return vector([absentSeries(absentLabels(args[0]!), this.series(args[0]!), this.#steps.count)])
      case 'timestamp':
        return vector(this.#timestamps(args[0]!))
      case 'clamp':
        return vector(clamp(this.series(args[0]!), this.numbers(args[1]!), this.numbers(args[2]!)))
      case 'clamp_min':
        return vector(clamp(this.series(args[0]!), this.numbers(args[1]!), null))
      case 'clamp_max':
        return vector(clamp(this.series(args[0]!), null, this.numbers(args[1]!)))
      case 'round':
        return vector(round(this.series(args[0]!), args[1] === undefined ? null : this.numbers(args[1])))
      case 'sort':
      case 'sort_desc':
        this.#warnOfSort(call)
        return vector(sortByValue(this.series(args[0]!), this.#steps.count, name === 'sort' ? 1 : -1))
      case 'sort_by_label':
      case 'sort_by_label_desc':
        this.#warnOfSort(call)
        return vector(sortByLabels(this.series(args[0]!), this.#strings(args.slice(1)), name === 'sort_by_label' ? 1 : -1))
      case 'label_replace':
        return vector(labelReplace(this.series(args[0]!), this.#strings(args.slice(1))))
      case 'label_join':
        return vector(labelJoin(this.series(args[0]!), this.#strings(args.slice(1))))
      case 'histogram_quantile':
        return vector(histogramQuantileCall(args, this))
      case 'histogram_quantiles':
        return vector(histogramQuantilesCall(args, this, labelName))
      case 'histogram_fraction':
        return vector(histogramFractionCall(args, this))
      default:
        throw new TypeError(`the parser lets no function ${name} here`)
    }
  }

  #warnOfSort(call: Call): void {
    if (this.#steps.count < 2 || isStepInvariant(call)) return
    this.notes.warn('sort is ineffective for range queries since results are always ordered by labels', call.position)
  }

  #ofTwo(args: readonly Expr[], run: (left: number, right: number) => number): Value {
    const [left, right] = [this.numbers(args[0]!), this.numbers(args[1]!)]
    return this.#scalar(step => run(left[step]!, right[step]!))
  }

  #strings(args: readonly Expr[]): readonly string[] {
    return args.map(arg => this.text(arg))
  }

  #orTime(arg: Expr | undefined): readonly GridSeries[] {
    return arg === undefined ? [this.#asSeries(this.#numbersOf(step => this.#secondsAt(step)))] : this.series(arg)
  }

  /** The value of the only number; NaN for no numbers or several. */
  #toScalar(series: readonly GridSeries[]): Value {
    return this.#scalar(step => {
      const here = series.filter(({ present, histograms }) => present[step] === 1 && histograms?.[step] === undefined)
      return here.length === 1 ? here[0]!.values[step]! : Number.NaN
    })
  }

  /** Of a plain selector the times of its samples, of anything else that of the step. */
  #timestamps(arg: Expr): readonly GridSeries[] {
    if (arg.type === 'paren') return this.#timestamps(arg.expr)
    if (arg.type !== 'selector') return mapCells(this.series(arg), this.budget, (_, step) => this.#secondsAt(step))
    return mapValues(this.#selectors.times(arg), value => value)
  }

  #info(call: Call): readonly GridSeries[] {
    const selector = infoSelector(call)
    if (this.#selectors.samples(selector).some(({ histograms }) => histograms !== undefined))
      throw new PromqlExecutionError('info sample should be float')
    return joinInfo(call, this.series(call.args[0]!), this.#selectors.times(selector), this.budget)
  }
}

function labelName(name: string): string {
  if (!isLabelName(name)) throw new PromqlExecutionError(`invalid label name ${goQuoted(name)}`)
  return name
}
