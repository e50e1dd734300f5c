import { queryError } from './query-error.js'

/** An operator in front of a value. */
export type Comparison = 'gt' | 'gte' | 'lt' | 'lte'

/**
 * `value` is a word or a phrase; its wildcards are between its `pieces` (`a*b` is `['a', 'b']`, a phrase has one piece).
 * `op` is only set after a field.
 */
export type Token =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'end'; readonly at: number }
  | { readonly kind: 'field'; readonly at: number; readonly name: string }
  | {
      readonly kind: 'value'
      readonly at: number
      readonly pieces: readonly string[]
      readonly op: Comparison | null
      /** Of a phrase. */
      readonly isQuoted: boolean
    }

const KEYWORDS: ReadonlyMap<string, 'and' | 'or' | 'not'> = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not']
])
const COMPARISONS: readonly (readonly [string, Comparison])[] = [
  ['>=', 'gte'],
  ['<=', 'lte'],
  ['>', 'gt'],
  ['<', 'lt']
]
const MAX_WILDCARDS = 8
/** `[1 TO 5]`, `{1 TO 5}` and what is between. Both bounds are short, so the search is. */
const RANGE = /([[{])([^\s[\]{}]{1,64}) TO ([^\s[\]{}]{1,64})([\]}])/y
const SPACE = /^\s$/
const FIELD_START = /^[\p{L}_@]$/u
const FIELD_CHAR = /^[\p{L}\p{N}_@./-]$/u

function isSpace(char: string | undefined): boolean {
  return char !== undefined && SPACE.test(char)
}

function endsWord(char: string | undefined): boolean {
  return char === undefined || char === '(' || char === ')' || char === '"' || isSpace(char)
}

/** Cuts a query text into tokens, in one pass from left to right. */
export class Lexer {
  readonly #text: string
  readonly #isKnown: (field: string) => boolean
  readonly #tokens: Token[] = []
  #at = 0
  /** Open parentheses inside `field:( ... )`, where a colon is an ordinary character. */
  #groupDepth = 0

  constructor(text: string, isKnown: (field: string) => boolean) {
    this.#text = text
    this.#isKnown = isKnown
  }

  tokens(): readonly Token[] {
    for (;;) {
      while (isSpace(this.#text[this.#at])) this.#at++
      const char = this.#text[this.#at]
      if (char === undefined) break
      if (char === '(' || char === ')') this.#parenthesis(char)
      else if (char === '"') this.#phrase(null, this.#at)
      else if (this.#isMinus()) this.#tokens.push({ kind: 'not', at: this.#at++ })
      else if (this.#groupDepth > 0) this.#fieldValue()
      else this.#word()
    }
    this.#tokens.push({ kind: 'end', at: this.#at })
    return this.#tokens
  }

  #parenthesis(char: '(' | ')'): void {
    if (this.#groupDepth > 0) this.#groupDepth += char === '(' ? 1 : -1
    this.#tokens.push({ kind: char === '(' ? 'open' : 'close', at: this.#at++ })
  }

  /** `-x` negates; `-` alone, `--x`, `->` and `-=` are words. */
  #isMinus(): boolean {
    if (this.#text[this.#at] !== '-') return false
    const next = this.#text[this.#at + 1]
    return next !== undefined && !'-=>)'.includes(next) && !isSpace(next)
  }

  #word(): void {
    const start = this.#at
    const name = this.#fieldName()
    if (name === null) {
      this.#at = start
      this.#bareWord(null, start)
      return
    }
    this.#tokens.push({ kind: 'field', at: start, name })
    if (this.#text[this.#at] === '(') {
      this.#groupDepth = 1
      this.#tokens.push({ kind: 'open', at: this.#at++ })
      return
    }
    this.#fieldValue()
  }

  /** A value after `field:` or within `field:( ... )`: an optional comparison, then a phrase or a word. */
  #fieldValue(): void {
    const start = this.#at
    this.#refuseRange()
    const comparison = COMPARISONS.find(([sign]) => this.#text.startsWith(sign, this.#at))
    if (comparison) this.#at += comparison[0].length
    const op = comparison?.[1] ?? null
    const char = this.#text[this.#at]
    if (char === '"') {
      this.#phrase(op, start)
      return
    }
    if (endsWord(char)) throw queryError('a value is missing', this.#at, ['write the value directly after the operator'])
    this.#bareWord(op, start)
  }

  /** Lucene's ranges would be read as three words that nothing matches. */
  #refuseRange(): void {
    RANGE.lastIndex = this.#at
    const range = RANGE.exec(this.#text)
    if (!range) return
    const [, opened, low, high, closed] = range
    const bounds = [
      ...(low === '*' ? [] : [`${opened === '[' ? '>=' : '>'}${low!}`]),
      ...(high === '*' ? [] : [`${closed === ']' ? '<=' : '<'}${high!}`])
    ]
    throw queryError('write a range as two comparisons', this.#at, [
      bounds.length > 0 ? `field:(${bounds.join(' ')})` : 'field:*'
    ])
  }

  /**
   * Reads `name:` up to and including the colon; null when the word is not a field. `12:30`, `http://x` and `a::b` are words;
   * so is `Error:` with nothing behind it, as it is pasted out of messages.
   */
  #fieldName(): string | null {
    let name = ''
    for (; ; this.#at++) {
      const char = this.#text[this.#at]
      if (char === ':' && name !== '') return this.#endOfField(name)
      if (char === '\\' && this.#text[this.#at + 1] !== undefined) {
        const escaped = String.fromCodePoint(this.#text.codePointAt(++this.#at)!)
        name += escaped
        this.#at += escaped.length - 1
        continue
      }
      if (char === undefined || !(name === '' ? FIELD_START : FIELD_CHAR).test(char)) return null
      name += char
    }
  }

  #endOfField(name: string): string | null {
    const next = this.#text[this.#at + 1]
    if (next === ':' || this.#text.startsWith('//', this.#at + 1)) return null
    const hasValue = next === '"' || next === '(' || !endsWord(next)
    if (hasValue) {
      this.#at++
      return name
    }
    if (!this.#isKnown(name)) return null
    throw queryError(`${name}: requires its value directly after the colon, without a space`, this.#at, [
      `${name}:value`,
      `"${name}:" to search for this string`
    ])
  }

  #escaped(): string {
    const char = this.#text[this.#at + 1]
    if (char === undefined) throw queryError('a backslash must be followed by a character', this.#at, ['\\\\'])
    this.#at += 2
    return char
  }

  #bareWord(op: Comparison | null, start: number): void {
    const from = this.#at
    const pieces: string[] = []
    let piece = ''
    for (let char = this.#text[this.#at]; !endsWord(char); char = this.#text[this.#at]) {
      if (char === '\\') piece += this.#escaped()
      else if (char === '*') {
        // `**` means the same as `*`.
        if (piece !== '' || pieces.length === 0) pieces.push(piece)
        piece = ''
        this.#at++
      } else {
        piece += char!
        this.#at++
      }
    }
    pieces.push(piece)
    if (pieces.length > MAX_WILDCARDS + 1)
      throw queryError(`a value must not exceed ${MAX_WILDCARDS} wildcards`, start, ['use the filter op "regex"'])
    this.#pushWord(pieces, op, { start, text: this.#text.slice(from, this.#at) })
  }

  #pushWord(pieces: readonly string[], op: Comparison | null, word: { start: number; text: string }): void {
    const previous = this.#tokens.at(-1)
    const keyword = op === null && previous?.kind !== 'field' ? KEYWORDS.get(word.text) : undefined
    if (keyword) this.#tokens.push({ kind: keyword, at: word.start })
    else this.#tokens.push({ kind: 'value', at: word.start, pieces, op, isQuoted: false })
  }

  #phrase(op: Comparison | null, start: number): void {
    const opened = this.#at++
    let text = ''
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined)
        throw queryError('the quotation mark is not closed', opened, ['add a closing "', 'write \\" for the character'])
      if (char === '"') break
      // Only a quotation mark or a backslash need a backslash here: `"C:\temp"` is what it looks like.
      const next = this.#text[this.#at + 1]
      if (char === '\\' && (next === '"' || next === '\\')) this.#at++
      text += this.#text[this.#at]!
      this.#at++
    }
    this.#at++
    this.#tokens.push({ kind: 'value', at: start, pieces: [text], op, isQuoted: true })
  }
}
