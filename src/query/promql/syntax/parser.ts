import { SIGNATURES } from '../functions/signatures.js'
import { goQuoted } from '../go-quote.js'
import type { Expr } from './ast.js'
import { checkTypes } from './check-types.js'
import { experimentalRefusal } from './experimental.js'
import type { Token } from './lexer.js'
import { AGGREGATIONS, PRECEDENCE, UNARY_PRECEDENCE } from './operators.js'
import { isFill, parseGrouping, parseMatching } from './parse-labels.js'
import { NestingBound } from './nesting-bound.js'
import { parseNumberLiteral } from './parse-number.js'
import { parseAt, parseExtension, parseOffset, parseRange } from './parse-modifiers.js'
import { parseSelector } from './parse-selector.js'
import { numberOfWord } from './read-number.js'
import { startsExpression, TokenStream } from './token-stream.js'

/** Keywords that name a metric but no function. */
const NO_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['anchored', 'and', 'by', 'fill', 'fill_left', 'fill_right', 'offset', 'or', 'smoothed', 'unless', 'without']
])

/** Reads a query. Throws `PromqlSyntaxError`, also when its types do not fit, or what it calls is experimental and that is off. */
export function parsePromql(query: string, allowsExperimental = true): Expr {
  const tokens = new TokenStream(query, allowsExperimental)
  if (tokens.isAtEnd) throw tokens.error(query === '' ? null : 0, 'no expression found in input')
  const expr = new Parser(tokens, allowsExperimental).expression(0)
  if (!tokens.isAtEnd) throw tokens.unexpected(null)
  checkTypes(query, expr)
  return expr
}

class Parser {
  readonly #tokens: TokenStream
  readonly #allowsExperimental: boolean
  readonly #nesting: NestingBound
  /** Aggregations whose arguments are being read. */
  #aggregations = 0

  constructor(tokens: TokenStream, allowsExperimental: boolean) {
    this.#tokens = tokens
    this.#allowsExperimental = allowsExperimental
    this.#nesting = new NestingBound(tokens)
  }

  /** Precedence climbing: everything that binds at least as tightly as `least`. */
  expression(least: number): Expr {
    const tokens = this.#tokens
    this.#nesting.enter()
    let lhs = this.#unary()
    for (;;) {
      const op = this.#binaryOperator()
      const precedence = op === null ? undefined : PRECEDENCE.get(op)
      if (op === null || precedence === undefined || precedence < least) break
      tokens.take()
      lhs = this.#binary(lhs, op, precedence)
    }
    this.#nesting.leave()
    return lhs
  }

  /** The construct within which a token is misplaced, where Prometheus names it. */
  get #context(): string | null {
    return this.#aggregations > 0 ? 'aggregation' : null
  }

  #binaryOperator(): string | null {
    const { kind, text } = this.#tokens.current
    return kind === 'operator' ? text : kind === 'word' ? text.toLowerCase() : null
  }

  #binary(lhs: Expr, op: string, precedence: number): Expr {
    const tokens = this.#tokens
    const { start } = lhs.position
    this.#nesting.countOperator()
    const returnsBool = tokens.acceptWord('bool')
    const matching = parseMatching(tokens, op)
    const isFilled = matching.fill.left !== null || matching.fill.right !== null
    if (isFilled && isFill(tokens)) throw tokens.unexpected(this.#context)
    const rhs = this.expression(op === '^' ? precedence : precedence + 1)
    if (isFilled) {
      tokens.checkExperimental(start, 'binop fill modifiers are experimental and not enabled')
    }
    return { type: 'binary', op, lhs, rhs, returnsBool, matching, position: { start, end: rhs.position.end } }
  }

  #unary(): Expr {
    const tokens = this.#tokens
    const { start, text } = tokens.current
    if (!tokens.isOperator('-') && !tokens.isOperator('+')) return this.#postfix()
    tokens.take()
    const expr = this.expression(UNARY_PRECEDENCE + 1)
    if (expr.type === 'number') {
      const value = text === '-' ? -expr.value : expr.value
      return { ...expr, value, position: { start, end: expr.position.end } }
    }
    return { type: 'unary', op: text as '+' | '-', expr, position: { start, end: expr.position.end } }
  }

  /** What may follow an expression: ranges, `offset`, `@`, `anchored`, `smoothed`. */
  #postfix(): Expr {
    const tokens = this.#tokens
    let expr = this.#primary()
    for (;;) {
      if (tokens.isOperator('[')) expr = parseRange(tokens, expr)
      else if (tokens.isWord('offset')) expr = parseOffset(tokens, expr)
      else if (tokens.isOperator('@')) expr = parseAt(tokens, expr)
      else if (tokens.isWord('anchored')) expr = parseExtension(tokens, expr, 'anchored')
      else if (tokens.isWord('smoothed')) expr = parseExtension(tokens, expr, 'smoothed')
      else return expr
    }
  }

  #primary(): Expr {
    const tokens = this.#tokens
    const token = tokens.current
    const position = { start: token.start, end: token.end }
    switch (token.kind) {
      case 'number':
      case 'duration':
        return parseNumberLiteral(tokens)
      case 'string':
        return { type: 'string', value: tokens.take().text, position }
      case 'word':
        return this.#word(token)
      default:
    }
    if (tokens.isOperator('{')) return parseSelector(tokens)
    if (!tokens.accept('(')) throw tokens.unexpected(this.#context)
    const expr = this.expression(0)
    tokens.expect(')', this.#context)
    return { type: 'paren', expr, position: { start: token.start, end: tokens.lastEnd } }
  }

  #word(token: Token): Expr {
    const tokens = this.#tokens
    const word = token.text.toLowerCase()
    const number = numberOfWord(token.text)
    if (number !== undefined) {
      tokens.take()
      return { type: 'number', value: number, isDuration: false, position: { start: token.start, end: token.end } }
    }
    const next = tokens.following
    if (!startsExpression(tokens)) throw tokens.unexpected(this.#context)
    const isCall = next.kind === 'operator' && next.text === '(' && !token.text.includes(':')
    const isGrouped = next.kind === 'word' && ['by', 'without'].includes(next.text.toLowerCase())
    if (AGGREGATIONS.has(word) && (isCall || isGrouped)) return this.#aggregation(word)
    return isCall && !NO_FUNCTIONS.has(word) ? this.#call() : parseSelector(tokens)
  }

  /** Arguments in parentheses; of `info` the second is conditions on labels alone. */
  #arguments(hasConditions = false): readonly Expr[] {
    const tokens = this.#tokens
    const args: Expr[] = []
    tokens.expect('(', this.#context)
    while (!tokens.accept(')')) {
      args.push(hasConditions && args.length === 1 ? this.#conditions() : this.expression(0))
      const comma = tokens.current
      if (tokens.accept(',')) {
        if (!startsExpression(tokens)) throw tokens.error(comma.start, 'trailing commas not allowed in function call args')
      } else if (!tokens.isOperator(')')) throw tokens.unexpected(this.#context)
    }
    return args
  }

  #call(): Expr {
    const tokens = this.#tokens
    const { text: name, start } = tokens.take()
    const args = this.#arguments(name === 'info')
    if (!SIGNATURES.has(name)) throw tokens.error(start, `unknown function with name ${goQuoted(name)}`)
    this.#checkEnabled(name, start)
    return { type: 'call', name, args, position: { start, end: tokens.lastEnd } }
  }

  #conditions(): Expr {
    const tokens = this.#tokens
    if (!tokens.isOperator('{')) throw tokens.error(tokens.current.start, 'expected label selectors only')
    let conditions: Expr = parseSelector(tokens)
    for (;;) {
      // Their offset has no effect, but is allowed.
      if (tokens.isWord('offset')) conditions = parseOffset(tokens, conditions)
      else if (tokens.isOperator('@')) conditions = parseAt(tokens, conditions)
      else return conditions
    }
  }

  #checkEnabled(name: string, start: number): void {
    const refusal = this.#allowsExperimental ? null : experimentalRefusal(name)
    if (refusal !== null) throw this.#tokens.error(start, refusal)
  }

  #aggregation(op: string): Expr {
    const tokens = this.#tokens
    const { start } = tokens.take()
    let clause = parseGrouping(tokens)
    this.#aggregations++
    const args = this.#arguments()
    this.#aggregations--
    clause ??= parseGrouping(tokens)
    const expected = AGGREGATIONS.get(op) === 'none' ? 1 : 2
    if (args.length === 0) throw tokens.error(start, 'no arguments for aggregate expression provided')
    this.#checkEnabled(op, start)
    if (args.length !== expected) {
      throw tokens.error(
        start,
        `wrong number of arguments for aggregate expression provided, expected ${expected}, got ${args.length}`
      )
    }
    const { labels, isWithout } = clause ?? { labels: [], isWithout: false }
    const position = { start, end: tokens.lastEnd }
    const param = expected === 2 ? args[0]! : null
    return { type: 'aggregation', op, expr: args[expected - 1]!, param, grouping: labels, isWithout, position }
  }
}
