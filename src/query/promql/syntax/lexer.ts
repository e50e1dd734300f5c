import { PromqlSyntaxError } from './syntax-error.js'

/** What a token is. Words are keywords only where the parser wants one: `sum` may also name a metric. */
export type TokenKind = 'number' | 'duration' | 'string' | 'word' | 'operator' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** As written; for strings the text that they stand for. */
  readonly text: string
  readonly start: number
  readonly end: number
}

// Longest first, so that `=~` is not read as `=`.
const OPERATORS = ['=~', '!~', '==', '!=', '<=', '>=', '</', '>/', ...'+-*/%^<>=(){}[],:@'.split('')]
const SPACE = /[ \t\r\n]/
const WORD_START = /[a-zA-Z_:]/
const WORD = /[a-zA-Z0-9_:]/
const DURATION = /(?:\d+(?:ms|[smhdwy]))+(?![a-zA-Z0-9_])/y
const NUMBER = /(?:0[xX][0-9a-fA-F]+|(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"'
}
const HEX_ESCAPES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** Splits a query into tokens; the last is of kind `end`. Throws `PromqlSyntaxError`. */
export function tokenize(query: string): readonly Token[] {
  return new Lexer(query).run()
}

class Lexer {
  readonly #query: string
  readonly #tokens: Token[] = []
  #at = 0
  /** Inside braces a colon belongs to no name and words are label names. */
  #inBraces = false
  /** Inside brackets a colon parts a range from its step. */
  #inBrackets = false

  constructor(query: string) {
    this.#query = query
  }

  run(): readonly Token[] {
    for (;;) {
      this.#skipSpace()
      if (this.#at >= this.#query.length) break
      this.#next()
    }
    this.#push('end', '', this.#at)
    return this.#tokens
  }

  #skipSpace(): void {
    for (;;) {
      while (SPACE.test(this.#query[this.#at] ?? '')) this.#at++
      if (this.#query[this.#at] !== '#') return
      const end = this.#query.indexOf('\n', this.#at)
      this.#at = end < 0 ? this.#query.length : end
    }
  }

  #push(kind: TokenKind, text: string, start: number): void {
    this.#tokens.push({ kind, text, start, end: this.#at })
  }

  #next(): void {
    const char = this.#query[this.#at]!
    if (char === '"' || char === "'" || char === '`') return this.#string(char)
    if (!this.#inBraces && this.#numeric()) return
    if (WORD_START.test(char) && (char !== ':' || this.#startsName())) return this.#word()
    this.#operator()
  }

  /** A colon starts a recording rule's name only where a name can stand; in `[5m:1m]` it does not. */
  #startsName(): boolean {
    return !this.#inBraces && !this.#inBrackets && WORD_START.test(this.#query[this.#at + 1] ?? '')
  }

  #numeric(): boolean {
    for (const [kind, pattern] of [
      ['duration', DURATION],
      ['number', NUMBER]
    ] as const) {
      pattern.lastIndex = this.#at
      const found = pattern.exec(this.#query)
      if (!found) continue
      const start = this.#at
      this.#at += found[0].length
      if (WORD.test(this.#query[this.#at] ?? '') && this.#query[this.#at] !== ':') {
        throw this.#error(start, `bad number or duration syntax: ${JSON.stringify(this.#query.slice(start, this.#at + 1))}`)
      }
      this.#push(kind, found[0], start)
      return true
    }
    return false
  }

  #word(): void {
    const start = this.#at
    const isPart = (char: string | undefined): boolean =>
      char !== undefined && WORD.test(char) && !((this.#inBraces || this.#inBrackets) && char === ':')
    while (isPart(this.#query[this.#at])) this.#at++
    this.#push('word', this.#query.slice(start, this.#at), start)
  }

  #unexpected(at: number): PromqlSyntaxError {
    const detail = `unexpected character: ${quoteChar(this.#query, at)}`
    const before = this.#tokens.at(-1)
    const isDotted = this.#query[at] === '.' && before?.kind === 'word' && before.end === at
    return this.#error(at, isDotted ? `${detail}; a name with dots stands in braces and quotes: {"a.b"}` : detail)
  }

  #operator(): void {
    const start = this.#at
    const operator = OPERATORS.find(text => this.#query.startsWith(text, start))
    if (operator === undefined) throw this.#unexpected(start)
    this.#at += operator.length
    if (operator === '{') this.#inBraces = true
    if (operator === '}') this.#inBraces = false
    if (operator === '[') this.#inBrackets = true
    if (operator === ']') this.#inBrackets = false
    this.#push('operator', operator, start)
  }

  #string(quote: string): void {
    const start = this.#at++
    let text = ''
    for (;;) {
      const char = this.#query[this.#at]
      const isOpen = char === undefined || (char === '\n' && quote !== '`')
      if (isOpen) throw this.#error(start, quote === '`' ? 'unterminated raw string' : 'unterminated quoted string')
      this.#at++
      if (char === quote) break
      text += char === '\\' && quote !== '`' ? this.#escape() : char
    }
    this.#push('string', withRawBytes(text), start)
  }

  /** What stands behind a backslash: the escapes of Go. */
  #escape(): string {
    const char = this.#query[this.#at++] ?? ''
    const simple = ESCAPES[char]
    if (simple !== undefined) return simple
    const octal = /^[0-7]{3}/.exec(this.#query.slice(this.#at - 1))
    if (octal) {
      this.#at += 2
      return byteOrChar(Number.parseInt(octal[0], 8), true)
    }
    const length = HEX_ESCAPES[char]
    const digits = this.#query.slice(this.#at, this.#at + (length ?? 0))
    if (length === undefined || digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
      throw this.#error(this.#at - 1, `unknown escape sequence ${JSON.stringify(char)}`)
    }
    this.#at += length
    const codePoint = Number.parseInt(digits, 16)
    if (codePoint > 0x10ffff) throw this.#error(this.#at, 'escape sequence is an invalid Unicode code point')
    return byteOrChar(codePoint, char === 'x')
  }

  #error(at: number, detail: string): PromqlSyntaxError {
    return new PromqlSyntaxError(this.#query, at, detail)
  }
}

// Escapes of single bytes may make up a character together: until then each stands for itself as half of a surrogate pair.
const RAW_BYTE = 0xdc00
const FIRST_NO_ASCII = 0x80
const RAW_BYTES = /[\udc80-\udcff]/

function byteOrChar(value: number, isByte: boolean): string {
  return isByte && value >= FIRST_NO_ASCII ? String.fromCharCode(RAW_BYTE + (value & 0xff)) : String.fromCodePoint(value)
}

/** The text whose UTF-8 has the bytes that were escaped; bytes that are none become U+FFFD. */
function withRawBytes(text: string): string {
  if (!RAW_BYTES.test(text)) return text
  const parts = Array.from(text, char => (RAW_BYTES.test(char) ? Buffer.of(char.charCodeAt(0) - RAW_BYTE) : Buffer.from(char)))
  return Buffer.concat(parts).toString('utf8')
}

function quoteChar(query: string, at: number): string {
  return `'${String.fromCodePoint(query.codePointAt(at)!)}'`
}
