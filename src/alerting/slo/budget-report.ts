import type { ErrorBudgetDay, ErrorBudgetReport, SloDataState, SloHours } from './budget-types.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Minutes that a recording may be late before it counts as missing. */
const TOLERATED_MINUTES = 3
/** The burn rate by which the end of the budget is estimated. */
const FORECAST_WINDOW_MS = 6 * HOUR_MS
/** By how much a sum of shares may be off. */
const ROUNDING = 1e-9

/** What a report is made of. */
export interface BudgetInput {
  /** Share of events that may be bad, 0 to 1. */
  readonly budget: number
  readonly windowMs: number
  /** Unix milliseconds, as all times here. */
  readonly nowMs: number
  /** Hours from the begin of the window, the last one contains `nowMs`. */
  readonly hours: SloHours
  /** Bad and all events by length of the window that ends now; those without a recording are absent. */
  readonly recent: ReadonlyMap<number, { readonly bad: number; readonly total: number }>
}

/** The error budget of a window. What has no events has no figures: nothing counts as 100 %. */
export function budgetReport(input: BudgetInput): Omit<ErrorBudgetReport, 'complete' | 'warnings' | 'tookMs'> {
  const { budget, nowMs, hours, recent } = input
  const { startMs } = hours
  const [total, bad, minutes] = [sum(hours.total), sum(hours.bad), sum(hours.minutes)]
  const missingMinutes = missing(minutes, startMs, nowMs)
  const attained = total > 0 ? 1 - bad / total : null
  const consumed = total > 0 ? bad / total / budget : null
  const burnRates = [...recent].map(([ms, events]) => ({ windowMs: ms, rate: burnRate(events, budget) }))
  const forecast = burnRates.find(({ windowMs: ms }) => ms === FORECAST_WINDOW_MS)?.rate ?? null
  const first = hours.minutes.findIndex(count => count > 0)
  return {
    state: stateOf(total, minutes, missingMinutes),
    window: { startMs, endMs: nowMs },
    countedSinceMs: first === -1 ? null : startMs + first * HOUR_MS,
    missingMinutes,
    ...{ total, bad, attained, consumed },
    remaining: consumed === null ? null : 1 - consumed,
    burnRates,
    exhaustedAtMs: exhaustedAt(input, total, forecast),
    days: daysOf(input, total)
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function missing(minutes: number, fromMs: number, toMs: number): number {
  const left = Math.floor((toMs - fromMs) / MINUTE_MS) - minutes
  return left > TOLERATED_MINUTES ? left : 0
}

function stateOf(total: number, minutes: number, missingMinutes: number): SloDataState {
  if (minutes === 0) return 'no_data'
  if (missingMinutes > 0) return 'partial'
  return total === 0 ? 'no_traffic' : 'complete'
}

function burnRate({ bad, total }: { readonly bad: number; readonly total: number }, budget: number): number | null {
  return total > 0 ? bad / total / budget : null
}

/** The window rolls on: with each hour at the rate that is given, the oldest hour and what it spent leave it. */
function exhaustedAt({ hours, budget, nowMs }: BudgetInput, total: number, rate: number | null): number | null {
  const spent = hours.bad.map(bad => (total > 0 ? bad / total / budget : 0))
  const spentInHour = (rate ?? 0) / spent.length
  let consumed = sum(spent)
  if (consumed >= 1 || spentInHour <= 0) return null
  for (const [hour, leaving] of spent.entries()) {
    if (consumed + spentInHour > 1 + ROUNDING) return Math.round(nowMs + (hour + (1 - consumed) / spentInHour) * HOUR_MS)
    consumed += spentInHour - leaving
  }
  return null
}

/** Days of UTC; the first and the last one are parts of days. */
function daysOf({ budget, nowMs, hours }: BudgetInput, all: number): readonly ErrorBudgetDay[] {
  const { startMs } = hours
  const days: ErrorBudgetDay[] = []
  const endMs = startMs + hours.total.length * HOUR_MS
  for (let fromMs = startMs; fromMs < endMs;) {
    const toMs = Math.min(endMs, fromMs - (fromMs % DAY_MS) + DAY_MS)
    const part = (values: readonly number[]): number =>
      sum(values.slice((fromMs - startMs) / HOUR_MS, (toMs - startMs) / HOUR_MS))
    const [total, bad] = [part(hours.total), part(hours.bad)]
    const untilMs = Math.min(toMs, nowMs)
    days.push({
      startMs: fromMs,
      endMs: untilMs,
      ...{ total, bad },
      attained: total > 0 ? 1 - bad / total : null,
      burnRate: burnRate({ bad, total }, budget),
      consumed: all > 0 ? bad / all / budget : null,
      missingMinutes: missing(part(hours.minutes), fromMs, untilMs)
    })
    fromMs = toMs
  }
  return days
}
