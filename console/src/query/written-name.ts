// How the lexer of the service reads a name, one UTF-16 unit at a time: the first one, and all others.
const PLAIN_START = /^[\p{L}_@]$/u
const PLAIN_CHAR = /^[\p{L}\p{N}_@./-]$/u

function isPlain(char: string, at: number): boolean {
  return char.length === 1 && (at === 0 ? PLAIN_START : PLAIN_CHAR).test(char)
}

/** The name of a field as the search language reads it: with a backslash before each character that it would not take for one of a name. */
export function writtenName(name: string): string {
  return [...name].map((char, at) => (isPlain(char, at) ? char : `\\${char}`)).join('')
}
