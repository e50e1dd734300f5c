import type { SloAlert } from '../../domain/alerts/slo.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A burn-rate alert: both windows have to burn faster than the factor. */
export interface BurnWindow {
  readonly alert: SloAlert
  readonly longMs: number
  readonly shortMs: number
  /** Times the rate that spends the budget exactly within the window of the SLO. */
  readonly factor: number
}

/**
 * Multiwindow, multi-burn-rate alerts. Source: Google SRE Workbook, chapter 5, table 5-8. A burn rate of 14.4 spends 2 % of the
 * budget of 30 days in an hour, 6 spends 5 % in 6 hours, and 1 spends 10 % in 3 days.
 */
export const BURN_WINDOWS: readonly BurnWindow[] = [
  { alert: 'page', longMs: HOUR_MS, shortMs: 5 * MINUTE_MS, factor: 14.4 },
  { alert: 'page', longMs: 6 * HOUR_MS, shortMs: 30 * MINUTE_MS, factor: 6 },
  { alert: 'ticket', longMs: DAY_MS, shortMs: 2 * HOUR_MS, factor: 3 },
  { alert: 'ticket', longMs: 3 * DAY_MS, shortMs: 6 * HOUR_MS, factor: 1 }
]

/** All windows of alerts, shortest first. */
export const REPORTED_WINDOWS_MS: readonly number[] = [
  ...new Set(BURN_WINDOWS.flatMap(({ longMs, shortMs }) => [shortMs, longMs]))
].sort((a, b) => a - b)
