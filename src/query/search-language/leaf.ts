import type { Field, Filter } from '../../domain/filter.js'
import { anyOf, MATCH_ALL } from '../../domain/filter.js'
import { exactNumber } from '../../domain/number-text.js'
import { LEVELS, parseSeverity } from '../../domain/severity.js'
import { parseEpochNs, parseWrittenTimeNs } from '../../domain/timestamp.js'
import type { Comparison } from './lexer.js'
import { escapeRegex } from './regex-subset.js'
import type { Vocabulary } from '../vocabulary.js'
import { fieldOf } from '../vocabulary.js'

/** A value that a field cannot have. The caller turns it into its own error, with its own place. */
export class ValueFault extends Error {
  readonly suggestions: readonly string[]

  constructor(message: string, suggestions: readonly string[] = []) {
    super(message)
    this.name = 'ValueFault'
    this.suggestions = suggestions
  }
}

function instant(text: string): string {
  const ns = parseWrittenTimeNs(text) ?? parseEpochNs(text)?.ns
  if (ns === undefined) throw new ValueFault(`${JSON.stringify(text)} is not a time`, ['2026-11-20T11:40:00Z'])
  return String(ns)
}

/** The text as the field's values are stored: levels in their canonical spelling, times as nanoseconds. */
function stored(vocabulary: Vocabulary, asNamed: string, text: string): string {
  const { name } = fieldOf(vocabulary, asNamed)
  const spell = vocabulary.spelling?.get(name)
  if (spell) return spell(text, asNamed)
  if (name === 'level') return parseSeverity(text).level ?? text
  if (name === 'timestamp') return instant(text)
  return text
}

/** The field is exactly this value. */
export function equalTo(vocabulary: Vocabulary, name: string, value: string): Filter {
  const field = fieldOf(vocabulary, name)
  return { kind: 'eq', field, value: field.in === 'known' ? stored(vocabulary, name, value) : value }
}

/** The field is this string. A number in quotes is not its other spellings: release "1.10" is not 1.1. */
function sameString(vocabulary: Vocabulary, name: string, value: string): Filter {
  const field = fieldOf(vocabulary, name)
  const hasSpellings = field.in !== 'known' && exactNumber(value) !== null
  return hasSpellings ? { kind: 'text', field, values: [value] } : equalTo(vocabulary, name, value)
}

/** The field is any of these values. */
export function oneOf(vocabulary: Vocabulary, name: string, values: readonly string[]): Filter {
  if (values.length === 1) return equalTo(vocabulary, name, values[0]!)
  const field = fieldOf(vocabulary, name)
  const known = field.in === 'known' ? values.map(value => stored(vocabulary, name, value)) : values
  return { kind: 'in', field, values: [...new Set(known)] }
}

/** `level:>=warn` names the levels themselves, so that a facet of `level` can leave the condition out. */
function levelsBeyond(op: Comparison, value: string): readonly string[] {
  const at = LEVELS.findIndex(level => level === parseSeverity(value).level)
  if (at < 0) throw new ValueFault(`${JSON.stringify(value)} is not a known level`, LEVELS)
  if (op === 'gt') return LEVELS.slice(at + 1)
  if (op === 'gte') return LEVELS.slice(at)
  return LEVELS.slice(0, op === 'lt' ? at : at + 1)
}

/** The field compares so with the value. */
export function compared(vocabulary: Vocabulary, name: string, comparison: { op: Comparison; value: string }): Filter {
  const { op, value } = comparison
  const field = fieldOf(vocabulary, name)
  if (field.in !== 'known') return { kind: 'range', field, [op]: value }
  if (name === 'level') return { kind: 'in', field, values: levelsBeyond(op, value) }
  return { kind: 'range', field, [op]: stored(vocabulary, name, value) }
}

/** A field of which a part may be looked for. */
export function searchableField(vocabulary: Vocabulary, name: string): Field {
  const field = fieldOf(vocabulary, name)
  if (field.in === 'known' && vocabulary.quantities?.has(field.name) === true)
    throw new ValueFault('is not a string; compare it', [`${name}:>=`])
  return field
}

/** The field's value has these pieces, with anything between them. */
function matching(vocabulary: Vocabulary, name: string, pieces: readonly string[]): Filter {
  if (pieces.every(piece => piece === '')) return { kind: 'exists', field: fieldOf(vocabulary, name) }
  const field = searchableField(vocabulary, name)
  if (field.in === 'known' && name === 'timestamp') throw new ValueFault('wildcards are not supported in times', ['timestamp:>='])
  const strings = field.in === 'known' && name === 'level' ? pieces.map(piece => piece.toLowerCase()) : pieces
  if (strings.length === 2 && strings[1] === '') return { kind: 'prefix', field, value: strings[0]! }
  return { kind: 'regex', field, pattern: strings.map(escapeRegex).join('.*'), fold: false }
}

/** The text that bare words are looked for in holds these pieces in this order, case-insensitive. */
function within(vocabulary: Vocabulary, pieces: readonly string[]): Filter {
  const { text, moreStrings = [] } = vocabulary
  const strings = pieces.filter(piece => piece !== '')
  if (strings.length > 0) return anyOf([text, ...moreStrings].map(name => lookedFor(fieldOf(vocabulary, name), strings)))
  return pieces.length > 1 ? { kind: 'exists', field: fieldOf(vocabulary, text) } : MATCH_ALL
}

function lookedFor(field: Field, strings: readonly string[]): Filter {
  if (strings.length === 1) return { kind: 'contains', field, value: strings[0]! }
  return { kind: 'regex', field, pattern: `.*${strings.map(escapeRegex).join('.*')}.*`, fold: true }
}

/** The condition that a value of the search language states about a field; null is the searched text itself. */
export function leaf(
  vocabulary: Vocabulary,
  name: string | null,
  value: { readonly pieces: readonly string[]; readonly op: Comparison | null; readonly isQuoted: boolean }
): Filter {
  const { pieces, op, isQuoted } = value
  if (name === null) return within(vocabulary, pieces)
  if (op !== null) {
    if (pieces.length > 1) throw new ValueFault('wildcards are not supported in comparisons', ['\\* for the character'])
    return compared(vocabulary, name, { op, value: pieces[0]! })
  }
  if (name === vocabulary.text && vocabulary.text === 'message') return within(vocabulary, pieces)
  if (pieces.length > 1) return matching(vocabulary, name, pieces)
  return isQuoted ? sameString(vocabulary, name, pieces[0]!) : equalTo(vocabulary, name, pieces[0]!)
}
