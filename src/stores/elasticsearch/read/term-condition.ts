import { unreachable } from '../../../domain/errors.js'
import { exactNumber, parseNumericText } from '../../../domain/number-text.js'
import { isWholeTerm } from '../document/exact-term.js'
import { numberTerm, valueTerm } from '../document/free-field-terms.js'
import { MAX_REGEX_LENGTH } from '../document/index-template.js'
import { boundsOf, type Condition, type RangeCondition } from '../../../domain/condition.js'
import { containsLucene, toLucene } from './lucene-regex.js'
import { type RegexEffort, withoutCounts } from './regex-effort.js'
import { readRegex, type Regex } from './regex-syntax.js'
import { every, none, NONE, some, type Query } from './query.js'
import { exactly, except, within, type Verdict } from './verdict.js'

/** The terms of a keyword field that hold a field's values: each is one of the prefixes and the value. */
export interface ValueTerms {
  readonly field: string
  /** Just the empty one for a field of its own. */
  readonly prefixes: readonly Prefix[]
  /** What all terms of the field begin with and no others; null for a field of its own. */
  readonly common: readonly string[] | null
  /** Regex of the prefixes. */
  readonly prefixRegex: string
  /** Records with a value that its term does not hold whole. */
  readonly cut: Query
  /** A record may have several values. */
  readonly isMany: boolean
  /** Keyword field with sortable numbers next to the strings; null for fields whose strings compare as strings only. */
  readonly numbers: string | null
}

/** What terms begin with before the value, and the first string after them all (null: none exists). */
export interface Prefix {
  readonly text: string
  readonly end: string | null
}

/** What one clause takes at most (`index.max_terms_count`). */
export const MAX_TERMS = 65_536
const NUMBER = '[\\-\\+]?[0-9]+(\\.[0-9]+)?([eE][\\-\\+]?[0-9]+)?'

/** Any of so many terms; more than one clause takes are split. */
export function anyTerm(field: string, terms: readonly (string | number)[]): Query {
  const different = [...new Set(terms)]
  if (different.length === 0) return NONE
  if (different.length === 1) return { term: { [field]: different[0] } }
  const clauses: Query[] = []
  for (let i = 0; i < different.length; i += MAX_TERMS) clauses.push({ terms: { [field]: different.slice(i, i + MAX_TERMS) } })
  return some(clauses)
}

function ofStrings({ field, prefixes }: ValueTerms, values: readonly string[]): Query {
  return anyTerm(
    field,
    prefixes.flatMap(({ text }) => values.map(value => valueTerm(text, value)))
  )
}

function isOneOf(terms: ValueTerms, values: readonly string[]): Query {
  const { prefixes, numbers } = terms
  const strings = ofStrings(terms, values)
  if (numbers === null) return strings
  const exact = values.map(exactNumber).filter(number => number !== null)
  const sortable = prefixes.flatMap(({ text }) => exact.map(number => numberTerm(text, number)))
  return some([strings, anyTerm(numbers, sortable)])
}

/** Records that have the field, be its value empty. */
function isPresent({ field, common }: ValueTerms): Query {
  return common === null ? { exists: { field } } : some(common.map(value => ({ prefix: { [field]: { value } } })))
}

/** Records with a value that is not the empty text. */
export function hasValue(terms: ValueTerms): Query {
  const { field, prefixes, common } = terms
  if (common === null) return every([isPresent(terms), none({ term: { [field]: '' } })])
  return some(prefixes.map(({ text, end }) => ({ range: { [field]: { gt: text, ...(end !== null && { lt: end }) } } })))
}

// A cut term has the beginning of its value less up to three bytes of a torn character.
const TORN = '\0\0\0\0'

/** Whether terms that are cut still compare with this value as their whole values would. */
function isWhole(value: string, { prefixes }: ValueTerms): boolean {
  return prefixes.every(({ text }) => isWholeTerm(text + value + TORN))
}

function textRange(terms: ValueTerms, range: RangeCondition): Verdict {
  const bounds = boundsOf(range)
  if (hasBothOf(range) || !bounds.every(({ value }) => isWhole(value, terms))) return within(isPresent(terms))
  const clauses = terms.prefixes.map(({ text, end }) => {
    const clause: Record<string, string> = {}
    for (const { op, value } of bounds) clause[op] = text + value
    if (text !== '' && clause['gt'] === undefined && clause['gte'] === undefined) clause['gte'] = text
    if (end !== null && clause['lt'] === undefined && clause['lte'] === undefined) clause['lt'] = end
    return { range: { [terms.field]: clause } }
  })
  return exactly(some(clauses))
}

function numberRange({ prefixes }: ValueTerms, numbers: string, range: RangeCondition): Query {
  const bounds = boundsOf(range)
  const clauses = prefixes.map(({ text }) => {
    const clause: Record<string, string> = {}
    for (const { op, value } of bounds) clause[op] = numberTerm(text, parseNumericText(value)!)
    if (clause['gt'] === undefined && clause['gte'] === undefined) clause['gte'] = numberTerm(text, -Infinity)
    if (clause['lt'] === undefined && clause['lte'] === undefined) clause['lte'] = numberTerm(text, Infinity)
    return { range: { [numbers]: clause } }
  })
  return some(clauses)
}

function hasBothOf(range: RangeCondition): boolean {
  return (range.gt !== undefined && range.gte !== undefined) || (range.lt !== undefined && range.lte !== undefined)
}

function inRange(terms: ValueTerms, range: RangeCondition): Verdict {
  const bounds = boundsOf(range)
  if (bounds.length === 0) return exactly(isPresent(terms))
  const numeric = bounds.filter(({ value }) => parseNumericText(value) !== null)
  if (numeric.length === 0) return textRange(terms, range)
  // Strings that read as numbers are rare where numbers have no terms of their own.
  if (terms.numbers === null) return within(some([{ regexp: { [terms.field]: { value: NUMBER, flags: 'NONE' } } }, terms.cut]))
  const isAlone = numeric.length === bounds.length && !hasBothOf(range)
  if (isAlone) return exactly(numberRange(terms, terms.numbers, range))
  return within(numberRange(terms, terms.numbers, widest(numericOnly(range))))
}

function numericOnly(range: RangeCondition): RangeCondition {
  const kept = boundsOf(range).filter(({ value }) => parseNumericText(value) !== null)
  return { kind: 'range', field: range.field, ...Object.fromEntries(kept.map(({ op, value }) => [op, value])) }
}

/** One bound a side, which together hold at least what the range holds. */
function widest({ gt, gte, lt, lte, ...rest }: RangeCondition): RangeCondition {
  return {
    ...rest,
    ...(gt !== undefined ? { gt } : gte !== undefined && { gte }),
    ...(lt !== undefined ? { lt } : lte !== undefined && { lte })
  }
}

function matches(terms: ValueTerms, regex: string): Verdict {
  const value = terms.prefixRegex + regex
  if (value.length > MAX_REGEX_LENGTH) return within(isPresent(terms))
  const found: Query = { regexp: { [terms.field]: { value, flags: 'NONE' } } }
  // Of a value that is not kept whole the engine sees the beginning only.
  return except(found, terms.cut)
}

/**
 * Lucene refuses an automaton that takes more than 10,000 steps to make. A string of one character takes the square of its
 * length, so that strings of about 450 would be refused.
 */
const MAX_CONTAINED_CHARS = 256

function containing(terms: ValueTerms, value: string): Verdict {
  if (value === '') return exactly(isPresent(terms))
  const chars = [...value]
  if (chars.length <= MAX_CONTAINED_CHARS) return matches(terms, containsLucene(value))
  return within(matches(terms, containsLucene(chars.slice(0, MAX_CONTAINED_CHARS).join(''))).maybe)
}

/** What Lucene cannot make an automaton of is looked at where a wider regex matches. */
function matching(terms: ValueTerms, regex: Regex, isFolded: boolean, effort: RegexEffort): Verdict {
  const asLucene = (one: Regex): Verdict => matches(terms, `(${toLucene(one, isFolded)})`)
  if (effort.isAffordable(regex)) return asLucene(regex)
  const wider = withoutCounts(regex)
  return within(effort.isAffordable(wider) ? asLucene(wider).maybe : isPresent(terms))
}

function startsWith(terms: ValueTerms, value: string): Verdict {
  if (value === '') return exactly(isPresent(terms))
  if (!isWhole(value, terms)) return within(every([isPresent(terms), terms.cut]))
  return exactly(some(terms.prefixes.map(({ text }) => ({ prefix: { [terms.field]: { value: text + value } } }))))
}

/** A condition on values that are terms of a keyword field; `effort` is that of the whole filter. */
export function termCondition(terms: ValueTerms, condition: Condition, effort: RegexEffort): Verdict {
  switch (condition.kind) {
    case 'eq':
      return exactly(isOneOf(terms, [condition.value]))
    case 'in':
      return exactly(isOneOf(terms, condition.values))
    case 'text':
      return exactly(ofStrings(terms, condition.values))
    case 'exists':
      return exactly(hasValue(terms))
    case 'range':
      return inRange(terms, condition)
    case 'contains':
      return containing(terms, condition.value)
    case 'prefix':
      return startsWith(terms, condition.value)
    case 'regex':
      return matching(terms, readRegex(condition.pattern), condition.fold, effort)
    default:
      return unreachable(condition)
  }
}
