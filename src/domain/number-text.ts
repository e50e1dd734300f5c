/** What reads as a number, in RE2 and JavaScript alike. */
export const NUMBER_PATTERN = '[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?'
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`)

// Beyond 15 digits different integers share a double, so such numbers equal only their own spelling.
const MAX_EXACT_DIGITS = 15

/** The number of a string; null when it is not a number or too large for a double. */
export function parseNumericText(text: string): number | null {
  if (!NUMBER.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

function significantDigits(text: string): number {
  return text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '').length
}

/** The number that other spellings of it equal (`domain/filter`, `eq`); null for strings that equal only themselves. */
export function exactNumber(value: string): number | null {
  return significantDigits(value) <= MAX_EXACT_DIGITS ? parseNumericText(value) : null
}
