/** Milliseconds of the units in which Prometheus writes durations. */
export const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000
}
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d|w|y)/y

/**
 * Milliseconds of a length of time written as `15s`, `1h30m`, `7d` (units of Prometheus: ms s m h d w y, largest first
 * or not); null when the text is not one.
 */
export function parseDurationMs(text: string): number | null {
  let total = 0
  let at = 0
  while (at < text.length) {
    PART.lastIndex = at
    const match = PART.exec(text)
    if (!match) return null
    total += Number(match[1]) * DURATION_UNITS_MS[match[2]!]!
    at = PART.lastIndex
  }
  return at > 0 && Number.isFinite(total) ? Math.round(total) : null
}

const UNIT_NS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ...Object.fromEntries(Object.entries(DURATION_UNITS_MS).map(([unit, ms]) => [unit, BigInt(ms) * 1_000_000n]))
}
const EXACT_PART = /(\d{1,19})(?:\.(\d{1,9}))?(ns|us|µs|ms|s|m|h|d|w|y)/y

/** As `parseDurationMs` in exact nanoseconds, with the units ns and us (µs) too; what is less than a nanosecond is left out. */
export function parseDurationNs(text: string): bigint | null {
  let total = 0n
  let at = 0
  while (at < text.length) {
    EXACT_PART.lastIndex = at
    const match = EXACT_PART.exec(text)
    if (!match) return null
    const [, whole, decimals = '', unit] = match
    total += (BigInt(whole! + decimals) * UNIT_NS[unit!]!) / 10n ** BigInt(decimals.length)
    at = EXACT_PART.lastIndex
  }
  return at > 0 ? total : null
}

const FORMAT_UNITS = ['d', 'h', 'm', 's', 'ms'] as const

/** The shortest exact text of a length of time, e.g. `1h30m`; `0s` for nothing. */
export function formatDurationMs(ms: number): string {
  let rest = Math.round(ms)
  let text = ''
  for (const unit of FORMAT_UNITS) {
    const count = Math.floor(rest / DURATION_UNITS_MS[unit]!)
    if (count === 0) continue
    text += `${count}${unit}`
    rest -= count * DURATION_UNITS_MS[unit]!
  }
  return text === '' ? '0s' : text
}
