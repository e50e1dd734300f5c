import { SIGNATURES } from '../functions/signatures.js'
import type { AtModifier, Expr, VectorMatching } from './ast.js'
import { checkTypes } from './check-types.js'
import { parseDurationMs } from './duration.js'
import { experimentalRefusal } from './experimental.js'
import type { Token } from './lexer.js'
import { AGGREGATIONS, isComparison, isSetOperator, PRECEDENCE, UNARY_PRECEDENCE } from './operators.js'
import { parseConditions, parseSelector } from './parse-selector.js'
import { TokenStream } from './token-stream.js'

/** Deeper nesting than any person or dashboard writes; it bounds the recursion of everything that walks the tree. */
const MAX_DEPTH = 200
/** A chain of operators nests to the left as deep as it is long. */
const MAX_OPERATORS = 1_000
const NUMBER_WORDS: Readonly<Record<string, number>> = { inf: Infinity, nan: Number.NaN }

/** Reads a query. Throws `PromqlSyntaxError`, also when its types do not fit, or what it calls is experimental and that is off. */
export function parsePromql(query: string, allowsExperimental = true): Expr {
  const tokens = new TokenStream(query)
  if (tokens.isAtEnd) throw tokens.error(0, 'no expression found in input')
  const expr = new Parser(tokens, allowsExperimental).expression(0)
  if (!tokens.isAtEnd) throw tokens.unexpected('query')
  checkTypes(query, expr)
  return expr
}

class Parser {
  readonly #tokens: TokenStream
  readonly #allowsExperimental: boolean
  #depth = 0
  #operators = 0

  constructor(tokens: TokenStream, allowsExperimental: boolean) {
    this.#tokens = tokens
    this.#allowsExperimental = allowsExperimental
  }

  /** Precedence climbing: everything that binds at least as tightly as `least`. */
  expression(least: number): Expr {
    const tokens = this.#tokens
    if (++this.#depth > MAX_DEPTH) throw tokens.error(tokens.current.start, `the query is nested deeper than ${MAX_DEPTH} levels`)
    let lhs = this.#unary()
    for (;;) {
      const op = this.#binaryOperator()
      const precedence = op === null ? undefined : PRECEDENCE.get(op)
      if (op === null || precedence === undefined || precedence < least) break
      tokens.take()
      lhs = this.#binary(lhs, op, precedence)
    }
    this.#depth--
    return lhs
  }

  #binaryOperator(): string | null {
    const { kind, text } = this.#tokens.current
    return kind === 'operator' ? text : kind === 'word' ? text.toLowerCase() : null
  }

  #binary(lhs: Expr, op: string, precedence: number): Expr {
    const tokens = this.#tokens
    const { start } = lhs.position
    if (++this.#operators > MAX_OPERATORS) throw tokens.error(tokens.lastEnd, `a query may have ${MAX_OPERATORS} operators`)
    const returnsBool = tokens.acceptWord('bool')
    if (returnsBool && !isComparison(op))
      throw tokens.error(tokens.lastEnd, 'bool modifier can only be used on comparison operators')
    const matching = this.#matching(op)
    const rhs = this.expression(op === '^' ? precedence : precedence + 1)
    return { type: 'binary', op, lhs, rhs, returnsBool, matching, position: { start, end: rhs.position.end } }
  }

  #matching(op: string): VectorMatching {
    const tokens = this.#tokens
    const card = isSetOperator(op) ? 'many-to-many' : 'one-to-one'
    const isOn = tokens.isWord('on')
    if (!isOn && !tokens.isWord('ignoring')) return { card, labels: [], isOn: false, include: [] }
    tokens.take()
    const labels = this.#labelList('vector matching')
    const side = tokens.isWord('group_left') ? 'many-to-one' : tokens.isWord('group_right') ? 'one-to-many' : null
    if (side === null) return { card, labels, isOn, include: [] }
    const { start } = tokens.take()
    if (isSetOperator(op)) throw tokens.error(start, `no grouping allowed for "${op}" operation`)
    const include = tokens.isOperator('(') ? this.#labelList('grouping') : []
    const twice = include.find(label => isOn && labels.includes(label))
    if (twice !== undefined)
      throw tokens.error(start, `label ${JSON.stringify(twice)} must not occur in ON and GROUP clause at once`)
    return { card: side, labels, isOn, include }
  }

  #labelList(context: string): readonly string[] {
    const tokens = this.#tokens
    const labels: string[] = []
    tokens.expect('(', context)
    while (!tokens.accept(')')) {
      const { kind } = tokens.current
      if (kind !== 'word' && kind !== 'string') throw tokens.unexpected(`${context} opts`, 'label')
      labels.push(tokens.take().text)
      if (!tokens.accept(',') && !tokens.isOperator(')')) throw tokens.unexpected(`${context} opts`, '"," or ")"')
    }
    return labels
  }

  #unary(): Expr {
    const tokens = this.#tokens
    const { start, text } = tokens.current
    if (!tokens.isOperator('-') && !tokens.isOperator('+')) return this.#postfix()
    tokens.take()
    const expr = this.expression(UNARY_PRECEDENCE + 1)
    return { type: 'unary', op: text as '+' | '-', expr, position: { start, end: expr.position.end } }
  }

  /** What may follow an expression: ranges, `offset`, `@`. */
  #postfix(): Expr {
    const tokens = this.#tokens
    let expr = this.#primary()
    for (;;) {
      if (tokens.isOperator('[')) expr = this.#range(expr)
      else if (tokens.isWord('offset')) expr = this.#offset(expr)
      else if (tokens.isOperator('@')) expr = this.#at(expr)
      else return expr
    }
  }

  #range(expr: Expr): Expr {
    const tokens = this.#tokens
    const { start } = tokens.take()
    const rangeMs = this.#durationMs('range')
    if (rangeMs <= 0) throw tokens.error(start, 'duration must be greater than 0')
    if (tokens.accept(':')) {
      const stepMs = tokens.isOperator(']') ? null : this.#durationMs('subquery')
      if (stepMs !== null && stepMs <= 0) throw tokens.error(start, 'duration must be greater than 0')
      tokens.expect(']', 'subquery selector')
      const position = { start: expr.position.start, end: tokens.lastEnd }
      return { type: 'subquery', expr, rangeMs, stepMs, offsetMs: 0, at: null, position }
    }
    tokens.expect(']', 'matrix selector')
    if (expr.type !== 'selector') throw tokens.error(start, 'ranges only allowed for vector selectors')
    if (expr.offsetMs !== 0) throw tokens.error(start, 'no offset modifiers allowed before range')
    if (expr.at !== null) throw tokens.error(start, 'no @ modifiers allowed before range')
    return { type: 'matrix', selector: expr, rangeMs, position: { start: expr.position.start, end: tokens.lastEnd } }
  }

  /** A duration, or a number of seconds. */
  #durationMs(context: string): number {
    const token = this.#tokens.current
    const ms =
      token.kind === 'duration' ? parseDurationMs(token.text) : token.kind === 'number' ? toNumber(token.text) * 1000 : null
    if (ms === null || !Number.isFinite(ms)) throw this.#tokens.unexpected(`${context} selector`, 'number or duration')
    this.#tokens.take()
    return Math.round(ms)
  }

  #signedDurationMs(context: string): number {
    const isNegative = this.#tokens.accept('-')
    if (!isNegative) this.#tokens.accept('+')
    const ms = this.#durationMs(context)
    return isNegative ? -ms : ms
  }

  #offset(expr: Expr): Expr {
    const { start } = this.#tokens.take()
    const offsetMs = this.#signedDurationMs('offset')
    return this.#shifted(expr, start, 'offset', { offsetMs })
  }

  #at(expr: Expr): Expr {
    const tokens = this.#tokens
    const { start } = tokens.take()
    return this.#shifted(expr, start, '@', { at: this.#atModifier() })
  }

  #atModifier(): AtModifier {
    const tokens = this.#tokens
    for (const word of ['start', 'end'] as const) {
      if (!tokens.acceptWord(word)) continue
      tokens.expect('(', '@')
      tokens.expect(')', '@')
      return word
    }
    const isNegative = tokens.accept('-')
    if (!isNegative) tokens.accept('+')
    const token = tokens.take()
    const ms =
      token.kind === 'number' ? toNumber(token.text) * 1000 : token.kind === 'duration' ? parseDurationMs(token.text) : null
    if (ms === null || !Number.isFinite(ms)) {
      throw tokens.error(token.start, 'timestamp of the @ modifier must be a finite number')
    }
    return { atMs: Math.round(ms) * (isNegative ? -1 : 1) }
  }

  #shifted(expr: Expr, at: number, what: 'offset' | '@', shift: { offsetMs?: number; at?: AtModifier }): Expr {
    const tokens = this.#tokens
    const end = tokens.lastEnd
    if (expr.type === 'matrix') {
      const selector = this.#shifted(expr.selector, at, what, shift)
      return selector.type === 'selector' ? { ...expr, selector, position: { ...expr.position, end } } : expr
    }
    if (expr.type !== 'selector' && expr.type !== 'subquery') {
      throw tokens.error(
        at,
        `${what} modifier must be preceded by an instant vector selector or range vector selector or a subquery`
      )
    }
    const isTwice = what === 'offset' ? expr.offsetMs !== 0 : expr.at !== null
    if (isTwice) throw tokens.error(at, `${what} may not be set multiple times`)
    return { ...expr, ...shift, position: { ...expr.position, end } }
  }

  #primary(): Expr {
    const tokens = this.#tokens
    const token = tokens.current
    const position = { start: token.start, end: token.end }
    switch (token.kind) {
      case 'number':
        return { type: 'number', value: toNumber(tokens.take().text), isDuration: false, position }
      case 'duration':
        return { type: 'number', value: this.#durationMs('number') / 1000, isDuration: true, position }
      case 'string':
        return { type: 'string', value: tokens.take().text, position }
      case 'word':
        return this.#word(token)
      default:
    }
    if (tokens.isOperator('{')) return parseSelector(tokens)
    if (!tokens.accept('(')) throw tokens.unexpected('query')
    const expr = this.expression(0)
    tokens.expect(')', 'paren expression')
    return { type: 'paren', expr, position: { start: token.start, end: tokens.lastEnd } }
  }

  #word(token: Token): Expr {
    const tokens = this.#tokens
    const word = token.text.toLowerCase()
    const next = tokens.following
    const isCall = next.kind === 'operator' && next.text === '('
    const isGrouped = next.kind === 'word' && ['by', 'without'].includes(next.text.toLowerCase())
    if (AGGREGATIONS.has(word) && (isCall || isGrouped)) return this.#aggregation(word)
    if (isCall) return this.#call()
    const number = NUMBER_WORDS[word]
    if (number === undefined) return parseSelector(tokens)
    tokens.take()
    return { type: 'number', value: number, isDuration: false, position: { start: token.start, end: token.end } }
  }

  /** Arguments in parentheses; of `info` the second is conditions on labels alone. */
  #arguments(context: string, hasConditions = false): readonly Expr[] {
    const tokens = this.#tokens
    const args: Expr[] = []
    tokens.expect('(', context)
    while (!tokens.accept(')')) {
      args.push(hasConditions && args.length === 1 ? this.#conditions() : this.expression(0))
      if (tokens.accept(',')) {
        if (tokens.isOperator(')')) throw tokens.error(tokens.lastEnd, 'trailing commas not allowed in function call args')
      } else if (!tokens.isOperator(')')) throw tokens.unexpected(context, '"," or ")"')
    }
    return args
  }

  #call(): Expr {
    const tokens = this.#tokens
    const { text: name, start } = tokens.take()
    if (!SIGNATURES.has(name)) throw tokens.error(start, `unknown function with name ${JSON.stringify(name)}`)
    this.#checkEnabled(name, start)
    const args = this.#arguments('function call', name === 'info')
    return { type: 'call', name, args, position: { start, end: tokens.lastEnd } }
  }

  #conditions(): Expr {
    const tokens = this.#tokens
    if (!tokens.isOperator('{')) throw tokens.error(tokens.current.start, 'expected label selectors only')
    let conditions: Expr = parseConditions(tokens)
    for (;;) {
      // Where they look in time says nothing, but may be said.
      if (tokens.isWord('offset')) conditions = this.#offset(conditions)
      else if (tokens.isOperator('@')) conditions = this.#at(conditions)
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
    this.#checkEnabled(op, start)
    let clause = this.#grouping()
    const args = this.#arguments('aggregation')
    clause ??= this.#grouping()
    const wanted = AGGREGATIONS.get(op) === 'none' ? 1 : 2
    if (args.length === 0) throw tokens.error(start, 'no arguments for aggregate expression provided')
    if (args.length !== wanted) {
      throw tokens.error(
        start,
        `wrong number of arguments for aggregate expression provided, expected ${wanted}, got ${args.length}`
      )
    }
    const { labels, isWithout } = clause ?? { labels: [], isWithout: false }
    const position = { start, end: tokens.lastEnd }
    const param = wanted === 2 ? args[0]! : null
    return { type: 'aggregation', op, expr: args[wanted - 1]!, param, grouping: labels, isWithout, position }
  }

  #grouping(): { readonly labels: readonly string[]; readonly isWithout: boolean } | null {
    const isWithout = this.#tokens.isWord('without')
    if (!isWithout && !this.#tokens.isWord('by')) return null
    this.#tokens.take()
    return { labels: this.#labelList('grouping'), isWithout }
  }
}

function toNumber(text: string): number {
  return Number(text.replaceAll('_', ''))
}
