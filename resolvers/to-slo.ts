import type { ReadRules } from '../schema/alert.type.js'
import type { SloBacktestType, SloReportType, SloType } from '../schema/slo.type.js'
import type { ErrorBudgetReport } from '../src/alerting/slo/budget-types.js'
import type { SloBacktestReport } from '../src/alerting/slo/slo-backtests.js'
import { sloDocument } from '../src/alerting/slo/slo-json.js'
import type { Slo } from '../src/domain/alerts/slo.js'
import { toBacktestInstances } from './alert-backtest.resolver.js'
import { nsOfMs, optionalNs } from './to-access.js'
import { toStats } from './to-shared.js'

/** An SLO as GraphQL has it. */
export function toSlo(slo: Slo, allRules: ReadRules): SloType {
  const { id, name, service, objective, windowMs, enabled, version, updatedAtMs } = slo
  const shown = { id, name, service, objective, window: windowMs, enabled, version, updatedAt: nsOfMs(updatedAtMs) }
  return { ...shown, document: sloDocument(slo), slo, allRules }
}

/** An error budget as GraphQL has it. */
export function toSloReport(report: ErrorBudgetReport): SloReportType {
  const { state, window, countedSinceMs, missingMinutes, total, bad, attained, consumed, remaining, burnRates, days } = report
  return {
    ...{ state, start: nsOfMs(window.startMs), end: nsOfMs(window.endMs), countedSince: optionalNs(countedSinceMs) },
    ...{ missingMinutes, total, bad, attained, consumed, budgetLeft: remaining },
    burnRates: burnRates.map(({ windowMs, rate }) => ({ window: windowMs, rate })),
    exhaustedAt: optionalNs(report.exhaustedAtMs),
    days: days.map(({ startMs, endMs, ...day }) => ({ ...day, start: nsOfMs(startMs), end: nsOfMs(endMs) })),
    stats: toStats(
      { complete: report.complete && missingMinutes === 0, warnings: report.warnings, tookMs: report.tookMs },
      'metrics'
    )
  }
}

/** What an SLO would have done, as GraphQL has it. */
export function toSloBacktest(backtest: SloBacktestReport): SloBacktestType {
  return {
    alerts: backtest.alerts.map(({ name, burn, instances, notifications, perWeek, flaps, evaluations }) => ({
      ...{ alert: name, kind: burn.alert, window: burn.longMs, factor: burn.factor },
      ...{ instances: toBacktestInstances(instances), notifications, perWeek, flaps, evaluations }
    })),
    report: toSloReport(backtest.budget),
    stats: toStats(backtest, 'metrics')
  }
}
