import { describeToken } from './describe-token.js'
import { tokenize, type Token, type TokenKind } from './lexer.js'
import { PromqlSyntaxError } from './syntax-error.js'

/** The tokens of one query, read from left to right. */
export class TokenStream {
  readonly #query: string
  readonly #tokens: readonly Token[]
  readonly #allowsExperimental: boolean
  #at = 0

  constructor(query: string, allowsExperimental = true) {
    this.#query = query
    this.#tokens = tokenize(query)
    this.#allowsExperimental = allowsExperimental
  }

  get current(): Token {
    return this.#tokens[this.#at]!
  }

  get isAtEnd(): boolean {
    return this.#tokens[this.#at]!.kind === 'end'
  }

  /** The token behind the present one. */
  get following(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)]!
  }

  /** Where the last token that was taken ends. */
  get lastEnd(): number {
    return this.#tokens[Math.max(0, this.#at - 1)]!.end
  }

  take(): Token {
    const token = this.current
    if (token.kind !== 'end') this.#at++
    return token
  }

  isOperator(text: string): boolean {
    return this.current.kind === 'operator' && this.current.text === text
  }

  /** Whether a keyword stands here, in any case. */
  isWord(word: string): boolean {
    return this.current.kind === 'word' && this.current.text.toLowerCase() === word
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

  /** `context` null: nothing is said but what does not belong. */
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
    if (this.isAtEnd && this.#hasOpenParenthesis()) return this.error(start, 'unclosed left parenthesis')
    const where = context === null ? '' : ` in ${context}`
    const wanted = expected === undefined ? '' : `, expected ${expected}`
    return new PromqlSyntaxError(this.#query, start, `unexpected ${describeToken(this.#query, this.current)}${where}${wanted}`)
  }

  #hasOpenParenthesis(): boolean {
    const operators = this.#tokens.filter(({ kind }) => kind === 'operator')
    return operators.filter(({ text }) => text === '(').length > operators.filter(({ text }) => text === ')').length
  }

  /** Throws where what Prometheus calls experimental is off. */
  checkExperimental(at: number, refusal: string): void {
    if (!this.#allowsExperimental) throw this.error(at, refusal)
  }

  error(at: number, detail: string): PromqlSyntaxError {
    return new PromqlSyntaxError(this.#query, at, detail)
  }
}
