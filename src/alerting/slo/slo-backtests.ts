import type { SloContent } from '../../domain/alerts/slo.js'
import { formatDurationMs } from '../../domain/duration.js'
import { type Namespace, type RetainedSignal, retentionStartNs } from '../../domain/namespace.js'
import { resolveWindow, type ResolvedWindow } from '../../domain/time-range.js'
import { formatNs } from '../../domain/timestamp.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { Timers } from '../../ports/timers.js'
import type { PromqlQuery } from '../../query/promql/promql-query.js'
import { queryTimeout } from '../../query/timed-pages.js'
import type { EventLoopSlices } from '../../threads/event-loop-slices.js'
import { Backtest, BACKTEST_TIMEOUT_MS } from '../evaluate/backtest/backtest.js'
import { backtestTimes } from '../evaluate/backtest/backtest-times.js'
import type { BacktestResult } from '../evaluate/backtest/backtest-result.js'
import type { ConditionReader } from '../evaluate/condition-reader.js'
import type { ErrorBudgetReport } from './budget-types.js'
import type { BurnWindow } from './burn-windows.js'
import { parseSlo } from './parse-slo.js'
import { type PastEvents, readPastEvents } from './past-events.js'
import { SLO_INTERVAL_MS } from './slo-limits.js'
import { SloReports } from './slo-report.js'
import { burnRule, burnWindows, recordingRule, sloGroup } from './slo-rules.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DEFAULT_WINDOW_MS = 7 * DAY_MS
const NS_PER_MS = 1_000_000n
/** Of the time of a backtest, what reading of events may take: alerts and budget are computed in the rest. */
const READ_TIMEOUT_MS = 20_000
/** The last part of the time is for the budget: alerts end before, with what they have. */
const BUDGET_TIMEOUT_MS = 5_000
/** An SLO that is not stored has no id of its own. */
const IDENTITY = { id: 'backtest', revision: 1, version: 1 } as const

/** Dependencies of `SloBacktests`. */
export interface SloBacktestsDeps {
  readonly promql: Pick<PromqlQuery, 'parse' | 'over'>
  /** Reads conditions by this evaluation. */
  readonly readerOf: (promql: Pick<PromqlQuery, 'run' | 'parse'>) => ConditionReader
  /** Reads events: conditions over the stores. */
  readonly reader: ConditionReader
  readonly clock: Clock
  readonly timers: Timers
  readonly slices: Pick<EventLoopSlices, 'run'>
  /** Address of the console, for templates. */
  readonly externalUrl: string
}

/** An SLO to try, as clients write it, and the window in any form that `resolveWindow` reads. */
export interface BacktestedSlo {
  readonly slo: unknown
  readonly start?: unknown
  readonly end?: unknown
}

/** What one alert of an SLO would have done. */
export interface SloAlertBacktest extends BacktestResult {
  /** Name of the alert. */
  readonly name: string
  readonly burn: BurnWindow
}

/** What an SLO would have done. */
export interface SloBacktestReport {
  readonly slo: SloContent
  /** Shortest windows first. */
  readonly alerts: readonly SloAlertBacktest[]
  /** At the end of the window. Minutes of which no time was left to count events are missing ones. */
  readonly budget: ErrorBudgetReport
  readonly window: ResolvedWindow
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}

interface Run {
  readonly ns: Namespace
  readonly slo: SloContent
  readonly startMs: number
  readonly endMs: number
  /** When alerts end, and all; of the monotonic clock. */
  readonly alertsEndMs: number
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/**
 * Evaluates the rules of SLOs over the past without storing anything: events are counted by the recording rule of the SLO, minute
 * by minute, and its alerts and its error budget read these counts as they would have read the stored ones.
 */
export class SloBacktests {
  readonly #deps: SloBacktestsDeps

  constructor(deps: SloBacktestsDeps) {
    this.#deps = deps
  }

  /**
   * `invalid_field` with all errors of the SLO, `invalid_time_range`, `query_timeout` when no alert could be evaluated, or no time
   * is left for the budget.
   */
  async run(ns: Namespace, { slo: input, start, end }: BacktestedSlo, signal: AbortSignal): Promise<SloBacktestReport> {
    const { promql, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const slo = { ...parseSlo(input, query => promql.parse(query)), enabled: true }
    const window = resolveWindow(start, end, clock.nowNs(), DEFAULT_WINDOW_MS)
    const range = { startMs: Number(window.startNs / NS_PER_MS), endMs: Number(window.endNs / NS_PER_MS) }
    backtestTimes({ ...range, intervalMs: SLO_INTERVAL_MS, phaseMs: 0 })
    const deadlineMs = startedMs + BACKTEST_TIMEOUT_MS
    const run: Run = { ns, slo, ...range, alertsEndMs: deadlineMs - BUDGET_TIMEOUT_MS, deadlineMs, signal }
    const lookBackMs = Math.max(0, ...burnWindows(slo).map(({ longMs }) => longMs))
    const alertsFromMs = range.startMs - lookBackMs
    const kept = retentionWarnings(ns, { signal: countedSignal(slo), alertsFromMs, lookBackMs, nowNs: clock.nowNs() })
    const events = await this.#events(run, alertsFromMs)
    const endMs = events.isCut ? (events.lastMs ?? 0) : range.endMs
    if (endMs <= range.startMs) throw queryTimeout(READ_TIMEOUT_MS)
    const alerts = await this.#alerts({ ...run, endMs }, events)
    const budget = await this.#budget(run, events)
    const ofAlerts = alerts.flatMap(each => each.warnings).filter(isOfEvaluation)
    const warnings = distinctWarnings([...kept, ...eventWarnings(events), ...ofAlerts])
    return { slo, alerts, budget, window, complete: warnings.length === 0, warnings, tookMs: clock.monotonicMs() - startedMs }
  }

  #events({ ns, slo, endMs, signal }: Run, alertsFromMs: number): Promise<PastEvents> {
    const { promql } = this.#deps
    return readPastEvents(this.#deps, {
      ns,
      rule: recordingRule(slo, IDENTITY, query => promql.parse(query)),
      queryOffsetMs: sloGroup(slo).queryOffsetMs,
      alertsFromMs,
      budgetFromMs: Math.ceil(endMs / HOUR_MS) * HOUR_MS - slo.windowMs,
      ...{ endMs, signal, timeoutMs: READ_TIMEOUT_MS }
    })
  }

  async #alerts({ ns, slo, startMs, endMs, alertsEndMs, signal }: Run, { metrics }: PastEvents): Promise<SloAlertBacktest[]> {
    const { promql, readerOf, clock, timers, slices, externalUrl } = this.#deps
    const backtest = new Backtest({ reader: readerOf(promql.over(metrics)), clock, timers, slices })
    const { intervalMs, queryOffsetMs, limit } = sloGroup(slo)
    const group = { intervalMs, queryOffsetMs, phaseMs: 0, context: { limit, externalUrl } }
    const alerts: SloAlertBacktest[] = []
    for (const burn of burnWindows(slo)) {
      const rule = burnRule(slo, IDENTITY, burn)
      const timeoutMs = Math.max(0, alertsEndMs - clock.monotonicMs())
      const result = await backtest.run(ns, { rule, ...group, startMs, endMs, timeoutMs }, signal)
      alerts.push({ name: rule.name, burn, ...result })
    }
    return alerts
  }

  async #budget({ ns, slo, endMs, deadlineMs, signal }: Run, { metrics }: PastEvents): Promise<ErrorBudgetReport> {
    const { promql, clock, timers } = this.#deps
    const over = new AbortController()
    const leftMs = Math.max(0, deadlineMs - clock.monotonicMs())
    const cancel = timers.after(leftMs, () => over.abort(queryTimeout(BACKTEST_TIMEOUT_MS)))
    const ofEnd = { nowMs: () => endMs, monotonicMs: () => clock.monotonicMs() }
    const settings = { timeoutMs: BACKTEST_TIMEOUT_MS }
    const reports = new SloReports({ promql: promql.over(metrics), settings, clock: ofEnd })
    try {
      return await reports.report(ns, { ...slo, ...IDENTITY }, AbortSignal.any([signal, over.signal]))
    } finally {
      cancel()
    }
  }
}

/** The signal that the indicator counts events of. */
function countedSignal({ indicator }: SloContent): RetainedSignal {
  return indicator.kind === 'ratio' ? 'metrics' : 'traces'
}

/** Alerts read counts, which no retention has cut. */
function isOfEvaluation(warning: Warning): boolean {
  return typeof warning === 'string' || warning.kind !== 'retention'
}

/** Which events alerts read, from when on, and how far back each looks. */
interface KeptEvents {
  readonly signal: RetainedSignal
  readonly alertsFromMs: number
  readonly lookBackMs: number
  readonly nowNs: bigint
}

function retentionWarnings(
  { retention }: Namespace,
  { signal, alertsFromMs, lookBackMs, nowNs }: KeptEvents
): readonly Warning[] {
  const oldestNs = retentionStartNs(retention, signal, nowNs)
  if (BigInt(alertsFromMs) * NS_PER_MS >= oldestNs) return []
  const detail = `${signal} before ${formatNs(oldestNs)} are past this namespace's retention, and alerts look back up to ${formatDurationMs(lookBackMs)}; those of the ${formatDurationMs(lookBackMs)} after it lack events`
  return [{ kind: 'retention', detail, remedy: 'Start the backtest later.', range: { endNs: oldestNs } }]
}

function eventWarnings({ isCut, lastMs, failed, count, firstError }: PastEvents): readonly Warning[] {
  const warnings: Warning[] = []
  if (isCut)
    warnings.push({
      kind: 'cap',
      detail: `counting events exceeded its time limit of ${formatDurationMs(READ_TIMEOUT_MS)}; alerts end at ${formatNs(BigInt(lastMs!) * NS_PER_MS)}`,
      remedy: 'Shorten the range, or count fewer series.'
    })
  if (failed > 0) warnings.push(`${failed} of ${count} counts of events failed; the first: ${firstError}`)
  return warnings
}
