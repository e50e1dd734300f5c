import { type Cursor, isAlpha, isDigit } from './cursor.js'

const DIGITS = '0123456789'
const HEX_DIGITS = '0123456789abcdefABCDEF'
const EXPONENT = 'eE'

function isPartOfWord(char: string): boolean {
  return isAlpha(char) || isDigit(char)
}

/**
 * Skips a number, and returns whether there was one: its value is not read. After Prometheus's lexer
 * (promql/parser/lex.go), whose errors quote how far it came.
 */
export function scanNumber(cursor: Cursor): boolean {
  const start = cursor.at
  const digits = scanHexPrefix(cursor) ? HEX_DIGITS : DIGITS
  cursor.accept('.')
  cursor.accept(digits)
  let [hasDot, hasExponent] = [false, false]
  while (cursor.isOneOf(`${digits}._${EXPONENT}`)) {
    if (cursor.isOneOf('.')) {
      cursor.at++
      if (hasDot || cursor.accept('_.') || digits === HEX_DIGITS) return false
      hasDot = true
    } else if (cursor.isOneOf(EXPONENT)) {
      cursor.at++
      if (hasExponent) return false
      hasExponent = true
      cursor.accept('+-')
      if (cursor.accept(`._${EXPONENT}`) || cursor.next === '') return false
    } else if (cursor.accept('_')) {
      if (cursor.accept(`._${EXPONENT}`) || cursor.next === '') return false
    } else cursor.takeWhile(char => digits.includes(char))
  }
  return cursor.at > start && !isPartOfWord(cursor.next)
}

function scanHexPrefix(cursor: Cursor): boolean {
  if (!cursor.accept('0') || !cursor.accept('xX')) return false
  cursor.accept('_')
  return true
}

/** Passes over the rest of a duration, whose first number was read up to its unit; returns whether there was one. */
export function scanDuration(cursor: Cursor): boolean {
  if (!cursor.accept('smhdwy')) return false
  cursor.accept('s')
  while (cursor.accept(DIGITS)) {
    cursor.takeWhile(isDigit)
    if (!cursor.accept('smhdw')) return false
    cursor.accept('s')
  }
  if (!isPartOfWord(cursor.next)) return true
  cursor.take()
  return false
}
