import { charClass, DIGITS, isIn, LETTERS, runEnd, runStart } from './chars.js'
import type { Detector, Finding } from './detector.js'
import { ESCAPE_LENGTHS, isAfterEscape } from './escapes.js'
import { MARK_START } from './mark.js'

const NAME = charClass(`${LETTERS}${DIGITS}_.-`, true)
const SPACE = charClass(' \t')
/** Between names and values in hashes of Ruby, Perl and PHP. */
const ARROW = '=>'
const BACKSLASH = 0x5c
const BACKSLASHES = charClass('\\')
/** Before a quote: those of JSON within a string of JSON within a string. */
const MAX_BACKSLASHES = 7
const QUOTES = charClass('"\'')
const DOUBLE_QUOTE = 0x22
const OPENING = charClass('{[')
const CLOSING = charClass('}]')
/** Characters that end a value without quotes. */
const VALUE = charClass(`${LETTERS}${DIGITS}!#$%*+-./:<=>?@[^_\`{|~\\`, true)
/** Words that come before the credential itself (RFC 7235). */
const SCHEMES: ReadonlySet<string> = new Set(['bearer', 'basic', 'token', 'digest', 'apikey', 'negotiate', 'ntlm', 'dpop'])
const MAX_SCHEME = 9
const MAX_NAME = 128
const MAX_SPACES = 8

/** Names of members that are compared with the ends of dotted paths, in lower case. */
export class KeyNames {
  readonly #names: ReadonlySet<string>

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map(name => name.toLowerCase()))
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** Whether the path or an end of it, from a dot on, is one of the names. */
  has(path: string): boolean {
    let rest = path.toLowerCase()
    for (;;) {
      if (this.#names.has(rest)) return true
      const dot = rest.indexOf('.')
      if (dot < 0) return false
      rest = rest.slice(dot + 1)
    }
  }
}

/**
 * The name before `=` or `:`, also in quotes, of JSON within a string too; none without one. Two where it begins with what may
 * be an escaped character: `\npassword`.
 */
function namesBefore(text: string, at: number, from: number): readonly string[] {
  let end = runStart(text, at, SPACE, Math.max(from, at - MAX_SPACES))
  if (isIn(QUOTES, text.charCodeAt(end - 1))) end--
  end = runStart(text, end, BACKSLASHES, Math.max(from, end - MAX_BACKSLASHES))
  const start = runStart(text, end, NAME, Math.max(from, end - MAX_NAME))
  if (start === end) return []
  const escape = ESCAPE_LENGTHS.find(length => start + length < end && isAfterEscape(text, start + length))
  const name = text.slice(start, end)
  return escape === undefined ? [name] : [name, name.slice(escape)]
}

/** The value in quotes whose opening quote begins at `open` and ends before `start`, with the backslashes that escape it. */
function quoted(text: string, open: number, start: number): Finding {
  const quote = text.slice(open, start)
  let end = text.indexOf(quote, start)
  // A quote within the value is escaped once more.
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end = text.indexOf(quote, end + 1)
  return { start, end: end < 0 ? text.length : end }
}

/** The object or list whose bracket is at `start`, with all that is in it; up to the end of the string if it does not end. */
function bracketed(text: string, start: number): Finding {
  let depth = 0
  let isQuoted = false
  /** Those before the first quote in it: with each level of strings around, twice as many and one. */
  let outer: number | null = null
  for (let end = start; end < text.length; end++) {
    const escaped = runEnd(text, end, BACKSLASHES)
    const char = text.charCodeAt(escaped)
    if (char === DOUBLE_QUOTE) {
      outer ??= escaped - end
      // An escaped backslash takes two of this level, an escaped quote one.
      if ((escaped - end - outer) % (2 * (outer + 1)) === 0) isQuoted = !isQuoted
    } else if (!isQuoted && isIn(OPENING, char)) depth++
    else if (!isQuoted && isIn(CLOSING, char) && --depth === 0) return { start, end: escaped + 1 }
    end = escaped
  }
  return { start, end: text.length }
}

/** A value without quotes and without its scheme. */
function unquoted(text: string, from: number): Finding {
  for (let start = from; ;) {
    // The mark first: each one would be read to the end of the string.
    if (text.startsWith(MARK_START, start)) return { start, end: start }
    const end = runEnd(text, start, VALUE)
    const isScheme = end - start <= MAX_SCHEME && SCHEMES.has(text.slice(start, end).toLowerCase())
    if (!isScheme) return { start, end }
    start = runEnd(text, end, SPACE, end + MAX_SPACES)
  }
}

function valueAfter(text: string, at: number): Finding {
  const start = runEnd(text, at, SPACE, at + MAX_SPACES)
  const quote = runEnd(text, start, BACKSLASHES, start + MAX_BACKSLASHES)
  if (isIn(QUOTES, text.charCodeAt(quote))) return quoted(text, start, quote + 1)
  const isBracketed = isIn(OPENING, text.charCodeAt(start)) && !text.startsWith(MARK_START, start)
  return isBracketed ? bracketed(text, start) : unquoted(text, start)
}

/** Values of members that are named: `password=x`, `"password": "x"`, `Authorization: Bearer x`, `"password"=>"x"`. */
export function namedValueDetector(names: KeyNames): Detector {
  return {
    name: 'key',
    triggers: '=:',
    find(text, at, from): Finding | null {
      if (!namesBefore(text, at, from).some(name => names.has(name))) return null
      const found = valueAfter(text, at + (text.startsWith(ARROW, at) ? ARROW.length : 1))
      return found.end <= found.start || text.startsWith(MARK_START, found.start) ? null : found
    }
  }
}
