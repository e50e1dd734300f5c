import type { Slo, SloContent } from '../../domain/alerts/slo.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import { distinctWarnings } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import { type GridLine, type GridResult, readGrid } from '../../query/promql/grid-bytes.js'
import type { PromqlQuery } from '../../query/promql/promql-query.js'
import type { PromqlRequest } from '../../query/promql/promql-request.js'
import { promqlToGatewayError } from '../../query/promql/to-gateway-error.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import type { QuerySettings } from '../../query/settings.js'
import { budgetReport } from './budget-report.js'
import type { ErrorBudgetReport, SloHours } from './budget-types.js'
import { REPORTED_WINDOWS_MS } from './burn-windows.js'
import { MAX_SLOS, RECORDED_MS, RECORDED_TIMES } from './slo-limits.js'
import { errorBudget, EVENTS_LABEL, recordedSelector, type SloIdentity } from './slo-rules.js'

const HOUR_MS = 3_600_000
/** How long a report is returned again. Recordings are a minute apart. */
const KEPT_MS = 30_000
/** Reports of all namespaces that are kept. */
const KEPT_REPORTS = 20 * MAX_SLOS
const MINUTES = 'minutes'
const WINDOW = 'window'

/** Dependencies of `SloReports`. */
export interface SloReportsDeps {
  readonly promql: Pick<PromqlQuery, 'run'>
  readonly settings: Pick<QuerySettings, 'timeoutMs'>
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
}

/** What of an SLO its report depends on. */
export type ReportedSlo = SloIdentity & Pick<Slo, 'version'> & Pick<SloContent, 'objective' | 'windowMs'>

interface KeptReport {
  readonly version: number
  readonly atMs: number
  readonly report: ErrorBudgetReport
}

/** Reads error budgets out of what the recording rules of SLOs have written. */
export class SloReports {
  readonly #deps: SloReportsDeps
  /** By SLO, oldest first. */
  readonly #kept = new Map<string, KeptReport>()
  /** The last read of each namespace: a list of SLOs requests all of its reports at once. */
  readonly #last = new Map<NamespaceId, Promise<unknown>>()

  constructor(deps: SloReportsDeps) {
    this.#deps = deps
  }

  /**
   * The error budget of an SLO now. A complete report of the same version is returned again for `KEPT_MS`. Reports of a namespace
   * are read one after the other. The errors of PromQL and of the metric store.
   */
  async report(ns: Namespace, slo: ReportedSlo, signal: AbortSignal): Promise<ErrorBudgetReport> {
    const before = this.#last.get(ns.id) ?? Promise.resolve()
    const report = before.then(() => this.#report(ns, slo, signal))
    // Its own caller receives the failure; those behind it wait for its end alone.
    const settled = report.then(
      () => undefined,
      () => undefined
    )
    this.#last.set(ns.id, settled)
    try {
      return await report
    } finally {
      if (this.#last.get(ns.id) === settled) this.#last.delete(ns.id)
    }
  }

  async #report(ns: Namespace, slo: ReportedSlo, signal: AbortSignal): Promise<ErrorBudgetReport> {
    signal.throwIfAborted()
    const nowMs = this.#deps.clock.nowMs()
    const key = `${ns.id} ${slo.id}`
    const kept = this.#kept.get(key)
    if (kept !== undefined && kept.version === slo.version && Math.abs(nowMs - kept.atMs) < KEPT_MS) return kept.report
    const report = await this.#read(ns, slo, nowMs, signal)
    // An incomplete one may be complete at the next request.
    if (!report.complete) return report
    this.#kept.delete(key)
    this.#kept.set(key, { version: slo.version, atMs: nowMs, report })
    if (this.#kept.size > KEPT_REPORTS) this.#kept.delete(this.#kept.keys().next().value!)
    return report
  }

  async #read(ns: Namespace, slo: ReportedSlo, nowMs: number, signal: AbortSignal): Promise<ErrorBudgetReport> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const endMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
    const startMs = endMs - slo.windowMs
    // The value at the end of an hour is that of the hour.
    const steps = { startMs: startMs + HOUR_MS, stepMs: HOUR_MS, count: slo.windowMs / HOUR_MS }
    const byHour = await this.#run(ns, { query: hourQuery(slo), steps, isRange: true }, signal)
    const now = { startMs: nowMs, stepMs: 1, count: 1 }
    const recent = await this.#run(ns, { query: recentQuery(slo), steps: now, isRange: false }, signal)
    const report = budgetReport({
      budget: errorBudget(slo),
      windowMs: slo.windowMs,
      nowMs,
      hours: hoursOf(byHour.lines, startMs, steps.count),
      recent: recentOf(recent.lines)
    })
    const results = [byHour, recent]
    const complete = results.every(({ hasGaps, isTruncated }) => !hasGaps && !isTruncated)
    return {
      ...report,
      state: complete ? report.state : 'partial',
      complete,
      warnings: distinctWarnings(results.flatMap(({ warnings }) => warnings)),
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  async #run(ns: Namespace, request: PromqlRequest, signal: AbortSignal): Promise<GridResult> {
    try {
      return readGrid(await this.#deps.promql.run(ns, { ...request, form: 'grid' }, signal))
    } catch (error) {
      throw promqlToGatewayError(error, this.#deps.settings.timeoutMs)
    }
  }
}

/** Bad events, all events and counted minutes of an hour. */
function hourQuery(slo: ReportedSlo): string {
  const events = `sum by (${EVENTS_LABEL}) (sum_over_time(${recordedSelector(slo)}[1h]))`
  const minutes = `sum(count_over_time(${recordedSelector(slo, 'total')}[1h]))`
  return `${events} or label_replace(${minutes}, "${EVENTS_LABEL}", "${MINUTES}", "", "")`
}

/** Bad events and all events of the windows of alerts. */
function recentQuery(slo: ReportedSlo): string {
  const selector = recordedSelector(slo)
  const windows = REPORTED_WINDOWS_MS.map(ms => {
    const text = formatDuration(ms)
    const events = ms === RECORDED_MS ? selector : `sum_over_time(${selector}[${text}])`
    return `label_replace(sum by (${EVENTS_LABEL}) (${events}), "${WINDOW}", "${text}", "", "")`
  })
  return windows.join(' or ')
}

function labelOf({ labels }: GridLine, name: string): string {
  return labels.find(label => label.name === name)?.value ?? ''
}

function hoursOf(lines: readonly GridLine[], startMs: number, count: number): SloHours {
  const values = (name: string, times: number): readonly number[] => {
    const line = lines.find(each => labelOf(each, EVENTS_LABEL) === name)
    return Array.from({ length: count }, (_, at) => finite(line?.values[at]) / times)
  }
  return { startMs, bad: values('bad', RECORDED_TIMES), total: values('total', RECORDED_TIMES), minutes: values(MINUTES, 1) }
}

function recentOf(lines: readonly GridLine[]): ReadonlyMap<number, { readonly bad: number; readonly total: number }> {
  const found = new Map<number, { readonly bad: number; readonly total: number }>()
  for (const ms of REPORTED_WINDOWS_MS) {
    const ofWindow = lines.filter(line => labelOf(line, WINDOW) === formatDuration(ms))
    const value = (name: string): number | undefined =>
      ofWindow.find(line => labelOf(line, EVENTS_LABEL) === name)?.values[0] ?? undefined
    const [bad, total] = [value('bad'), value('total')]
    if (bad !== undefined && total !== undefined) found.set(ms, { bad: finite(bad), total: finite(total) })
  }
  return found
}

/** A counter may have been sent as NaN: what it is part of counts no events. */
function finite(value: number | null | undefined): number {
  return value === null || value === undefined || !Number.isFinite(value) ? 0 : value
}
