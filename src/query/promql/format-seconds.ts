const MS_PER_S = 1_000
const DIGITS = 3

/** Unix milliseconds as the seconds of samples in Prometheus's answers: without a fraction, or with three digits (`jsonutil.MarshalTimestamp`). */
export function formatSeconds(ms: number): string {
  const rest = Math.abs(ms) % MS_PER_S
  if (rest === 0) return String(ms / MS_PER_S)
  const whole = Math.floor(Math.abs(ms) / MS_PER_S)
  return `${ms < 0 ? '-' : ''}${whole}.${String(rest).padStart(DIGITS, '0')}`
}
