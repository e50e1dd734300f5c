import type { Cursor } from './cursor.js'
import { goRune } from '../go-quote.js'

/** The value of a string, or what is wrong with it. */
export type ScannedString = { readonly value: string } | { readonly fault: string }

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\'
}
/** How many digits follow these, and their base. */
const CODED: Readonly<Record<string, readonly [length: number, base: number]>> = { x: [2, 16], u: [4, 16], U: [8, 16] }
const OCTAL: readonly [length: number, base: number] = [3, 8]
const MAX_BYTE = 0xff
const MAX_CODE_POINT = 0x10ffff
const NOT_ENDED = 'escape sequence not terminated'
/** What no UTF-8 became when the query was read. */
const NO_CHARACTER = '\ufffd'

/** Reads a string of Go behind its opening quote, the closing one included. */
export function scanString(cursor: Cursor, quote: string): ScannedString {
  const isRaw = quote === '`'
  let value = ''
  for (;;) {
    const char = cursor.take()
    if (char === '' || (char === '\n' && !isRaw))
      return { fault: isRaw ? 'unterminated raw string' : 'unterminated quoted string' }
    if (char === NO_CHARACTER) return { fault: 'invalid UTF-8 rune' }
    if (char === quote) return { value: withRawBytes(value) }
    if (char !== '\\' || isRaw) {
      value += char
      continue
    }
    const escaped = scanEscape(cursor, quote)
    if ('fault' in escaped) return escaped
    value += escaped.value
  }
}

function scanEscape(cursor: Cursor, quote: string): ScannedString {
  const char = cursor.take()
  if (char === '') return { fault: NOT_ENDED }
  if (char === quote) return { value: quote }
  const simple = SIMPLE[char]
  if (simple !== undefined) return { value: simple }
  const isOctal = /^[0-7]$/.test(char)
  const [length, base] = isOctal ? OCTAL : (CODED[char] ?? [0, 0])
  if (length === 0) return { fault: `unknown escape sequence ${goRune(char)}` }
  let code = 0
  for (let i = 0; i < length; i++) {
    const digit = isOctal && i === 0 ? char : cursor.take()
    if (digit === '') return { fault: NOT_ENDED }
    const value = /^[0-9a-fA-F]$/.test(digit) ? Number.parseInt(digit, 16) : base
    if (value >= base) return { fault: `illegal character ${goRune(digit)} in escape sequence` }
    code = code * base + value
  }
  const isByte = isOctal || char === 'x'
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (code > (isByte ? MAX_BYTE : MAX_CODE_POINT) || isSurrogate) {
    return { fault: 'escape sequence is an invalid Unicode code point' }
  }
  return { value: byteOrChar(code, isByte) }
}

// Escapes of single bytes may make up a character together: until then each is literal as half of a surrogate pair.
const RAW_BYTE = 0xdc00
const FIRST_NO_ASCII = 0x80
const RAW_BYTES = /[\udc80-\udcff]/

function byteOrChar(value: number, isByte: boolean): string {
  return isByte && value >= FIRST_NO_ASCII ? String.fromCharCode(RAW_BYTE + value) : String.fromCodePoint(value)
}

/** The string whose UTF-8 has the bytes that were escaped; invalid bytes become U+FFFD. */
function withRawBytes(text: string): string {
  if (!RAW_BYTES.test(text)) return text
  const parts = Array.from(text, char => (RAW_BYTES.test(char) ? Buffer.of(char.charCodeAt(0) - RAW_BYTE) : Buffer.from(char)))
  return Buffer.concat(parts).toString('utf8')
}
