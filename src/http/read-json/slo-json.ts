import type { ErrorBudgetReport } from '../../alerting/slo/budget-types.js'
import type { SloBacktestReport } from '../../alerting/slo/slo-backtests.js'
import { sloDocument } from '../../alerting/slo/slo-json.js'
import type { Slo } from '../../domain/alerts/slo.js'
import { formatDurationMs } from '../../domain/duration.js'
import type { ResultFacts } from '../../query/result.js'
import type { SloReply } from '../routes/slos-schemas.js'
import { backtestResultJson, optionalTime, timeJson } from './alert-json.js'
import { factsJson } from './facts-json.js'

const NS_PER_MS = 1_000_000n

/** A version of an SLO. */
export function sloJson(slo: Slo): SloReply {
  const { id, version, revision, revisionSinceMs, groupId, updatedBy, updatedAtMs } = slo
  return {
    ...sloDocument(slo),
    ...{ id, version, revision, revision_since: timeJson(revisionSinceMs), group_id: groupId },
    ...{ updated_by: updatedBy, updated_at: timeJson(updatedAtMs) }
  }
}

/** A report with minutes that were not counted is not complete. */
export function reportFacts({ complete, warnings, tookMs, window, missingMinutes }: ErrorBudgetReport): ResultFacts {
  const times = { startNs: BigInt(window.startMs) * NS_PER_MS, endNs: BigInt(window.endMs) * NS_PER_MS }
  return { complete: complete && missingMinutes === 0, warnings, tookMs, window: { ...times, unitDetected: 'relative' } }
}

/** The error budget of an SLO. */
export function sloReportJson({ objective }: Pick<Slo, 'objective'>, report: ErrorBudgetReport) {
  const { state, countedSinceMs, missingMinutes, total, bad, attained, consumed, remaining, exhaustedAtMs } = report
  return {
    ...{ state, objective, counted_since: optionalTime(countedSinceMs), missing_minutes: missingMinutes },
    ...{ total, bad, attained, consumed, remaining },
    burn_rates: report.burnRates.map(({ windowMs, rate }) => ({ window: formatDurationMs(windowMs), rate })),
    exhausted_at: optionalTime(exhaustedAtMs),
    days: report.days.map(({ startMs, endMs, burnRate, missingMinutes: missing, ...day }) => ({
      ...{ start: timeJson(startMs), end: timeJson(endMs) },
      ...{ total: day.total, bad: day.bad, attained: day.attained, burn_rate: burnRate, consumed: day.consumed },
      missing_minutes: missing
    })),
    ...factsJson(reportFacts(report))
  }
}

/** What an SLO would have done. */
export function sloBacktestJson(backtest: SloBacktestReport) {
  return {
    alerts: backtest.alerts.map(({ name, burn, ...result }) => ({
      ...{ alert: name, kind: burn.alert, window: formatDurationMs(burn.longMs), factor: burn.factor },
      ...backtestResultJson(result)
    })),
    report: sloReportJson(backtest.slo, backtest.budget),
    ...factsJson(backtest)
  }
}
