import { describeToken } from './describe-token.js'
import { Lexer, type Token, type TokenKind } from './lexer.js'
import { PromqlSyntaxError } from './syntax-error.js'
import { RegexBound } from '../regex-bound.js'

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

  /** The token behind the present one, which may be none yet. */
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

  /** Takes the operator when it stands here. */
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

  /** Throws where a regex is none, or one too large. */
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
