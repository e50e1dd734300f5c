import { GatewayError } from '../../../domain/errors.js'

const DAY_MS = 86_400_000
/** The longest range of a backtest. */
export const MAX_BACKTEST_MS = 31 * DAY_MS
/** Evaluations of a backtest. */
export const MAX_BACKTEST_STEPS = 50_000

/** A range of evaluations, both ends inclusive, Unix milliseconds. */
export interface EvaluatedRange {
  readonly startMs: number
  readonly endMs: number
  readonly intervalMs: number
  /** Evaluations are at whole multiples of the interval and this. */
  readonly phaseMs: number
}

/** The evaluations of a range. */
export function alignedTimes({ startMs, endMs, intervalMs, phaseMs }: EvaluatedRange): readonly number[] {
  const first = firstTime({ startMs, intervalMs, phaseMs })
  const count = Math.floor((endMs - first) / intervalMs) + 1
  return Array.from({ length: Math.max(0, count) }, (_, i) => first + i * intervalMs)
}

/** The evaluations of a backtest. Throws for ranges that are empty, too long, or of too many steps. */
export function backtestTimes(range: EvaluatedRange): readonly number[] {
  const { startMs, endMs, intervalMs } = range
  if (endMs <= startMs) throw new GatewayError('invalid_time_range', 'end must be after start', { field: 'end' })
  if (endMs - startMs > MAX_BACKTEST_MS)
    throw new GatewayError('invalid_time_range', `a backtest must not exceed ${MAX_BACKTEST_MS / DAY_MS} days`, {
      field: 'start'
    })
  const count = Math.floor((endMs - firstTime(range)) / intervalMs) + 1
  if (count > MAX_BACKTEST_STEPS) {
    const detail = `a backtest must not exceed ${MAX_BACKTEST_STEPS} evaluations (got ${count}); lengthen the interval or shorten the range`
    throw new GatewayError('invalid_field', detail, { field: 'interval' })
  }
  return alignedTimes(range)
}

function firstTime({ startMs, intervalMs, phaseMs }: Omit<EvaluatedRange, 'endMs'>): number {
  return Math.ceil((startMs - phaseMs) / intervalMs) * intervalMs + phaseMs
}
