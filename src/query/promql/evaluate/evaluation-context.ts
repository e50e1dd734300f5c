import type { VectorSelector } from '../syntax/ast.js'
import type { Budget } from './budget.js'
import type { Notes } from './notes.js'
import type { RawSeries, Steps } from './values.js'

/** What an evaluation stands on. */
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
