import { Cursor, isAlpha, isDigit, isSpaceChar } from './cursor.js'
import { goQuoted, goQuotedRune } from '../go-quote.js'
import { scanDuration, scanNumber } from './scan-number.js'
import { scanString } from './scan-string.js'

/** What a token is. Words are keywords only where the parser wants one: `sum` may also name a metric. */
export type TokenKind = 'number' | 'duration' | 'string' | 'word' | 'operator' | 'end' | 'error'

/** A token with its position. */
export interface Token {
  readonly kind: TokenKind
  /** As written; for strings their value, for errors the message. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** A word that is a keyword in no position. */
  readonly isName?: boolean
}

/** Longest first, so that `<=` is not read as `<`. */
const OPERATORS = ['==', '!=', '<=', '</', '>=', '>/', ...',*/%+-^=<>@'.split('')]
const OF_BRACES = ['=~', '!~', '!=', ...',='.split('')]
const OF_DURATIONS = '+-*/%^,'
/** Words that may be in brackets. */
const DURATION_WORDS: ReadonlySet<string> = new Set(['step', 'range', 'max_of', 'min_of'])

/**
 * Splits a query into tokens as they are requested: a fault counts only for a parser that comes as far. It keeps the same
 * state as Prometheus's lexer (promql/parser/lex.go), since that decides which error is reported.
 */
export class Lexer {
  readonly #cursor: Cursor
  #start = 0
  #hasEnded = false
  /** Parentheses that are open. */
  #depth = 0
  #inBraces = false
  #inBrackets = false
  /** Brackets in which no number was seen yet. */
  #isInDuration = false
  /** A colon was seen in these brackets. */
  #hasColon = false
  /** A number was seen in these brackets or in earlier ones, which Prometheus does not distinguish (`gotDuration`). */
  #hasNumber = false

  constructor(query: string) {
    this.#cursor = new Cursor(query)
  }

  /** The next token; after an error, and at the end, one of kind `end`. */
  next(): Token {
    if (!this.#isInDuration) this.#skip()
    else this.#cursor.takeWhile(isSpaceChar)
    this.#start = this.#cursor.at
    if (this.#hasEnded) return this.#token('end', '')
    const token = this.#isInDuration ? this.#duration() : this.#inBraces ? this.#condition() : this.#statement()
    this.#hasEnded = token.kind === 'end' || token.kind === 'error'
    return token
  }

  /** Passes over spaces and comments. */
  #skip(): void {
    const cursor = this.#cursor
    for (;;) {
      cursor.takeWhile(isSpaceChar)
      if (cursor.next !== '#') return
      cursor.takeWhile(char => char !== '\n' && char !== '\r')
    }
  }

  #token(kind: TokenKind, text = this.#written): Token {
    return { kind, text, start: this.#start, end: this.#cursor.at }
  }

  get #written(): string {
    return this.#cursor.text.slice(this.#start, this.#cursor.at)
  }

  #error(detail: string): Token {
    return this.#token('error', detail)
  }

  /** An error that is reported where the token ends. */
  #errorBehind(detail: string): Token {
    this.#start = this.#cursor.at
    return this.#error(detail)
  }

  #operatorOf(operators: readonly string[]): Token | null {
    const cursor = this.#cursor
    const found = operators.find(operator => cursor.text.startsWith(operator, cursor.at))
    if (found === undefined) return null
    cursor.at += found.length
    return this.#token('operator')
  }

  #operator(length = 1): Token {
    this.#cursor.at += length
    return this.#token('operator')
  }

  #statement(): Token {
    const { next } = this.#cursor
    if (next === '') return this.#end()
    if (next === '=' && this.#second === '~') return this.#error(`unexpected character after '=': '~'`)
    if (next === '!' && this.#second !== '=') return this.#error(`unexpected character after '!': ${goQuotedRune(this.#second)}`)
    const operator = this.#operatorOf(OPERATORS)
    if (operator !== null) return operator
    if (isDigit(next) || (next === '.' && isDigit(this.#second))) return this.#number()
    if (isQuote(next)) return this.#string()
    if (isAlpha(next) || next === ':') return this.#inBrackets ? this.#wordInBrackets() : this.#word()
    return this.#bracket() ?? this.#unexpected(next)
  }

  get #second(): string {
    const { text, at } = this.#cursor
    const codePoint = text.codePointAt(at + 1)
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint)
  }

  #end(): Token {
    if (this.#depth !== 0) return this.#error('unclosed left parenthesis')
    return this.#inBrackets ? this.#error('unclosed left bracket') : this.#token('end', '')
  }

  #unexpected(char: string): Token {
    const { text, at } = this.#cursor
    const detail = `unexpected character: ${goQuotedRune(char)}`
    const isDotted = char === '.' && /[\w:]/.test(text[at - 1] ?? '')
    return this.#error(isDotted ? `${detail}; write a name with dots in braces and quotes: {"a.b"}` : detail)
  }

  #bracket(): Token | null {
    switch (this.#cursor.next) {
      case '(':
      case ')':
        return this.#parenthesis()
      case '{':
        this.#inBraces = true
        return this.#operator()
      case '[':
        if (this.#inBrackets) return this.#error("unexpected left bracket '['")
        this.#hasColon = false
        this.#inBrackets = true
        this.#isInDuration = true
        return this.#operator()
      case ']':
        return this.#inBrackets ? this.#closed() : this.#error("unexpected right bracket ']'")
      default:
        return null
    }
  }

  #parenthesis(): Token {
    this.#depth += this.#cursor.next === '(' ? 1 : -1
    const token = this.#operator()
    return this.#depth < 0 ? this.#errorBehind("unexpected right parenthesis ')'") : token
  }

  #closed(): Token {
    this.#inBrackets = false
    this.#isInDuration = false
    return this.#operator()
  }

  /** A number or a duration. After one in brackets, other tokens than durations may follow. */
  #number(): Token {
    const cursor = this.#cursor
    this.#isInDuration = false
    if (scanNumber(cursor)) return this.#token('number')
    if (scanDuration(cursor)) return this.#token('duration')
    return this.#error(`bad number or duration syntax: ${goQuoted(this.#written)}`)
  }

  #string(): Token {
    const scanned = scanString(this.#cursor, this.#cursor.take())
    return 'fault' in scanned ? this.#error(scanned.fault) : this.#token('string', scanned.value)
  }

  #word(): Token {
    this.#cursor.takeWhile(char => isAlpha(char) || isDigit(char) || char === ':')
    return this.#token('word')
  }

  #wordInBrackets(): Token {
    const { next } = this.#cursor
    if (next !== ':') return this.#durationWord() ?? this.#error(`unexpected character: ${goQuotedRune(next)}, expected ':'`)
    if (this.#hasColon) return this.#error("unexpected colon ':'")
    this.#hasColon = true
    return this.#operator()
  }

  #durationWord(): Token | null {
    this.#cursor.takeWhile(isAlpha)
    if (!DURATION_WORDS.has(this.#written.toLowerCase())) return null
    // Prometheus wants a number before a colon, even where `step()` is the range.
    this.#hasNumber = true
    return this.#token('word')
  }

  /** Inside braces: names, conditions and strings. */
  #condition(): Token {
    const { next } = this.#cursor
    if (next === '') return this.#error('unexpected end of input inside braces')
    if (isAlpha(next)) {
      this.#cursor.takeWhile(char => isAlpha(char) || isDigit(char))
      return { ...this.#token('word'), isName: true }
    }
    if (isQuote(next)) return this.#string()
    const operator = this.#operatorOf(OF_BRACES)
    if (operator !== null) return operator
    if (next === '!') return this.#error(`unexpected character after '!' inside braces: ${goQuotedRune(this.#second)}`)
    if (next === '{') return this.#error("unexpected left brace '{'")
    if (next !== '}') return this.#error(`unexpected character inside braces: ${goQuotedRune(next)}`)
    this.#inBraces = false
    return this.#operator()
  }

  /** Inside brackets, before the first number. */
  #duration(): Token {
    const { next } = this.#cursor
    if (next === '') return this.#error('unexpected end of input in duration expression')
    if (next === ']') return this.#closed()
    if (next === ':') return this.#colon()
    if (next === '(' || next === ')') return this.#parenthesis()
    if (OF_DURATIONS.includes(next)) return this.#operator()
    if (isDigit(next) || (next === '.' && isDigit(this.#second))) {
      this.#hasNumber = true
      return this.#number()
    }
    const word = /[a-z]/i.test(next) ? this.#durationWord() : null
    return word ?? this.#error(`unexpected character in duration expression: ${goQuotedRune(next)}`)
  }

  #colon(): Token {
    const token = this.#operator()
    if (!this.#hasNumber) return this.#errorBehind('unexpected colon before duration in duration expression')
    if (this.#hasColon) return this.#errorBehind('unexpected repeated colon in duration expression')
    this.#hasColon = true
    return token
  }
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === '`'
}
