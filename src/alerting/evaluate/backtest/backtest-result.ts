import type { AlertState } from '../../../domain/alerts/alert-state.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Warning } from '../../../domain/warning.js'

/** A time in which an instance had one state. */
export interface BacktestInterval {
  readonly state: AlertState
  /** Unix milliseconds of evaluations. */
  readonly fromMs: number
  /** Exclusive: the evaluation that changed the state, or the end of the backtest. */
  readonly toMs: number
  /** The value that is farthest beyond the threshold; null for states without values. */
  readonly peak: number | null
}

/** An instance that was not inactive at some time. */
export interface BacktestInstance {
  readonly labels: readonly Label[]
  /** In the order of time. */
  readonly intervals: readonly BacktestInterval[]
}

/** How often a changed rule would have notified. */
export interface BacktestSuggestion {
  readonly forMs: number
  readonly perWeek: number
}

/** What a rule would have done. */
export interface BacktestResult {
  /** By labels. */
  readonly instances: readonly BacktestInstance[]
  /** Times at which the alert began to fire while none of its instances did: one group by alert name. */
  readonly notifications: number
  readonly perWeek: number
  /** Firings of an instance that began within 15 minutes of the end of its last one. */
  readonly flaps: number
  /** Longer `for` with fewer notifications; none when there were no notifications. */
  readonly suggestions: readonly BacktestSuggestion[]
  readonly evaluations: number
  /** False when evaluations failed, the time ended, or data of the range is past the retention; `warnings` states which. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}
