import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import { resolveWindow, type ResolvedWindow } from '../../domain/time-range.js'
import type { AlertRules } from '../../ports/alert-rules.js'
import type { Clock } from '../../ports/clock.js'
import type { Backtest } from '../evaluate/backtest/backtest.js'
import type { BacktestResult } from '../evaluate/backtest/backtest-result.js'
import type { AlertRuleService } from './alert-rule-service.js'
import { DEFAULT_GROUP } from './rule-limits.js'

const DEFAULT_WINDOW_MS = 7 * 86_400_000
const NS_PER_MS = 1_000_000n

/** Dependencies of `AlertBacktests`. */
export interface AlertBacktestsDeps {
  readonly backtest: Pick<Backtest, 'run'>
  readonly alertRules: Pick<AlertRuleService, 'parse'>
  readonly rules: Pick<AlertRules, 'group'>
  readonly clock: Pick<Clock, 'nowNs'>
  /** Address of the console, for templates. */
  readonly externalUrl: string
}

/** A rule to try, as clients write it. */
export interface BacktestedRule {
  readonly rule: unknown
  /** Its group, whose interval, limit and offset count; 1 minute and no others when absent. */
  readonly groupId?: string | undefined
  /** Bounds in any form that `resolveWindow` reads; the last 7 days when absent. */
  readonly start?: unknown
  readonly end?: unknown
}

/** What the rule would have done in the window. */
export interface BacktestReport extends BacktestResult {
  readonly window: ResolvedWindow
}

/** Evaluates rules that are not stored over the past. */
export class AlertBacktests {
  readonly #deps: AlertBacktestsDeps

  constructor(deps: AlertBacktestsDeps) {
    this.#deps = deps
  }

  /** `invalid_field` with all errors of the rule, `not_found` for an unknown group, `invalid_time_range`. */
  async run(ns: Namespace, { rule, groupId, start, end }: BacktestedRule, signal: AbortSignal): Promise<BacktestReport> {
    const { backtest, alertRules, rules, clock, externalUrl } = this.#deps
    const content = alertRules.parse(rule)
    const window = resolveWindow(start, end, clock.nowNs(), DEFAULT_WINDOW_MS)
    const group = groupId === undefined ? DEFAULT_GROUP : await rules.group(ns.id, groupId)
    if (group === null) {
      throw new GatewayError('not_found', 'no alert group of this namespace has this id', { field: 'group_id' })
    }
    const { intervalMs, queryOffsetMs, limit } = group
    const range = { startMs: Number(window.startNs / NS_PER_MS), endMs: Number(window.endNs / NS_PER_MS) }
    const context = { limit, externalUrl }
    const result = await backtest.run(ns, { rule: content, intervalMs, queryOffsetMs, context, phaseMs: 0, ...range }, signal)
    return { ...result, window }
  }
}
