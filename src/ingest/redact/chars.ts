/** Code units as members of classes, by bits of a table of ASCII. */
export type CharClass = Uint8Array

/** The class of these ASCII characters; others are in it if `beyond` is set. */
export function charClass(characters: string, beyond = false): CharClass {
  const table = new Uint8Array(129)
  for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = 1
  table[128] = beyond ? 1 : 0
  return table
}

/** Whether the code unit is in the class; NaN, as beyond the end of a string, is in none. */
export function isIn(table: CharClass, code: number): boolean {
  if (code < 128) return table[code] === 1
  return code >= 128 && table[128] === 1
}

/** Where the run of characters of the class ends that begins at `at`; at `limit` at the latest. */
export function runEnd(text: string, at: number, table: CharClass, limit = text.length): number {
  const last = Math.min(limit, text.length)
  let end = at
  while (end < last && isIn(table, text.charCodeAt(end))) end++
  return end
}

/** Where the run of characters of the class begins that ends before `at`; at `limit` at the earliest. */
export function runStart(text: string, at: number, table: CharClass, limit: number): number {
  let start = at
  while (start > limit && isIn(table, text.charCodeAt(start - 1))) start--
  return start
}

export const DIGITS = '0123456789'
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const LETTERS = UPPER + LOWER
/** ASCII letters and digits. */
export const WORD = charClass(LETTERS + DIGITS)
export const DIGIT = charClass(DIGITS)
