import { isSpace, QUOTE, skipSpace, skipString } from './json-structure.js'

// JSON.parse puts every number through a double, and Node 20 gives a reviver no access to the source text. So integers
// beyond 2^53 are put between quotes in the bytes before they are parsed; they arrive as strings of their digits. So do
// seconds since 1970 with more decimals than a double holds, where the name states that they are a time (log4j2's GELF).

const MINUS = 0x2d
const COLON = 0x3a
const ZERO = 0x30
const NINE = 0x39
/** `9007199254740991`, the largest safe integer, has this many digits. */
const SAFE_DIGITS = 16
const MAX_SAFE = '9007199254740991'

const DOT = 0x2e
/** Digits of seconds since 1970, from 1973 to 5138. */
const LEAST_SECONDS_DIGITS = 9
const MOST_SECONDS_DIGITS = 11
const LONGEST_TIME_NAME = 16
const TIME_NAMES: ReadonlySet<string> = new Set([
  ...['timestamp', '@timestamp', '_timestamp', 'time', '_time', 'ts', '@t', 'date', 'datetime', 'eventTime', 'msec']
])

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

/** The position before the run of digits that ends before `at`, and behind the run that begins at it. */
function digitsAround(bytes: Uint8Array, at: number): { readonly before: number; readonly behind: number } {
  let before = at - 1
  while (isDigit(bytes[before])) before--
  let behind = at + 1
  while (isDigit(bytes[behind])) behind++
  return { before, behind }
}

/** Whether the dot is that of seconds since 1970 with more decimals than a double holds. */
function isLongSeconds(bytes: Uint8Array, dot: number): boolean {
  const { before, behind } = digitsAround(bytes, dot)
  const seconds = dot - before - 1
  if (seconds < LEAST_SECONDS_DIGITS || seconds > MOST_SECONDS_DIGITS || behind - before - 2 < SAFE_DIGITS) return false
  return isNumberBoundary(bytes[before]) && isNumberBoundary(bytes[behind])
}

/** Whether the value at `start` is that of a member that is called like a time. */
function isNamedTime(bytes: Buffer, start: number): boolean {
  let colon = start - 1
  while (isSpace(bytes[colon])) colon--
  let end = colon - 1
  while (isSpace(bytes[end])) end--
  if (bytes[colon] !== COLON || bytes[end] !== QUOTE) return false
  const open = bytes.lastIndexOf(QUOTE, end - 1)
  return open >= end - 1 - LONGEST_TIME_NAME && TIME_NAMES.has(bytes.toString('latin1', open + 1, end))
}

/** What may be before or after a number: the ends, white space, `: , [ ] { }`. */
function isNumberBoundary(byte: number | undefined): boolean {
  return byte === undefined || isSpace(byte) || byte === 0x2c || byte === COLON || byte === 0x5b || byte === 0x5d || byte === 0x7d
}

/** Whether the digit at `at` is a decimal of long seconds; walks back no further than such decimals are of use. */
function isDecimalOf(bytes: Uint8Array, at: number): boolean {
  let dot = at
  while (isDigit(bytes[dot]) && at - dot < 2 * SAFE_DIGITS) dot--
  return dot < at && bytes[dot] === DOT && isLongSeconds(bytes, dot)
}

/** The end of the run of digits around `at`; negative when it is as long as an unsafe integer and where a number could be. */
function endOfDigits(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && bytes[start - 1]! >= ZERO && bytes[start - 1]! <= NINE) start--
  let end = at + 1
  while (end < bytes.length && bytes[end]! >= ZERO && bytes[end]! <= NINE) end++
  // Most hits are hex ids: their runs begin behind a letter, whatever follows.
  const before = start === 0 ? undefined : bytes[start - 1]
  const isBound = before === MINUS ? isNumberBoundary(bytes[start - 2]) : isNumberBoundary(before)
  return isBound && end - start >= SAFE_DIGITS && isNumberBoundary(bytes[end]) ? -end : end
}

/**
 * Whether a number of 16 or more digits, or such a decimal time, may be in the bytes. Looks at every 16th byte only: such a run cannot fit
 * between two looks.
 */
export function mayContainUnsafeInteger(bytes: Uint8Array): boolean {
  for (let i = SAFE_DIGITS - 1; i < bytes.length; i += SAFE_DIGITS) {
    const byte = bytes[i]!
    if (byte === DOT ? isLongSeconds(bytes, i) : isDecimalOf(bytes, i)) return true
    if (byte < ZERO || byte > NINE) continue
    const end = endOfDigits(bytes, i)
    if (end < 0 || (bytes[end] === DOT && isLongSeconds(bytes, end))) return true
    // The rest of a long run is not looked at again: each look would walk back to its beginning.
    while (i + SAFE_DIGITS < end) i += SAFE_DIGITS
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
  // A number in the position of a key is invalid JSON; in quotes it would be valid.
  return !isKeyPosition(bytes, end)
}

/** Whether `[start, end)` is a decimal time of which a double loses digits. */
function isUnsafeTime(bytes: Buffer, start: number, end: number): boolean {
  const { behind } = digitsAround(bytes, start)
  return bytes[behind] === DOT && isLongSeconds(bytes, behind) && isDigit(bytes[end - 1]) && isNamedTime(bytes, start)
}

/** Start and end of every number outside strings that a double may not hold, one after the other. */
function unsafeNumbers(bytes: Buffer): number[] {
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
    if (isUnsafeInteger(bytes, i, end) || isUnsafeTime(bytes, i, end)) found.push(i, end)
    i = end
  }
  return found
}

/**
 * The same JSON with every integer beyond 2^53, and every time of more digits, in quotes; the same bytes without such a number.
 */
export function quoteUnsafeIntegers(bytes: Buffer): Buffer {
  if (!mayContainUnsafeInteger(bytes)) return bytes
  const found = unsafeNumbers(bytes)
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

const SURROGATE = /\\u[dD][89a-fA-F]/

function hasSurrogateEscapes(json: string): boolean {
  return json.includes('\\u') && SURROGATE.test(json)
}

/** Whether `parseJson` would give something else than JSON.parse of the decoded text. */
export function needsCare(bytes: Buffer, text: string): boolean {
  return mayContainUnsafeInteger(bytes) || hasSurrogateEscapes(text)
}

/** The same object, or one with the same members whose names are well-formed; `__proto__` stays a member. */
function wellFormedObject(value: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(value)
  const repaired = names.every(name => name.isWellFormed()) ? value : {}
  for (const name of names) {
    const member = { value: wellFormed(value[name]), writable: true, enumerable: true, configurable: true }
    Object.defineProperty(repaired, name.toWellFormed(), member)
  }
  return repaired
}

/** Lone surrogates are not string in any encoding: an engine's JSON reader would fail on the whole column. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  return typeof value === 'object' && value !== null ? wellFormedObject(value as Record<string, unknown>) : value
}

/**
 * `JSON.parse` of UTF-8 bytes, except that integers beyond 2^53 outside strings become strings of their digits, as do
 * decimal seconds since 1970 of 16 or more digits under a name that states that they are a time; lone surrogates become U+FFFD,
 * and so do bytes that are not UTF-8. Throws a SyntaxError for what is not JSON, a RangeError for
 * surrogates that are nested too deeply to be repaired.
 */
export function parseJson(bytes: Buffer): unknown {
  const json = quoteUnsafeIntegers(bytes).toString()
  const value: unknown = JSON.parse(json)
  return hasSurrogateEscapes(json) ? wellFormed(value) : value
}
