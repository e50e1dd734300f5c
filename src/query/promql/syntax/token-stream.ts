import { Lexer, type Token, type TokenKind } from './lexer.js'
import { PromqlSyntaxError } from './syntax-error.js'
import { RegexBound } from '../regex-bound.js'
import { goQuoted } from '../go-quote.js'
import { AGGREGATIONS, PRECEDENCE } from './operators.js'
import { numberOfWord } from './read-number.js'

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['anchored', 'bool', 'by', 'fill', 'fill_left', 'fill_right', 'group_left', 'group_right', 'ignoring', 'offset', 'on'],
  ...['smoothed', 'without']
])
const OF_QUERY: ReadonlySet<string> = new Set(['end', 'max_of', 'min_of', 'range', 'start', 'step'])
/** Operators that are not between two expressions. */
const OTHERS: ReadonlySet<string> = new Set(['@', '=~', '!~'])
const SHOWN_CHARS = 10

/** `fill` and the like are names where no parenthesis follows. */
function isName(word: string, rest: string): boolean {
  return word.startsWith('fill') && !/^[ \t\r\n]*\(/.test(rest)
}

function describeWord(text: string, rest: string): string {
  const word = text.toLowerCase()
  if (AGGREGATIONS.has(word)) return `<aggr:${text}>`
  if (PRECEDENCE.has(word)) return `<op:${text}>`
  if (KEYWORDS.has(word) && !isName(word, rest)) return `<${text}>`
  if (numberOfWord(text) !== undefined) return `number ${goQuoted(text)}`
  if (OF_QUERY.has(word)) return goQuoted(text)
  return `${text.includes(':') ? 'metric identifier' : 'identifier'} ${goQuoted(text)}`
}

/** A token as Prometheus names it where it does not belong: `<op:+>`, `identifier "foo"`. */
function describeToken(query: string, { kind, text, start, end, isName }: Token): string {
  if (kind === 'end') return 'end of input'
  if (kind === 'word' && isName === true) return `identifier ${goQuoted(text)}`
  if (kind === 'word') return describeWord(text, query.slice(end))
  if (kind === 'operator') return PRECEDENCE.has(text) || OTHERS.has(text) ? `<op:${text}>` : goQuoted(text)
  const written = query.slice(start, end)
  const shown = goQuoted(written.slice(0, SHOWN_CHARS))
  return `${kind} ${shown}${written.length > SHOWN_CHARS ? '...' : ''}`
}

/** The tokens of one query, read from left to right. What is not a token throws where it is looked at. */
export class TokenStream {
  readonly #query: string
  readonly #lexer: Lexer
  readonly #tokens: Token[] = []
  readonly #allowsExperimental: boolean
  readonly #regexes: RegexBound
  #at = 0

  /** `regexes` bounds those of several queries together. */
  constructor(query: string, allowsExperimental = true, regexes = new RegexBound()) {
    this.#query = query
    this.#lexer = new Lexer(query)
    this.#allowsExperimental = allowsExperimental
    this.#regexes = regexes
  }

  get current(): Token {
    const token = this.#token(this.#at)
    if (token.kind === 'error') throw this.error(token.start, token.text)
    return token
  }

  get isAtEnd(): boolean {
    return this.current.kind === 'end'
  }

  /** The token after the present one, which may not exist yet. */
  get following(): Token {
    return this.#token(this.#at + 1)
  }

  /** Where the last token that was taken ends. */
  get lastEnd(): number {
    return this.#at === 0 ? 0 : this.#tokens[this.#at - 1]!.end
  }

  #token(at: number): Token {
    while (this.#tokens.length <= at) this.#tokens.push(this.#lexer.next())
    return this.#tokens[at]!
  }

  take(): Token {
    const token = this.current
    if (token.kind !== 'end') this.#at++
    return token
  }

  isOperator(text: string): boolean {
    return this.current.kind === 'operator' && this.current.text === text
  }

  /** Whether the next token is a keyword, case-insensitive. */
  isWord(word: string): boolean {
    const { kind, text, isName } = this.current
    return kind === 'word' && isName !== true && text.toLowerCase() === word
  }

  /** Takes the operator if it is next. */
  accept(operator: string): boolean {
    const isHere = this.isOperator(operator)
    if (isHere) this.#at++
    return isHere
  }

  acceptWord(word: string): boolean {
    const isHere = this.isWord(word)
    if (isHere) this.#at++
    return isHere
  }

  /** `context` null: nothing is stated but what does not belong. */
  expect(operator: string, context: string | null): void {
    if (this.accept(operator)) return
    throw context === null || context === 'aggregation' ? this.unexpected(context) : this.unexpected(context, `"${operator}"`)
  }

  expectKind(kind: TokenKind, context: string): Token {
    if (this.current.kind !== kind) throw this.unexpected(context, kind)
    return this.take()
  }

  unexpected(context: string | null, expected?: string): PromqlSyntaxError {
    const { start } = this.current
    const where = context === null ? '' : ` in ${context}`
    const requested = expected === undefined ? '' : `, expected ${expected}`
    return new PromqlSyntaxError(this.#query, start, `unexpected ${describeToken(this.#query, this.current)}${where}${requested}`)
  }

  /** Throws for an invalid regex, or one too large. */
  checkRegex(at: number, pattern: string): void {
    const refusal = this.#regexes.refusal(pattern)
    if (refusal !== null) throw this.error(at, refusal)
  }

  /** Throws where what Prometheus calls experimental is off. */
  checkExperimental(at: number, refusal: string): void {
    if (!this.#allowsExperimental) throw this.error(at, refusal)
  }

  error(at: number | null, detail: string): PromqlSyntaxError {
    return new PromqlSyntaxError(this.#query, at, detail)
  }
}

/** Keywords that name no metric, and so begin no expression. */
const NO_NAMES: ReadonlySet<string> = new Set(['atan2', 'bool', 'group_left', 'group_right', 'ignoring', 'on'])
const FIRST: ReadonlySet<string> = new Set(['(', '{', '+', '-'])

/** Whether an expression may begin here. */
export function startsExpression(tokens: TokenStream): boolean {
  const { kind, text } = tokens.current
  if (kind === 'operator') return FIRST.has(text)
  return kind === 'word' ? !NO_NAMES.has(text.toLowerCase()) : kind !== 'end'
}
