import { isSpace, QUOTE, skipSpace, skipString } from './json-structure.js'

// JSON.parse puts every number through a double, and Node 20 gives a reviver no access to the source text. So integers
// beyond 2^53 are put between quotes in the bytes before they are parsed; they arrive as strings of their digits.

const MINUS = 0x2d
const COLON = 0x3a
const ZERO = 0x30
const NINE = 0x39
/** `9007199254740991`, the largest safe integer, has this many digits. */
const SAFE_DIGITS = 16
const MAX_SAFE = '9007199254740991'

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

/** What may stand before or after a number: the ends, white space, `: , [ ] { }`. */
function isNumberBoundary(byte: number | undefined): boolean {
  return byte === undefined || isSpace(byte) || byte === 0x2c || byte === COLON || byte === 0x5b || byte === 0x5d || byte === 0x7d
}

/** Whether the run of digits around `at` is as long as an unsafe integer and stands where a number could. */
function isSuspect(bytes: Uint8Array, at: number): boolean {
  let start = at
  while (start > 0 && bytes[start - 1]! >= ZERO && bytes[start - 1]! <= NINE) start--
  // Most hits are hex ids: their runs begin behind a letter, whatever follows.
  const before = start === 0 ? undefined : bytes[start - 1]
  if (before !== MINUS && !isNumberBoundary(before)) return false
  let end = at + 1
  while (end < bytes.length && bytes[end]! >= ZERO && bytes[end]! <= NINE) end++
  if (end - start < SAFE_DIGITS || !isNumberBoundary(bytes[end])) return false
  return before !== MINUS || isNumberBoundary(bytes[start - 2])
}

/**
 * Whether a number of 16 or more digits may stand in the bytes. Looks at every 16th byte only: such a run cannot fit
 * between two looks.
 */
export function mayHoldUnsafeInteger(bytes: Uint8Array): boolean {
  for (let i = SAFE_DIGITS - 1; i < bytes.length; i += SAFE_DIGITS) {
    const byte = bytes[i]!
    if (byte >= ZERO && byte <= NINE && isSuspect(bytes, i)) return true
  }
  return false
}

/** The position behind the token of number characters that begins at `at`. */
function skipNumber(bytes: Uint8Array, at: number): number {
  let i = at
  for (;;) {
    const byte = bytes[i]
    const isPart = isDigit(byte) || byte === MINUS || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65
    if (!isPart) return i
    i++
  }
}

function isKeyPosition(bytes: Uint8Array, end: number): boolean {
  return bytes[skipSpace(bytes, end)] === COLON
}

/** Whether `[start, end)` is exactly one integer that a double may not hold. */
function isUnsafeInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const from = bytes[start] === MINUS ? start + 1 : start
  const length = end - from
  if (length < SAFE_DIGITS || bytes[from] === ZERO) return false
  for (let i = from; i < end; i++) if (!isDigit(bytes[i])) return false
  if (length === SAFE_DIGITS && Buffer.from(bytes.buffer, bytes.byteOffset + from, length).toString() <= MAX_SAFE) return false
  // A number where a key must stand is no JSON; between quotes it would be.
  return !isKeyPosition(bytes, end)
}

/** Start and end of every unsafe integer outside strings, one after the other. */
function unsafeIntegers(bytes: Uint8Array): number[] {
  const found: number[] = []
  let i = 0
  while (i < bytes.length) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = skipString(bytes, i)
      continue
    }
    // `.` and `+` begin no number, but `.5` must not be read as `5`.
    if (!isDigit(byte) && byte !== MINUS && byte !== 0x2e && byte !== 0x2b) {
      i++
      continue
    }
    const end = skipNumber(bytes, i)
    if (isUnsafeInteger(bytes, i, end)) found.push(i, end)
    i = end
  }
  return found
}

/** The same JSON with every integer beyond 2^53 between quotes; the same bytes when there is none. */
export function quoteUnsafeIntegers(bytes: Buffer): Buffer {
  if (!mayHoldUnsafeInteger(bytes)) return bytes
  const found = unsafeIntegers(bytes)
  if (found.length === 0) return bytes
  const out = Buffer.allocUnsafe(bytes.length + found.length)
  let read = 0
  let write = 0
  for (const position of found) {
    write += bytes.copy(out, write, read, position)
    out[write++] = QUOTE
    read = position
  }
  bytes.copy(out, write, read)
  return out
}

// Every escape is taken as a whole, so that an escaped backslash before `ud800` is not mistaken for a surrogate.
const ESCAPE = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F][0-9a-fA-F]{2}|[^])/g
const SURROGATE = /\\u[dD][89a-fA-F]/
const LONE_ESCAPE_LENGTH = 6

/** Whether `parseJson` would give something else than JSON.parse of the decoded text. */
export function needsCare(bytes: Buffer, text: string): boolean {
  return mayHoldUnsafeInteger(bytes) || (text.includes('\\u') && SURROGATE.test(text))
}

/** Lone surrogates are no text in any encoding: an engine's JSON reader would fail on the whole column. */
function repairSurrogates(json: string): string {
  if (!json.includes('\\u') || !SURROGATE.test(json)) return json
  return json.replace(ESCAPE, escape => {
    const isLone = escape.length === LONE_ESCAPE_LENGTH
    return isLone ? '\\ufffd' : escape
  })
}

/**
 * `JSON.parse` of UTF-8 bytes, except that integers beyond 2^53 outside strings become strings of their digits, lone
 * surrogates become U+FFFD, and so do bytes that are no UTF-8. Throws a SyntaxError for what is not JSON.
 */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(repairSurrogates(quoteUnsafeIntegers(bytes).toString()))
}
