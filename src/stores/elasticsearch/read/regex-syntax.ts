import { GatewayError } from '../../../domain/errors.js'

/** A set of characters as pairs of first and last code point. */
export interface CharSet {
  readonly ranges: readonly (readonly [number, number])[]
  readonly isNegated: boolean
}

/** A regex of the subset that RE2 and Lucene share, read into its parts. */
export type Regex =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly set: CharSet }
  /** `most` is null without an upper bound. */
  | { readonly kind: 'repeat'; readonly of: Regex; readonly least: number; readonly most: number | null }
  | { readonly kind: 'sequence'; readonly of: readonly Regex[] }
  | { readonly kind: 'choice'; readonly of: readonly Regex[] }

const PERL_SETS: ReadonlyMap<string, CharSet['ranges']> = new Map([
  ['d', [[0x30, 0x39]]],
  [
    'w',
    [
      [0x30, 0x39],
      [0x41, 0x5a],
      [0x5f, 0x5f],
      [0x61, 0x7a]
    ]
  ],
  [
    's',
    [
      [0x09, 0x0a],
      [0x0c, 0x0d],
      [0x20, 0x20]
    ]
  ]
])
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f']
])
const IS_PUNCTUATION = /^[!-/:-@[-`{-~]$/
const COUNT = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/

function refused(what: string): GatewayError {
  return new GatewayError('query_unsupported', `this regex uses ${what}, which some stores do not support`, { field: 'regex' })
}

class Reader {
  readonly #chars: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#chars = [...text]
  }

  readAll(): Regex {
    const read = this.#choice()
    if (this.#at < this.#chars.length) throw refused('an unopened parenthesis')
    return read
  }

  #choice(): Regex {
    const alternatives = [this.#sequence()]
    while (this.#take('|')) alternatives.push(this.#sequence())
    return alternatives.length === 1 ? alternatives[0]! : { kind: 'choice', of: alternatives }
  }

  #sequence(): Regex {
    const parts: Regex[] = []
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek())
      parts.push(this.#repeated(this.#atom()))
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', of: parts }
  }

  #repeated(atom: Regex): Regex {
    const times = this.#times()
    if (times === null) return atom
    // Laziness changes which match is found, never whether the whole value matches.
    this.#take('?')
    return { kind: 'repeat', of: atom, ...times }
  }

  #times(): { readonly least: number; readonly most: number | null } | null {
    if (this.#take('*')) return { least: 0, most: null }
    if (this.#take('+')) return { least: 1, most: null }
    if (this.#take('?')) return { least: 0, most: 1 }
    const count = this.#peek() === '{' ? COUNT.exec(this.#chars.slice(this.#at, this.#at + 12).join('')) : null
    if (count === null) return null
    const [text, least = '', comma, most] = count
    this.#at += text.length
    return { least: Number(least), most: most !== undefined ? Number(most) : comma === undefined ? Number(least) : null }
  }

  #atom(): Regex {
    const char = this.#chars[this.#at++]!
    switch (char) {
      case '.':
        return { kind: 'any' }
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#set() }
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
      case '{':
      case '^':
      case '$':
        throw refused(`a bare "${char}" here`)
      default:
        return { kind: 'char', char }
    }
  }

  #group(): Regex {
    if (this.#take('?') && !this.#take(':')) throw refused('look-around, flags or named groups')
    const inner = this.#choice()
    if (!this.#take(')')) throw refused('an unclosed parenthesis')
    return inner.kind === 'char' ? { kind: 'sequence', of: [inner] } : inner
  }

  #escape(): Regex {
    const char = this.#chars[this.#at++] ?? ''
    const ranges = PERL_SETS.get(char.toLowerCase())
    if (ranges) return { kind: 'set', set: { ranges, isNegated: char !== char.toLowerCase() } }
    return { kind: 'char', char: this.#escaped(char) }
  }

  #escaped(char: string): string {
    const control = CONTROLS.get(char)
    if (control !== undefined) return control
    if (IS_PUNCTUATION.test(char)) return char
    throw refused(`the escape "\\${char}"`)
  }

  #set(): CharSet {
    const isNegated = this.#take('^')
    const ranges: (readonly [number, number])[] = []
    do {
      const item = this.#setItem()
      ranges.push(...item)
    } while (!this.#take(']'))
    return { ranges, isNegated }
  }

  #setItem(): CharSet['ranges'] {
    const first = this.#setChar()
    if (typeof first !== 'number') return first
    if (this.#peek() !== '-' || this.#peek(1) === ']') return [[first, first]]
    this.#at++
    const last = this.#setChar()
    if (typeof last !== 'number' || last < first) throw refused('a range in increasing order')
    return [[first, last]]
  }

  #setChar(): number | CharSet['ranges'] {
    const char = this.#chars[this.#at++]
    if (char === undefined) throw refused('an unclosed "["')
    if (char !== '\\') return char.codePointAt(0)!
    const next = this.#chars[this.#at++] ?? ''
    return PERL_SETS.get(next) ?? this.#escaped(next).codePointAt(0)!
  }

  #peek(ahead = 0): string | undefined {
    return this.#chars[this.#at + ahead]
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }
}

/** Reads a regex; throws `query_unsupported` for what is outside the subset of `query/search-language/regex-subset`. */
export function readRegex(pattern: string): Regex {
  return new Reader(pattern).readAll()
}
