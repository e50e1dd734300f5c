const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const DURATION = /^(\d{1,9})(ms|s|m|h)$/

/** Milliseconds of a duration such as `15s`; null for any other value. */
export function parseDurationMs(value: unknown): number | null {
  const found = typeof value === 'string' ? DURATION.exec(value) : null
  return found ? Number(found[1]) * UNITS[found[2]!]! : null
}
