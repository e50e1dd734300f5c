import { charClass, DIGIT, DIGITS, isIn, LETTERS } from './chars.js'
import type { Detector, Finding } from './detector.js'
import { isAfterEscape } from './escapes.js'

const ZERO = 0x30
const LETTER = charClass(LETTERS)
const DOT = 0x2e
const MIN_DIGITS = 13
const MAX_DIGITS = 19
const SEPARATORS = charClass(' -')
/** How the digits of a card are grouped in print, of which the first has four. */
const FIRST_GROUP = 4
const MIN_GROUP = 3
const MAX_GROUP = 7

/** Issuers by the first digits (ISO/IEC 7812), and how many digits their numbers have. */
const ISSUERS: readonly { readonly from: number; readonly to: number; readonly digits: readonly number[] }[] = [
  { from: 4000, to: 4999, digits: [13, 16, 19] },
  { from: 5100, to: 5599, digits: [16] },
  { from: 2221, to: 2720, digits: [16] },
  { from: 3400, to: 3499, digits: [15] },
  { from: 3700, to: 3799, digits: [15] },
  { from: 6011, to: 6011, digits: [16, 19] },
  { from: 6440, to: 6599, digits: [16, 19] },
  { from: 3000, to: 3059, digits: [14, 16, 19] },
  { from: 3600, to: 3699, digits: [14, 16, 19] },
  { from: 3800, to: 3999, digits: [14, 16, 19] },
  { from: 3528, to: 3589, digits: [16, 19] },
  { from: 6200, to: 6299, digits: [16, 17, 18, 19] }
]

/** Whether these digits are a card number: an issuer's, with the check digit of Luhn (ISO/IEC 7812-1, annex B). */
export function isCardNumber(digits: readonly number[]): boolean {
  const head = digits[0]! * 1000 + digits[1]! * 100 + digits[2]! * 10 + digits[3]!
  if (!ISSUERS.some(({ from, to, digits: lengths }) => head >= from && head <= to && lengths.includes(digits.length)))
    return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits[digits.length - 1 - i]!
    const counted = i % 2 === 0 ? digit : digit * 2
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** Whether a number may begin here: not within a word, nor after the point of a decimal, but after an escaped character. */
function mayBegin(text: string, at: number): boolean {
  if (isAfterEscape(text, at)) return true
  const before = text.charCodeAt(at - 1)
  if (isIn(DIGIT, before) || isIn(LETTER, before)) return false
  return before !== DOT || !isIn(DIGIT, text.charCodeAt(at - 2))
}

/** The longest card number that begins at `at`: whole, or in groups of print with one separator throughout. */
function cardEnd(text: string, at: number): number | null {
  const digits: number[] = []
  let found: number | null = null
  let separator = Number.NaN
  for (let end = at; ;) {
    const group = digits.length
    for (; isIn(DIGIT, text.charCodeAt(end)); end++) {
      if (digits.length === MAX_DIGITS) return found
      digits.push(text.charCodeAt(end) - ZERO)
    }
    const size = digits.length - group
    const isWhole = group === 0
    if (!isWhole && (size < MIN_GROUP || size > MAX_GROUP)) return found
    const next = text.charCodeAt(end)
    if (digits.length >= MIN_DIGITS && !isIn(LETTER, next) && isCardNumber(digits)) found = end
    if (isWhole && size !== FIRST_GROUP) return found
    if (!isIn(SEPARATORS, next) || (!isWhole && next !== separator)) return found
    separator = next
    end++
  }
}

/** Payment card numbers. */
export function cardDetector(): Detector {
  return {
    name: 'card',
    triggers: DIGITS,
    find(text, at): Finding | null {
      if (!mayBegin(text, at)) return null
      const end = cardEnd(text, at)
      return end === null ? null : { start: at, end }
    }
  }
}
