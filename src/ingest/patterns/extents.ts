import { classOf, DIGIT, isAlnumAt, isDigitAt, LETTER, runEnd } from './chars.js'

const ESCAPE = 27
const QUOTE = 34
const COLON = 58
const BACKSLASH = 92
/** Longest quoted string that is looked for, in characters. */
const MAX_QUOTED = 1024

/** Behind a blank, or behind a whole ANSI sequence (`ESC [ 31 m`). */
export function afterEscape(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== ESCAPE || text.charCodeAt(at + 1) !== 91) return at + 1
  let next = at + 2
  while (next < end && (classOf(text.charCodeAt(next)) & LETTER) === 0) next++
  return Math.min(next + 1, end)
}

/** Position of the quote that closes the one at a position; -1 if the next 1,024 characters have no such quote. */
export function closingQuote(text: string, at: number, end: number): number {
  const limit = Math.min(end, at + MAX_QUOTED)
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code === BACKSLASH) i++
  }
  return -1
}

/** Behind the port that follows the name of a host, if one does. */
export function portEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== COLON || !isDigitAt(text, at + 1)) return at
  const stop = runEnd(text, at + 1, at + 6, DIGIT)
  return isAlnumAt(text, stop) || text.charCodeAt(stop) === COLON ? at : stop
}

/** Whether hexadecimal digits are both letters and digits. */
export function isMixedHex(text: string, at: number, end: number): boolean {
  let bits = 0
  for (let i = at; i < end; i++) bits |= classOf(text.charCodeAt(i))
  return (bits & (LETTER | DIGIT)) === (LETTER | DIGIT)
}
