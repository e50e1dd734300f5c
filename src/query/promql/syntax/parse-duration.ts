import type { DurationExpr, DurationOperation, DurationOperator, NumberLiteral, QueryPosition } from './ast.js'
import { isBeyondDurations, OUT_OF_RANGE, TOO_SHORT, zeroDivision } from './duration.js'
import type { Token } from './lexer.js'
import { NestingBound } from './nesting-bound.js'
import { PRECEDENCE, UNARY_PRECEDENCE } from './operators.js'
import { parseNumberLiteral } from './parse-number.js'
import { numberOfWord } from './read-number.js'
import type { PromqlSyntaxError } from './syntax-error.js'
import type { TokenStream } from './token-stream.js'

// Durations: numbers of seconds, and expressions of them, which may be in brackets and behind `offset`.

const OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^'])

/** The duration of a range or a step, which must be positive. `fail` makes the error for another token in its position. */
export function parsePositiveDuration(tokens: TokenStream, fail: () => PromqlSyntaxError): DurationExpr {
  const duration = new DurationParser(tokens, fail).expression(0)
  if (duration.type === 'number' && duration.value <= 0) throw tokens.error(duration.position.start, TOO_SHORT)
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
  readonly #nesting: NestingBound

  constructor(tokens: TokenStream, fail: () => PromqlSyntaxError) {
    this.#tokens = tokens
    this.#fail = fail
    this.#nesting = new NestingBound(tokens)
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
    this.#nesting.enter()
    let lhs = this.#unary()
    for (;;) {
      const operator = tokens.current
      const precedence = operator.kind === 'operator' && OPERATORS.has(operator.text) ? PRECEDENCE.get(operator.text)! : -1
      if (precedence < least) break
      tokens.take()
      this.#nesting.countOperator()
      lhs = this.#binary(lhs, operator, this.expression(operator.text === '^' ? precedence : precedence + 1))
    }
    this.#nesting.leave()
    return lhs
  }

  #binary(lhs: DurationExpr, { text, start }: Token, rhs: DurationExpr): DurationOperation {
    if (rhs.type === 'number' && rhs.value === 0 && (text === '/' || text === '%')) {
      throw this.#tokens.error(start, zeroDivision(text))
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

  #wrapped(inner: DurationExpr, { start }: QueryPosition): DurationOperation {
    if (inner.type === 'duration') return { ...inner, isWrapped: true }
    const position = { start, end: inner.position.end }
    return { type: 'duration', op: '+', lhs: null, rhs: inner, isWrapped: true, position }
  }

  #atom(): DurationExpr {
    const tokens = this.#tokens
    const { kind, text, start, end } = tokens.current
    if (kind === 'number' || kind === 'duration' || (kind === 'word' && numberOfWord(text) !== undefined)) return this.#literal()
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
    const literal = parseNumberLiteral(tokens)
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
