/** Durations as a person and the address write them: `50ms`, `1.5s`, `1h30m`. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000
}
const PART = /(\d{1,19}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h|d|w|y)/y
const SIGNIFICANT_DIGITS = 4

/** Milliseconds of a duration in the grammar of the API; null for any other string. */
export function parseDurationText(text: string): number | null {
  let total = 0
  let at = 0
  while (at < text.length) {
    PART.lastIndex = at
    const match = PART.exec(text)
    if (!match) return null
    total += Number(match[1]) * UNIT_MS[match[2]!]!
    at = PART.lastIndex
  }
  return at > 0 ? total : null
}

/** A duration with four significant digits in the grammar of the API: `12.5ms`. */
export function durationText(ms: number): string {
  const unit = ms >= 1_000 ? 's' : ms >= 1 ? 'ms' : 'us'
  return `${Number((ms / UNIT_MS[unit]!).toPrecision(SIGNIFICANT_DIGITS))}${unit}`
}
