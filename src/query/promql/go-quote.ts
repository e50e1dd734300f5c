const LAST_OF_FOUR_DIGITS = 0xffff
const NAMED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\'
}
const PRINTED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0xfffd
}

function escaped(char: string): string {
  const code = codeOf(char)
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= LAST_OF_FOUR_DIGITS ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
}

function shown(char: string, quote: string): string {
  if (char === quote) return `\\${quote}`
  return NAMED[char] ?? (PRINTED.test(char) ? char : escaped(char))
}

/** A character as Go's `%q` quotes it: `'a'`, `'\\'`. A missing character, as at the end of a string, is U+FFFD. */
export function goQuotedRune(char: string): string {
  return `'${shown(char === '' ? '\ufffd' : char, "'")}'`
}

/** A string as Go's `%q` quotes it. */
export function goQuoted(text: string): string {
  return `"${Array.from(text, char => shown(char, '"')).join('')}"`
}

/** A character as Go's `%#U` names it: `U+0020 ' '`. */
export function goRune(char: string): string {
  const hex = codeOf(char).toString(16).toUpperCase().padStart(4, '0')
  return PRINTED.test(char) ? `U+${hex} '${char}'` : `U+${hex}`
}
