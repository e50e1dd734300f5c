import type { AlertGroup, AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { ConditionResult } from '../../domain/alerts/alert-state.js'
import type { Namespace } from '../../domain/namespace.js'

/** The rule whose condition is read. */
export interface ReadRule extends Pick<AlertRuleContent, 'kind' | 'condition' | 'threshold'> {
  /** How far before each time data is read; null for 0 with PromQL and 15 s with logs and spans. */
  readonly queryOffsetMs: AlertGroup['queryOffsetMs']
}

/** Reads what conditions result in. */
export interface ConditionReader {
  /**
   * Results at these times, in their order. Times rise by one distance and are Unix milliseconds of evaluations; data is read
   * as of `queryOffsetMs` before each. Failures of the condition and of its store are results of the kind `error`, also those
   * of incomplete reads; rejects only when the signal is aborted, with its reason.
   */
  read(ns: Namespace, rule: ReadRule, times: readonly number[], signal: AbortSignal): Promise<readonly ConditionResult[]>
}
