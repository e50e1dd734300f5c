import { createHash } from 'node:crypto'
import type { Kinds } from '../../domain/log-pattern.js'
import { NUMBER } from './tokens.js'

/** Between tokens where a template is hashed. Blank in messages, so that no message contains it. */
const SEPARATOR = '\u0003'
/** Hexadecimal digits of an id: 80 bits. */
const ID_LENGTH = 20

/** The bit of a kind of token. */
export function kindBit(kind: number): Kinds {
  return 1 << (kind - NUMBER)
}

/**
 * The id of a template: a hash of its constant tokens and the places of its variable parts, so that one id never names two
 * templates, whoever computes it and in which order.
 */
export function templateId(tokens: readonly string[]): string {
  return createHash('sha256').update(tokens.join(SEPARATOR)).digest('hex').slice(0, ID_LENGTH)
}
