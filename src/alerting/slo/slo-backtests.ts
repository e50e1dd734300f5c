import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { Namespace } from '../../domain/namespace.js'
import { ruleJson } from '../evaluate/parse-rule/rule-json.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import type { AlertBacktests, BacktestReport } from '../rules/alert-backtests.js'
import { BURN_WINDOWS } from './burn-windows.js'
import { parseSlo } from './parse-slo.js'
import { burnRuleName, unrecordedBurnRule } from './slo-rules.js'

/** Dependencies of `SloBacktests`. */
export interface SloBacktestsDeps {
  readonly backtests: Pick<AlertBacktests, 'run'>
  readonly readPromql: ReadPromql
}

/** An SLO to try, as clients write it, and the window in any form that `resolveWindow` reads. */
export interface BacktestedSlo {
  readonly slo: unknown
  readonly start?: unknown
  readonly end?: unknown
}

/** What an alert of the SLO would have done. */
export interface SloBacktestReport extends BacktestReport {
  /** Name of the alert. */
  readonly alert: string
}

/** Evaluates the fastest alert of SLOs over the past, out of the events themselves: before an SLO recorded any. */
export class SloBacktests {
  readonly #deps: SloBacktestsDeps

  constructor(deps: SloBacktestsDeps) {
    this.#deps = deps
  }

  /** `invalid_field` with all errors of the SLO, and the errors of `AlertBacktests.run`. */
  async run(ns: Namespace, { slo: input, start, end }: BacktestedSlo, signal: AbortSignal): Promise<SloBacktestReport> {
    const { backtests, readPromql } = this.#deps
    const slo = parseSlo(input, readPromql)
    const window = BURN_WINDOWS.find(({ alert }) => slo.alerts.includes(alert)) ?? BURN_WINDOWS[0]!
    const rule: AlertRuleContent = unrecordedBurnRule({ ...slo, enabled: true }, window, readPromql)
    return { alert: burnRuleName(slo, window), ...(await backtests.run(ns, { rule: ruleJson(rule), start, end }, signal)) }
  }
}
