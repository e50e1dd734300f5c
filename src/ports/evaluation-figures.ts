/** Figures of one evaluation of an alert rule, which may be of several steps. */
export interface EvaluationFigures {
  /** From the first of its steps to its begin. */
  readonly lateMs: number
  readonly durationMs: number
  readonly steps: number
  /** Steps that were too old to be evaluated. */
  readonly skipped: number
  /** Steps that failed. */
  readonly failed: number
}
