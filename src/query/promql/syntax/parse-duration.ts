import type { DurationExpr, DurationOperation, DurationOperator, NumberLiteral, Position } from './ast.js'
import { isBeyondDurations, parseDurationMs, toSeconds } from './duration.js'
import { goQuoted } from '../go-quote.js'
import type { Token } from './lexer.js'
import { PRECEDENCE, UNARY_PRECEDENCE } from './operators.js'
import { readNumber } from './read-number.js'
import type { PromqlSyntaxError } from './syntax-error.js'
import type { TokenStream } from './token-stream.js'

// Durations: numbers of seconds, and what may be reckoned of them in brackets and behind `offset`.

/** They nest no deeper than queries do. */
const MAX_DEPTH = 200
const MAX_OPERATORS = 1_000
const OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^'])
const OUT_OF_RANGE = 'duration out of range'

/** `5m` or `300`; the stream stands on a number or a duration. */
export function parseNumber(tokens: TokenStream): NumberLiteral {
  const { kind, text, start, end } = tokens.take()
  const position = { start, end }
  if (kind === 'number') {
    const value = readNumber(text)
    if (value !== null) return { type: 'number', value, isDuration: false, position }
    throw tokens.error(start, `error parsing number: strconv.ParseFloat: parsing ${goQuoted(text)}: invalid syntax`)
  }
  const ms = parseDurationMs(text)
  if (ms === null) throw tokens.error(start, `not a valid duration string: ${goQuoted(text)}`)
  if (isBeyondDurations(ms / 1_000)) throw tokens.error(start, OUT_OF_RANGE)
  return { type: 'number', value: toSeconds(ms), isDuration: true, position }
}

/** A number or a duration, `Inf` and `NaN` included, that may have a sign. `fail` says what else stands where one should. */
export function parseSignedNumber(tokens: TokenStream, fail: () => PromqlSyntaxError): number {
  const isNegative = tokens.accept('-')
  if (!isNegative) tokens.accept('+')
  const { kind, text } = tokens.current
  const isWord = kind === 'word' && /^(?:inf|nan)$/i.test(text)
  if (kind !== 'number' && kind !== 'duration' && !isWord) throw fail()
  const value = isWord ? wordValue(tokens.take().text) : parseNumber(tokens).value
  return isNegative ? -value : value
}

function wordValue(text: string): number {
  return text.toLowerCase() === 'inf' ? Infinity : Number.NaN
}

/** The duration of a range or a step, which must be longer than nothing. `fail` says what else stands where one should. */
export function parsePositiveDuration(tokens: TokenStream, fail: () => PromqlSyntaxError): DurationExpr {
  const duration = new DurationParser(tokens, fail).expression(0)
  if (duration.type === 'number' && duration.value <= 0) {
    throw tokens.error(duration.position.start, 'duration must be greater than 0')
  }
  return duration
}

/** The duration behind `offset`. It ends as soon as it can: `x offset 5m + 3m` adds to `x`, but `(5m) + 3m` is a duration. */
export function parseOffsetDuration(tokens: TokenStream): DurationExpr {
  const fail = (): PromqlSyntaxError => tokens.unexpected('offset', 'number, duration, step(), or range()')
  return new DurationParser(tokens, fail).offset()
}

function isSign({ kind, text }: Token): boolean {
  return kind === 'operator' && (text === '+' || text === '-')
}

class DurationParser {
  readonly #tokens: TokenStream
  readonly #fail: () => PromqlSyntaxError
  #depth = 0
  #operators = 0

  constructor(tokens: TokenStream, fail: () => PromqlSyntaxError) {
    this.#tokens = tokens
    this.#fail = fail
  }

  offset(): DurationExpr {
    const tokens = this.#tokens
    const first = tokens.current
    if (!isSign(first)) return tokens.isOperator('(') ? this.expression(0) : this.#atom()
    if (isSign(tokens.following)) return this.expression(0)
    tokens.take()
    if (tokens.isOperator('(')) return this.#signedParentheses(first)
    const atom = this.#atom()
    return atom.type === 'number' ? this.#signed(first, atom) : this.#withSign(first, atom)
  }

  /** Precedence climbing: everything that binds at least as tightly as `least`. */
  expression(least: number): DurationExpr {
    const tokens = this.#tokens
    this.#enter()
    let lhs = this.#unary()
    for (;;) {
      const operator = tokens.current
      const precedence = operator.kind === 'operator' && OPERATORS.has(operator.text) ? PRECEDENCE.get(operator.text)! : -1
      if (precedence < least) break
      tokens.take()
      if (++this.#operators > MAX_OPERATORS) throw tokens.error(operator.end, `a query may have ${MAX_OPERATORS} operators`)
      lhs = this.#binary(lhs, operator, this.expression(operator.text === '^' ? precedence : precedence + 1))
    }
    this.#depth--
    return lhs
  }

  #enter(): void {
    const tokens = this.#tokens
    if (++this.#depth > MAX_DEPTH) throw tokens.error(tokens.current.start, `the query is nested deeper than ${MAX_DEPTH} levels`)
  }

  #binary(lhs: DurationExpr, { text, start }: Token, rhs: DurationExpr): DurationOperation {
    if (rhs.type === 'number' && rhs.value === 0 && (text === '/' || text === '%')) {
      throw this.#tokens.error(start, text === '/' ? 'division by zero' : 'modulo by zero')
    }
    const position = { start: lhs.position.start, end: rhs.position.end }
    return { type: 'duration', op: text as DurationOperator, lhs, rhs, isWrapped: false, position }
  }

  #unary(): DurationExpr {
    const tokens = this.#tokens
    const sign = tokens.current
    if (!isSign(sign)) return this.#atom()
    tokens.take()
    const operand = this.expression(UNARY_PRECEDENCE + 1)
    if (operand.type === 'number') return this.#signed(sign, operand)
    return sign.text === '-' ? this.#withSign(sign, operand) : operand
  }

  /** `offset -(5m)`: what follows the parenthesis does not belong to it. */
  #signedParentheses(sign: Token): DurationExpr {
    const tokens = this.#tokens
    tokens.take()
    const inner = this.expression(0)
    this.#expect(')')
    const wrapped = this.#wrapped(inner, inner.position)
    return sign.text === '-' ? this.#withSign(sign, wrapped) : wrapped
  }

  #signed(sign: Token, literal: NumberLiteral): NumberLiteral {
    const value = sign.text === '-' ? -literal.value : literal.value
    return { ...literal, value, position: { start: sign.start, end: literal.position.end } }
  }

  #withSign({ text, start }: Token, rhs: DurationExpr): DurationOperation {
    return {
      type: 'duration',
      op: text as DurationOperator,
      lhs: null,
      rhs,
      isWrapped: false,
      position: { start, end: rhs.position.end }
    }
  }

  #wrapped(inner: DurationExpr, { start }: Position): DurationOperation {
    if (inner.type === 'duration') return { ...inner, isWrapped: true }
    const position = { start, end: inner.position.end }
    return { type: 'duration', op: '+', lhs: null, rhs: inner, isWrapped: true, position }
  }

  #atom(): DurationExpr {
    const tokens = this.#tokens
    const { kind, text, start, end } = tokens.current
    if (kind === 'number' || kind === 'duration' || (kind === 'word' && /^(?:inf|nan)$/i.test(text))) return this.#literal()
    const word = kind === 'word' ? text.toLowerCase() : ''
    if (word === 'step' || word === 'range') {
      tokens.take()
      this.#expect('(')
      this.#expect(')')
      const position = { start, end: tokens.lastEnd }
      return { type: 'duration', op: word, lhs: null, rhs: null, isWrapped: false, position }
    }
    if (word === 'min_of' || word === 'max_of') return this.#choice(word)
    if (!tokens.accept('(')) throw this.#fail()
    const inner = this.expression(0)
    this.#expect(')')
    return this.#wrapped(inner, { start, end })
  }

  #literal(): NumberLiteral {
    const tokens = this.#tokens
    if (tokens.current.kind === 'word') throw tokens.error(tokens.current.start, OUT_OF_RANGE)
    const literal = parseNumber(tokens)
    if (isBeyondDurations(literal.value)) throw tokens.error(literal.position.start, OUT_OF_RANGE)
    return literal
  }

  #choice(op: 'min_of' | 'max_of'): DurationOperation {
    const tokens = this.#tokens
    tokens.take()
    this.#expect('(')
    const lhs = this.expression(0)
    this.#expect(',')
    const rhs = this.expression(0)
    this.#expect(')')
    return { type: 'duration', op, lhs, rhs, isWrapped: false, position: { start: lhs.position.start, end: rhs.position.end } }
  }

  #expect(operator: string): void {
    if (!this.#tokens.accept(operator)) throw this.#fail()
  }
}
