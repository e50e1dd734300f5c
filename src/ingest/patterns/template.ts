import { createHash } from 'node:crypto'
import { KIND_NAMES, NUMBER } from './tokens.js'
import { DIGITS_MARK } from './word-scan.js'

/** Replaces a variable part in the tokens of a template. Blank in messages, so that no message contains it. */
export const VARIABLE = '\u0001'

const DIGITS = String.fromCharCode(DIGITS_MARK)
/** Between tokens where a template is hashed. Blank in messages as well. */
const SEPARATOR = '\u0003'
/** Hexadecimal digits of an id: 80 bits. */
const ID_LENGTH = 20

/** The kinds that a variable part was seen with, as bits. */
export type Kinds = number

/** The bit of a kind of token. */
export function kindBit(kind: number): Kinds {
  return 1 << (kind - NUMBER)
}

/** Id of the pattern of rows without one of their own: the namespace has reached its limit of patterns. */
export const OVERFLOW_ID = '0'.repeat(ID_LENGTH)
/**
 * The id of a template: a hash of its constant tokens and the places of its variable parts, so that one id never names two
 * templates, whoever computes it and in which order.
 */
export function templateId(tokens: readonly string[]): string {
  return createHash('sha256').update(tokens.join(SEPARATOR)).digest('hex').slice(0, ID_LENGTH)
}

/** The name of a variable part in a template: its kind, or `*` where it has several or none of its own. */
export function kindName(kinds: Kinds): string {
  if (kinds === 0 || (kinds & (kinds - 1)) !== 0) return '*'
  return KIND_NAMES[NUMBER + 31 - Math.clz32(kinds)] ?? '*'
}

/** A template as people read it: `user <*> logged in from <ip>`. `kinds` has one entry for each variable part. */
export function templateText(tokens: readonly string[], kinds: readonly Kinds[]): string {
  let text = ''
  let variable = 0
  for (const token of tokens) {
    text += token === VARIABLE ? `<${kindName(kinds[variable++] ?? 0)}>` : token.replaceAll(DIGITS, '<num>')
  }
  return text
}
