// How the lexer reads a name, one UTF-16 unit at a time: the first one, and all others.
const PLAIN_START = /^[\p{L}_@]$/u
const PLAIN_CHAR = /^[\p{L}\p{N}_@./-]$/u

function isPlain(char: string, at: number): boolean {
  return char.length === 1 && (at === 0 ? PLAIN_START : PLAIN_CHAR).test(char)
}

function writtenName(name: string): string {
  return [...name].map((char, at) => (isPlain(char, at) ? char : `\\${char}`)).join('')
}

/** The condition in the search language that a field has a value. */
export function writeEquals(name: string, value: string): string {
  return `${writtenName(name)}:"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** The condition that a field is present. */
export function writeExists(name: string): string {
  return `${writtenName(name)}:*`
}

/** The condition that a field compares with a number: `>=250`. */
export function writeCompared(name: string, comparison: string): string {
  return `${writtenName(name)}:${comparison}`
}

/** The condition that a field is a number; `bound`: any number. */
export function writeIsNumber(name: string, bound: number): string {
  return `(${writeCompared(name, `<${bound}`)} OR ${writeCompared(name, `>=${bound}`)})`
}

/** Both queries; either may be empty. */
export function writeBoth(query: string | undefined, condition: string): string {
  return query === undefined || query.trim() === '' ? condition : `(${query}) ${condition}`
}
