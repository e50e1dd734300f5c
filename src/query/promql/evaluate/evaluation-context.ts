import type { VectorSelector, Expr } from '../syntax/ast.js'
import type { Budget } from './budget.js'
import type { Notes } from './notes.js'
import type { RawSeries, Steps } from './values.js'
import type { Ranges } from './windows.js'

/** The dependencies of an evaluation. */
export interface EvaluationContext {
  /** The steps of the whole query, which `@ start()` and `@ end()` mean. */
  readonly query: Steps
  readonly samples: ReadonlyMap<VectorSelector, readonly RawSeries[]>
  readonly lookbackMs: number
  /** Step of subqueries that name none. */
  readonly defaultStepMs: number
  readonly budget: Budget
  readonly notes: Notes
}

/** The samples of a range, and where its windows are. */
export interface RangeInput {
  readonly series: readonly RawSeries[]
  readonly ranges: Ranges
}

/** What functions of ranges need of an evaluation. */
export interface RangeEvaluation {
  readonly steps: Steps
  readonly notes: Notes
  readonly budget: Budget
  /** The samples that a range expression covers. */
  range(expr: Expr): RangeInput
  /** The value of each step of a scalar expression. */
  numbers(expr: Expr): Float64Array
}
