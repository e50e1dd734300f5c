import { goQuoted } from '../go-quote.js'
import type { NumberLiteral } from './ast.js'
import { isBeyondDurations, OUT_OF_RANGE, parsePromqlDurationMs, toSeconds } from './duration.js'
import { numberOfWord, readNumber } from './read-number.js'
import type { PromqlSyntaxError } from './syntax-error.js'
import type { TokenStream } from './token-stream.js'

/** `5m` or `300`; the stream is at a number or a duration. */
export function parseNumberLiteral(tokens: TokenStream): NumberLiteral {
  const { kind, text, start, end } = tokens.take()
  const position = { start, end }
  if (kind === 'number') {
    const value = readNumber(text)
    if (value !== null && value !== Infinity) return { type: 'number', value, isDuration: false, position }
    const fault = value === null ? 'invalid syntax' : 'value out of range'
    throw tokens.error(start, `error parsing number: strconv.ParseFloat: parsing ${goQuoted(text)}: ${fault}`)
  }
  const ms = parsePromqlDurationMs(text)
  if (ms === null) throw tokens.error(start, `not a valid duration string: ${goQuoted(text)}`)
  if (isBeyondDurations(ms / 1_000)) throw tokens.error(start, OUT_OF_RANGE)
  return { type: 'number', value: toSeconds(ms), isDuration: true, position }
}

/**
 * A number or a duration, `Inf` and `NaN` included, with an optional sign. `fail` makes the error for another token in its
 * position.
 */
export function parseSignedNumber(tokens: TokenStream, fail: () => PromqlSyntaxError): number {
  const isNegative = tokens.accept('-')
  if (!isNegative) tokens.accept('+')
  const value = parseUnsigned(tokens)
  if (value === null) throw fail()
  return isNegative ? -value : value
}

function parseUnsigned(tokens: TokenStream): number | null {
  const { kind, text } = tokens.current
  if (kind === 'number' || kind === 'duration') return parseNumberLiteral(tokens).value
  const value = kind === 'word' ? numberOfWord(text) : undefined
  if (value === undefined) return null
  tokens.take()
  return value
}
