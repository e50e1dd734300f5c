const EXPONENT_DIGITS = 2
/** Between these Go's `%g` writes no exponent. */
const LEAST_PLAIN = -4
const MOST_PLAIN = 5

function withExponent(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(EXPONENT_DIGITS, '0')}`
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}

/** A number as Go's `%g` writes it: `1e+06`, `0.001`, `1e-05`. */
export function goNumber(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value)
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const power = Number(value.toExponential().split('e')[1])
  return power >= LEAST_PLAIN && power <= MOST_PLAIN ? String(value) : withExponent(value)
}

/** A number as Go's `strconv.FormatFloat(value, 'e', -1, 64)` writes it: `1e+00`, `2.5e-01`. */
export function exponentNumber(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value)
  return Object.is(value, -0) ? '-0e+00' : withExponent(value)
}

/** As OpenMetrics wants numbers in labels: with a point or an exponent. */
export function openMetricsNumber(value: number): string {
  const text = goNumber(value)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** As Prometheus's API writes samples (`jsonutil.MarshalFloat`): with an exponent only where JavaScript would, of two digits at least. */
export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value)
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const text = String(value)
  return text.includes('e') ? withExponent(value) : text
}
