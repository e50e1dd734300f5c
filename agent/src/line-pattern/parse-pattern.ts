/** Part of a pattern. */
export type PatternNode =
  | { readonly kind: 'chars'; readonly ranges: readonly CharRange[]; readonly isNegated: boolean }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly of: PatternNode; readonly least: number; readonly most: number | null }

/** Code units of characters, both included. */
export type CharRange = readonly [first: number, last: number]

/** A pattern that cannot be used; the message names the fault and its place. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

const MAX_CHARS = 500
const MAX_DEPTH = 20
const MAX_REPEAT = 100
const LAST_CHAR = 0xffff
const FEED = 0x0a

const range = (first: string, last = first): CharRange => [first.charCodeAt(0), last.charCodeAt(0)]

const CLASSES: Readonly<Record<string, readonly CharRange[]>> = {
  d: [range('0', '9')],
  w: [range('0', '9'), range('A', 'Z'), range('a', 'z'), range('_')],
  s: [range('\t', '\r'), range(' ')]
}
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', r: '\r', f: '\f', v: '\v' }
const COUNT = /^\{(\d{1,3})(,(\d{1,3})?)?\}/

function complement(ranges: readonly CharRange[]): readonly CharRange[] {
  const found: CharRange[] = []
  let next = 0
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (first > next) found.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  return next > LAST_CHAR ? found : [...found, [next, LAST_CHAR]]
}

/** Reads the common part of RE2 and JavaScript: literals, `.`, classes, groups, `|`, `*`, `+`, `?`, `{n,m}`, `^`, `$`. */
class PatternParser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): PatternNode {
    const node = this.#choice()
    if (this.#at < this.#text.length) throw this.#fault('has a closing parenthesis without an opening one')
    return node
  }

  #fault(what: string): PatternError {
    return new PatternError(`${what} (at character ${this.#at + 1})`)
  }

  #peek(): string | undefined {
    return this.#text[this.#at]
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #next(): string {
    const char = this.#peek()
    if (char === undefined) throw this.#fault('ends too early')
    this.#at++
    return char
  }

  #choice(): PatternNode {
    const of = [this.#sequence()]
    while (this.#take('|')) of.push(this.#sequence())
    return of.length === 1 ? of[0]! : { kind: 'choice', of }
  }

  #sequence(): PatternNode {
    const of: PatternNode[] = []
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek())
      of.push(this.#repeated(this.#atom()))
    return { kind: 'sequence', of }
  }

  #repeated(of: PatternNode): PatternNode {
    const count = this.#count()
    if (count === null) return of
    if (of.kind === 'start' || of.kind === 'end') throw this.#fault('repeats an anchor')
    // Which of the repetitions match does not matter here.
    this.#take('?')
    if (this.#count() !== null) throw this.#fault('repeats a repetition')
    return { kind: 'repeat', of, ...count }
  }

  #count(): { readonly least: number; readonly most: number | null } | null {
    if (this.#take('*')) return { least: 0, most: null }
    if (this.#take('+')) return { least: 1, most: null }
    if (this.#take('?')) return { least: 0, most: 1 }
    const [text, first, comma, second] = COUNT.exec(this.#text.slice(this.#at)) ?? []
    if (text === undefined) return null
    const least = Number(first)
    const most = comma === undefined ? least : second === undefined ? null : Number(second)
    if (Math.max(least, most ?? 0) > MAX_REPEAT) throw this.#fault(`repeats more than ${MAX_REPEAT} times`)
    if (most !== null && most < least) throw this.#fault('has a count whose end is before its start')
    this.#at += text.length
    return { least, most }
  }

  #atom(): PatternNode {
    const char = this.#next()
    switch (char) {
      case '^':
        return { kind: 'start' }
      case '$':
        return { kind: 'end' }
      case '.':
        return { kind: 'chars', ranges: [[FEED, FEED]], isNegated: true }
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '\\':
        return { kind: 'chars', ranges: this.#escaped(), isNegated: false }
      case '*':
      case '+':
      case '?':
        throw this.#fault('repeats nothing')
      default:
        return { kind: 'chars', ranges: [range(char)], isNegated: false }
    }
  }

  #group(): PatternNode {
    if (this.#peek() === '?' && !this.#take('?:')) throw this.#fault('has a group other than ( ) and (?: )')
    if (++this.#depth > MAX_DEPTH) throw this.#fault(`has more than ${MAX_DEPTH} nested groups`)
    const node = this.#choice()
    if (!this.#take(')')) throw this.#fault('has a group without an end')
    this.#depth--
    return node
  }

  #escaped(): readonly CharRange[] {
    const char = this.#next()
    const known = CLASSES[char] ?? (CLASSES[char.toLowerCase()] && complement(CLASSES[char.toLowerCase()]!))
    if (known !== undefined) return known
    const control = CONTROLS[char]
    if (control !== undefined) return [range(control)]
    if (/^[0-9A-Za-z]$/.test(char)) throw this.#fault(`has the unknown escape \\${char}`)
    return [range(char)]
  }

  #set(): PatternNode {
    const isNegated = this.#take('^')
    const ranges: CharRange[] = []
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) ranges.push(...this.#setPart())
    this.#at++
    return { kind: 'chars', ranges, isNegated }
  }

  #setPart(): readonly CharRange[] {
    if (this.#text.startsWith('[:', this.#at)) throw this.#fault('has a named class')
    const char = this.#next()
    const first = char === '\\' ? this.#escaped() : [range(char)]
    const isRange = this.#peek() === '-' && this.#text[this.#at + 1] !== ']' && this.#text[this.#at + 1] !== undefined
    if (!isRange) return first
    this.#at++
    const other = this.#next()
    const last = other === '\\' ? this.#escaped() : [range(other)]
    const [from, to] = [first[0]!, last[0]!]
    const isOfClass = first.length > 1 || last.length > 1 || from[0] !== from[1] || to[0] !== to[1]
    if (isOfClass || to[0] < from[0]) throw this.#fault('has a range whose end is before its start')
    return [[from[0], to[0]]]
  }
}

/** The parts of a pattern. Throws `PatternError`. */
export function parsePattern(text: string): PatternNode {
  if (text.length > MAX_CHARS) throw new PatternError(`exceeds ${MAX_CHARS} characters (got ${text.length})`)
  return new PatternParser(text).parse()
}
