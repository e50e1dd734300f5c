const DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 })

/** The value of an alert with five digits; a dash for none. */
export function formatValue(value: number | null | undefined): string {
  if (value == null) return '–'
  return Number.isFinite(value) ? DIGITS.format(value) : String(value)
}
