import { createHash } from 'node:crypto'

// Lucene refuses terms above 32,766 bytes, and with them the document.
const MAX_TERM_BYTES = 32_766
const HASH_HEX = 32
// The longest UTF-8 of one UTF-16 code unit.
const MAX_BYTES_PER_UNIT = 3

/** Strings of up to so many bytes of UTF-8 are terms unchanged. */
export const WHOLE_TERM_BYTES = MAX_TERM_BYTES - HASH_HEX - 4

/** Whether `exactTerm` keeps the text as it is. */
export function isWholeTerm(text: string): boolean {
  if (text.length * MAX_BYTES_PER_UNIT <= WHOLE_TERM_BYTES) return true
  return text.length <= WHOLE_TERM_BYTES && Buffer.byteLength(text) <= WHOLE_TERM_BYTES
}

function cut(text: string): string {
  const bytes = Buffer.from(text)
  let end = WHOLE_TERM_BYTES
  // Never inside a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_HEX)
  // The mark makes it longer than any term that is whole, so that no other text has the same one.
  return `${bytes.toString('utf8', 0, end)}${'\u001f'.repeat(WHOLE_TERM_BYTES - end + 1)}${hash}`
}

/**
 * The term of a string in a keyword field: the string itself, or, above `WHOLE_TERM_BYTES`, its beginning with a hash of all of
 * it. Different strings have different terms, so that equality stays exact at any length.
 */
export function exactTerm(text: string): string {
  return isWholeTerm(text) ? text : cut(text)
}
