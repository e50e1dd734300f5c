import type { Warning } from '../../domain/warning.js'

/**
 * What is known of an SLO: `complete`: all of its window was counted; `partial`: minutes are missing, or the store could not read
 * all recordings; `no_traffic`: counted, and there was nothing; `no_data`: nothing was counted.
 */
export const SLO_DATA_STATES = ['complete', 'partial', 'no_traffic', 'no_data'] as const
export type SloDataState = (typeof SLO_DATA_STATES)[number]

/** Events by hour. All lists have the same length. */
export interface SloHours {
  /** Start of the first hour, a multiple of an hour. */
  readonly startMs: number
  readonly bad: readonly number[]
  readonly total: readonly number[]
  /** Minutes that were counted. */
  readonly minutes: readonly number[]
}

/** A day of the window in UTC, or a part of it. Times are Unix milliseconds. */
export interface ErrorBudgetDay {
  readonly startMs: number
  readonly endMs: number
  readonly total: number
  readonly bad: number
  /** Share of good events, 0 to 1; null without events. */
  readonly attained: number | null
  /** Null without events. */
  readonly burnRate: number | null
  /** Share of the budget of the window that the day spent; null when the window has no events. */
  readonly consumed: number | null
  readonly missingMinutes: number
}

/** How an SLO is kept in its window. Times are Unix milliseconds, shares are 0 to 1. */
export interface ErrorBudgetReport {
  readonly state: SloDataState
  readonly window: { readonly startMs: number; readonly endMs: number }
  /** Start of the first hour with a recording; null without one. */
  readonly countedSinceMs: number | null
  /** Minutes of the window without a recording: before the SLO existed, without data, or without evaluation. */
  readonly missingMinutes: number
  readonly total: number
  readonly bad: number
  /** Share of good events; null without events. */
  readonly attained: number | null
  /** Share of the error budget that is spent: above 1 the objective is missed. Null without events. */
  readonly consumed: number | null
  /** `1 - consumed`. */
  readonly remaining: number | null
  /** By length of window, shortest first; a rate is null without events, and a window without any recording is left out. */
  readonly burnRates: readonly { readonly windowMs: number; readonly rate: number | null }[]
  /** When the budget is spent if events go on as in the last 6 hours; null when they do not spend it, or have spent it. */
  readonly exhaustedAtMs: number | null
  /** Oldest first. */
  readonly days: readonly ErrorBudgetDay[]
  /** Whether the store could read all recordings; warnings name what is missing. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}
