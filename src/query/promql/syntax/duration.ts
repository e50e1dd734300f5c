import { DURATION_UNITS_MS } from '../../../domain/duration.js'

const DURATION = /^(?:\d+y)?(?:\d+w)?(?:\d+d)?(?:\d+h)?(?:\d+m(?!s))?(?:\d+s)?(?:\d+ms)?$/
const PART = /(\d+)(ms|[smhdwy])/g

/** Milliseconds of `1h30m`; null when the string is not a duration of Prometheus (units in falling order, each once). */
export function parsePromqlDurationMs(text: string): number | null {
  if (text === '' || !DURATION.test(text)) return null
  let ms = 0
  for (const [, count, unit] of text.matchAll(PART)) ms += Number(count) * DURATION_UNITS_MS[unit!]!
  return ms
}

const NS_PER_MS = 1_000_000n
const NS_PER_S = 1e9

/** Seconds of so many milliseconds, as Go computes them (`time.Duration.Seconds`): the fraction by itself. */
export function toSeconds(durationMs: number): number {
  return Math.trunc(durationMs / 1_000) + ((durationMs % 1_000) * 1e6) / NS_PER_S
}

/** Whole milliseconds of so many seconds: rounded to nanoseconds, then cut, as in Prometheus. */
export function toWholeMs(seconds: number): number {
  return Number(BigInt(Math.round(seconds * NS_PER_S)) / NS_PER_MS)
}

/** What is wrong with durations, in the terms of Prometheus. */
export const TOO_SHORT = 'duration must be greater than 0'
/** The error of Prometheus for durations that do not fit. */
export const OUT_OF_RANGE = 'duration out of range'

/** What is wrong with a division of durations by nothing; the operator is `/` or `%`. */
export function zeroDivision(operator: string): string {
  return operator === '/' ? 'division by zero' : 'modulo by zero'
}

/** Whether seconds are not a number, or exceed 64 bits of nanoseconds. */
export function isBeyondDurations(seconds: number): boolean {
  return !(Math.abs(seconds) <= 2 ** 63 / NS_PER_S)
}

const EXACT_UNITS: ReadonlySet<string> = new Set(['y', 'w', 'd'])

/** `1h30m`: as Prometheus writes durations. Years, weeks and days only where nothing is left over. */
export function formatDuration(durationMs: number): string {
  if (durationMs === 0) return '0s'
  let text = ''
  let left = durationMs
  for (const unit of ['y', 'w', 'd', 'h', 'm', 's', 'ms']) {
    const size = DURATION_UNITS_MS[unit]!
    if (EXACT_UNITS.has(unit) && left % size !== 0) continue
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text
}
