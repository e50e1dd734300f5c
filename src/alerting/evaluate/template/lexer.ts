import { TemplateError } from './template-error.js'

/** A token of an action: `{{ ... }}`. `space` separates operands. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open' | 'close' | 'space' | 'pipe' | 'left' | 'right' | 'comma' | 'declare' | 'assign' | 'end' }
  | { readonly kind: 'word' | 'field' | 'variable'; readonly name: string }
  | { readonly kind: 'dot' }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number | bigint }

const SPACE = /[ \t\r\n]/
const COMMENT = /\{\{(?:-[ \t\r\n])?[ \t\r\n]*\/\*/y
const COMMENT_END = /\*\/[ \t\r\n]*(-?)\}\}/g
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy
const NUMBER = /[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y
const SIGNS: Readonly<Record<string, 'pipe' | 'left' | 'right' | 'comma' | 'assign'>> = {
  '|': 'pipe',
  '(': 'left',
  ')': 'right',
  ',': 'comma',
  '=': 'assign'
}
const ESCAPED = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([abfnrtv\\'"]))/y
const SIMPLE: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const MAX_CODE_POINT = 0x10ffff

/** Splits a template of Go's text/template into tokens. */
class Lexer {
  readonly #source: string
  readonly #tokens: Token[] = []
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  tokens(): readonly Token[] {
    let isTrimmed = false
    while (this.#at < this.#source.length) {
      const start = this.#source.indexOf('{{', this.#at)
      const end = start < 0 ? this.#source.length : start
      const trimsBefore = start >= 0 && this.#source[start + 2] === '-' && SPACE.test(this.#source[start + 3] ?? '')
      let text = this.#source.slice(this.#at, end)
      if (isTrimmed) text = text.replace(/^[ \t\r\n]+/, '')
      if (trimsBefore) text = text.trimEnd()
      if (text !== '') this.#tokens.push({ kind: 'text', text })
      this.#at = end
      if (start < 0) break
      isTrimmed = this.#comment() ?? this.#action(trimsBefore)
    }
    this.#tokens.push({ kind: 'end' })
    return this.#tokens
  }

  /** Skips a comment, and returns whether space behind it is trimmed; null without a comment. */
  #comment(): boolean | null {
    COMMENT.lastIndex = this.#at
    if (!COMMENT.test(this.#source)) return null
    COMMENT_END.lastIndex = COMMENT.lastIndex
    const found = COMMENT_END.exec(this.#source)
    if (!found) throw new TemplateError('unclosed comment')
    this.#at = COMMENT_END.lastIndex
    return found[1] === '-'
  }

  /** Reads an action, and returns whether space behind it is trimmed. */
  #action(trimsBefore: boolean): boolean {
    this.#at += trimsBefore ? 3 : 2
    this.#tokens.push({ kind: 'open' })
    for (;;) {
      const close = this.#close()
      if (close !== null) return close
      this.#token()
    }
  }

  #close(): boolean | null {
    const found = /[ \t\r\n]-\}\}|\}\}/y
    found.lastIndex = this.#at
    const match = found.exec(this.#source)
    if (!match) return null
    this.#at = found.lastIndex
    this.#tokens.push({ kind: 'close' })
    return match[0].length > 2
  }

  #token(): void {
    const char = this.#source[this.#at]
    if (char === undefined) throw new TemplateError('unclosed action')
    if (SPACE.test(char)) return this.#space()
    if (char === '"' || char === '`' || char === "'") return this.#quoted(char)
    if (char === ':' && this.#source[this.#at + 1] === '=') return this.#sign('declare', 2)
    const number = this.#match(NUMBER)
    if (number !== null) return this.#number(number)
    if (char === '.') return this.#field()
    if (char === '$') return this.#variable()
    const word = this.#match(WORD)
    if (word !== null) {
      this.#tokens.push({ kind: 'word', name: word })
      return undefined
    }
    const sign = SIGNS[char]
    if (sign === undefined) throw new TemplateError(`unexpected ${JSON.stringify(char)} in an action`)
    return this.#sign(sign, 1)
  }

  #sign(kind: 'pipe' | 'left' | 'right' | 'comma' | 'assign' | 'declare', length: number): void {
    this.#at += length
    this.#tokens.push({ kind })
  }

  #space(): void {
    // The space of a trim marker belongs to the end of the action.
    while (SPACE.test(this.#source[this.#at] ?? '') && !/^[ \t\r\n]-\}\}/.test(this.#source.slice(this.#at, this.#at + 4)))
      this.#at++
    if (this.#tokens.at(-1)?.kind !== 'space') this.#tokens.push({ kind: 'space' })
  }

  #match(regex: RegExp): string | null {
    regex.lastIndex = this.#at
    const found = regex.exec(this.#source)
    if (!found) return null
    this.#at = regex.lastIndex
    return found[0]
  }

  #number(text: string): void {
    const isWhole = /^[-+]?(?:\d+|0[xX][0-9a-fA-F]+)$/.test(text)
    const sign = text.startsWith('-') ? -1n : 1n
    this.#tokens.push({ kind: 'number', value: isWhole ? sign * BigInt(text.replace(/^[-+]/, '')) : Number(text) })
  }

  #field(): void {
    this.#at++
    const name = this.#match(WORD)
    this.#tokens.push(name === null ? { kind: 'dot' } : { kind: 'field', name })
  }

  #variable(): void {
    this.#at++
    this.#tokens.push({ kind: 'variable', name: `$${this.#match(WORD) ?? ''}` })
  }

  #quoted(quote: string): void {
    let value = ''
    for (this.#at++; ;) {
      const char = this.#source[this.#at]
      if (char === undefined || (char === '\n' && quote !== '`')) throw new TemplateError('unterminated quoted string')
      if (char === quote) break
      if (char === '\\' && quote !== '`') value += this.#escape()
      else {
        value += char
        this.#at++
      }
    }
    this.#at++
    // A character constant is its number, as in Go.
    this.#tokens.push(quote === "'" ? { kind: 'number', value: characterOf(value) } : { kind: 'string', value })
  }

  #escape(): string {
    ESCAPED.lastIndex = this.#at
    const found = ESCAPED.exec(this.#source)
    if (!found) throw new TemplateError(`invalid escape ${JSON.stringify(this.#source.slice(this.#at, this.#at + 2))}`)
    this.#at = ESCAPED.lastIndex
    const [, byte, short, long, octal, simple] = found
    if (simple !== undefined) return SIMPLE[simple] ?? simple
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8)
    if (code > MAX_CODE_POINT) throw new TemplateError('escape is not a Unicode code point')
    return String.fromCodePoint(code)
  }
}

function characterOf(value: string): bigint {
  const [first, ...others] = value
  if (first === undefined || others.length > 0) throw new TemplateError('a character constant has one character')
  return BigInt(first.codePointAt(0)!)
}

/** Tokens of a template, the last one of kind `end`. Throws `TemplateError`. */
export function tokensOf(source: string): readonly Token[] {
  return new Lexer(source).tokens()
}
