/** A value as Prometheus writes numbers that are not samples (scalars, `count_values`): without exponent, infinities with their sign. */
export function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const text = Object.is(value, -0) ? '-0' : String(value)
  const found = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!found) return text
  const [, sign = '', first = '', rest = '', exponent = ''] = found
  const shift = Number(exponent)
  const digits = first + rest
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${digits}`
  return sign + digits.padEnd(shift + 1, '0')
}
