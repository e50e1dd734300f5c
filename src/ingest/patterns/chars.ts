/** Classes of characters, as bits: a character may be in several. */
export const DIGIT = 1
export const LETTER = 2
export const HEX = 4
/** In a word, besides letters and digits: `_ . $ * # -`. */
export const JOINT = 8
export const BLANK = 16
/** Ends a path, an address or the value of a `key=value` pair. */
export const CLOSER = 32

const CLASSES = new Uint8Array(128)
for (let code = 0; code <= 32; code++) CLASSES[code] = BLANK
CLASSES[127] = BLANK
function add(characters: string, bit: number): void {
  for (let i = 0; i < characters.length; i++) CLASSES[characters.charCodeAt(i)]! |= bit
}
add('0123456789', DIGIT | HEX)
add('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', LETTER)
add('ABCDEFabcdef', HEX)
add('_.$*#-', JOINT)
add('"\'<>|()[]{},;', CLOSER)

/** The classes of a UTF-16 unit. Everything beyond ASCII is a letter; NaN, the end of a string, is blank. */
export function classOf(code: number): number {
  return code < 128 ? CLASSES[code]! : code >= 128 ? LETTER : BLANK
}

/** Whether the character at a position is a digit. */
export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** Whether a word could go on at a position: a letter, a digit or `_`. */
export function isAlnumAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (classOf(code) & (LETTER | DIGIT)) !== 0 || code === 95
}

/** End of the run of characters of a class that begins at a position. */
export function runEnd(text: string, at: number, end: number, bits: number): number {
  while (at < end && (classOf(text.charCodeAt(at)) & bits) !== 0) at++
  return at
}
