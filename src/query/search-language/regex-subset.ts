import { GatewayError } from '../../domain/errors.js'

// The part of RE2's syntax that Lucene's regexes share, written so that both read it alike: every ASCII punctuation
// mark that is not an operator is escaped, Perl classes are spelled out, groups do not capture, anchors are left out
// because the whole value must match anyway.

/** Characters of one regular expression. */
export const MAX_REGEX_CHARS = 1_024
const MAX_DEPTH = 16
/** RE2's own bound for counted repetitions, nested ones multiplied. */
const MAX_REPEAT = 1_000
/** Characters once every counted repetition is written out: what an automaton costs. */
const MAX_COST = 4_000

const PUNCTUATION = /[!-/:-@[-`{-~]/g
const IS_PUNCTUATION = /^[!-/:-@[-`{-~]$/
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['w', '0-9A-Za-z\\_'],
  ['s', ' \t\n\r\f']
])
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f']
])
const COUNT = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y

/** The text as a pattern that matches just it. */
export function escapeRegex(text: string): string {
  return text.replace(PUNCTUATION, '\\$&')
}

function literal(char: string): string {
  return IS_PUNCTUATION.test(char) ? `\\${char}` : char
}

function unsupported(reason: string, at: number): GatewayError {
  return new GatewayError(
    'query_unsupported',
    `this regex uses ${reason}, which some stores do not support (at character ${at + 1} of the regex)`,
    { field: 'regex', suggestions: ['literals, ., [...], (...), |, *, +, ?, {n,m}, \\d, \\w, \\s'] }
  )
}

function invalid(fault: string, at: number): GatewayError {
  return new GatewayError('invalid_query', `${fault} (at character ${at + 1} of the regex)`, {
    field: 'regex',
    members: { position: at }
  })
}

/** A piece of the output, how often a part of it is repeated at most, and how long it is written out. */
interface Piece {
  readonly text: string
  readonly repeat: number
  readonly cost: number
}

class RegexReader {
  readonly #chars: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#chars = [...text]
  }

  read(): string {
    const piece = this.#alternatives(0)
    if (piece.cost > MAX_COST) throw invalid(`expanded repetitions must not exceed ${MAX_COST} characters in total`, 0)
    if (this.#at < this.#chars.length) throw invalid('unexpected closing parenthesis', this.#at)
    return piece.text
  }

  #peek(ahead = 0): string | undefined {
    return this.#chars[this.#at + ahead]
  }

  #alternatives(depth: number): Piece {
    const pieces = [this.#sequence(depth)]
    while (this.#peek() === '|') {
      this.#at++
      pieces.push(this.#sequence(depth))
    }
    if (pieces.length === 1) return pieces[0]!
    return {
      // Lucene ignores an empty alternative outside parentheses.
      text: pieces.map(piece => (piece.text === '' ? '()' : piece.text)).join('|'),
      repeat: Math.max(...pieces.map(piece => piece.repeat)),
      cost: pieces.reduce((sum, piece) => sum + piece.cost, 0)
    }
  }

  #sequence(depth: number): Piece {
    let text = ''
    let repeat = 1
    let cost = 0
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek()) {
      if (char === '^' || char === '$') {
        this.#anchor(char, depth)
        continue
      }
      const piece = this.#repeated(this.#atom(char, depth))
      text += piece.text
      repeat = Math.max(repeat, piece.repeat)
      cost += piece.cost
    }
    return { text, repeat, cost }
  }

  /** At the edges of the pattern an anchor is redundant; elsewhere it is refused. */
  #anchor(char: '^' | '$', depth: number): void {
    const neighbor = char === '^' ? this.#peek(-1) : this.#peek(1)
    const isAtEdge = depth === 0 && (neighbor === undefined || neighbor === '|')
    if (!isAtEdge) throw unsupported(`an anchor "${char}" inside the pattern`, this.#at)
    this.#at++
  }

  #atom(char: string, depth: number): Piece {
    if (char === '(') return this.#group(depth)
    if (char === '[') return { text: this.#charClass(), repeat: 1, cost: 1 }
    if (char === '\\') return { text: this.#escape(), repeat: 1, cost: 1 }
    if (char === '*' || char === '+' || char === '?') throw invalid(`nothing to repeat before "${char}"`, this.#at)
    if (char === '{' || char === '}' || char === ']') throw invalid(`"${char}" must be written \\${char}`, this.#at)
    this.#at++
    return { text: char === '.' ? '.' : literal(char), repeat: 1, cost: 1 }
  }

  #group(depth: number): Piece {
    const opened = this.#at
    if (depth >= MAX_DEPTH) throw invalid(`groups exceed the nesting limit of ${MAX_DEPTH}`, opened)
    this.#at++
    if (this.#peek() === '?') {
      if (this.#peek(1) !== ':') throw unsupported('look-around, flags or named groups', opened)
      this.#at += 2
    }
    const inner = this.#alternatives(depth + 1)
    if (this.#peek() !== ')') throw invalid('this parenthesis is not closed', opened)
    this.#at++
    return { ...inner, text: `(${inner.text})` }
  }

  #repeated(piece: Piece): Piece {
    const char = this.#peek()
    let repetition: Piece | null = null
    if (char === '*' || char === '+' || char === '?') {
      this.#at++
      repetition = { text: char, repeat: 1, cost: 1 }
    } else if (char === '{') repetition = this.#counted()
    if (!repetition) return piece
    // Laziness changes which match is found, never whether the whole value matches.
    if (this.#peek() === '?') this.#at++
    const next = this.#peek()
    if (next === '*' || next === '+' || next === '?' || next === '{')
      throw invalid('a repetition of a repetition requires parentheses', this.#at)
    const repeat = piece.repeat * repetition.repeat
    if (repeat > MAX_REPEAT) throw invalid(`nested repetitions must not exceed ${MAX_REPEAT} in total`, this.#at)
    return { text: piece.text + repetition.text, repeat, cost: piece.cost * repetition.repeat }
  }

  #counted(): Piece {
    const rest = this.#chars.slice(this.#at, this.#at + 12).join('')
    COUNT.lastIndex = 0
    const match = COUNT.exec(rest)
    if (!match) throw invalid('"{" must be followed by a count like {2,5} or be written \\{', this.#at)
    const least = Number(match[1])
    const most = match[3] === undefined ? least : Number(match[3])
    if (most < least || most > MAX_REPEAT) throw invalid(`counts must be in increasing order and at most ${MAX_REPEAT}`, this.#at)
    this.#at += match[0].length
    return { text: match[0], repeat: Math.max(most, 1), cost: 0 }
  }

  #escape(): string {
    const char = this.#peek(1)
    if (char === undefined) throw invalid('a backslash must be followed by a character', this.#at)
    const inner = CLASSES.get(char.toLowerCase())
    const text = inner === undefined ? this.#escapedChar(char) : char === char.toLowerCase() ? `[${inner}]` : `[^${inner}]`
    this.#at += 2
    return text
  }

  #escapedChar(char: string): string {
    const control = CONTROLS.get(char)
    if (control !== undefined) return control
    if (IS_PUNCTUATION.test(char)) return `\\${char}`
    throw unsupported(`the escape "\\${char}"`, this.#at)
  }

  #charClass(): string {
    const opened = this.#at++
    let text = '['
    if (this.#peek() === '^') {
      text += '^'
      this.#at++
    }
    let isEmpty = true
    for (;;) {
      const char = this.#peek()
      if (char === undefined) throw invalid('this "[" is not closed', opened)
      if (char === ']' && !isEmpty) break
      if (char === ']') throw invalid('an empty class, or "]" that must be written \\]', this.#at)
      if (char === '[') throw invalid('"[" in a class must be written \\[ (named classes are not supported)', this.#at)
      text += this.#classItem()
      isEmpty = false
    }
    this.#at++
    return `${text}]`
  }

  #classItem(): string {
    const start = this.#at
    const from = this.#classChar()
    if (from.set !== null) return from.set
    if (this.#peek() !== '-' || this.#peek(1) === ']' || this.#peek(1) === undefined) return literal(from.char)
    this.#at++
    const to = this.#classChar()
    if (to.set !== null || to.char.codePointAt(0)! < from.char.codePointAt(0)!)
      throw invalid('a range in a class must be in increasing order', start)
    return `${literal(from.char)}-${literal(to.char)}`
  }

  #classChar(): { char: string; set: string | null } {
    const char = this.#peek()!
    if (char !== '\\') {
      this.#at++
      return { char, set: null }
    }
    const next = this.#peek(1)
    if (next === undefined) throw invalid('a backslash must be followed by a character', this.#at)
    const set = CLASSES.get(next) ?? null
    if (set === null && CLASSES.has(next.toLowerCase())) throw unsupported(`"\\${next}" within a class`, this.#at)
    const escaped = set === null ? this.#escapedChar(next) : ''
    this.#at += 2
    return { char: escaped.startsWith('\\') ? escaped.slice(1) : escaped, set }
  }
}

/**
 * The regex in the form that every store reads alike. It must match the whole value; a dot matches any character.
 * Throws `invalid_query` for what is not a regex and `query_unsupported` for what RE2 or Lucene alone can do.
 */
export function parseRegex(text: string): string {
  if (text.length > MAX_REGEX_CHARS) throw invalid(`a regex must not exceed ${MAX_REGEX_CHARS} characters`, MAX_REGEX_CHARS)
  return new RegexReader(text).read()
}
