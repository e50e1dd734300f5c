import { unreachable } from '../../../domain/errors.js'
import { fold, foldExceptions } from '../../../domain/case-folding.js'
import { exactNumber, NUMBER_PATTERN, parseNumericText } from '../../../domain/number-text.js'
import { mayBeNumberSql } from '../number-sql.js'
import { boundsOf, type Condition, type RangeCondition } from './condition.js'
import { hasAnySql, isWholeNeedle, probeSpellings } from './needle-probe.js'
import { oneOfSql } from './one-of.js'
import type { Params } from './params.js'

// DuckDB's lower() sends the dotted capital I to i, but it folds to itself: this noncharacter replaces it meanwhile.
const DOTTED_I = '\u{130}'
const STAND_IN = '\u{10ffff}'
const EXCEPTIONS = foldExceptions().filter(char => char !== DOTTED_I)

function lowered(char: string): string {
  // Only Cherokee capitals among the exceptions change under DuckDB's lower(), to the small letters that JavaScript knows.
  return char >= '\u{13a0}' && char <= '\u{13f5}' ? char.toLowerCase() : char
}

const FROM = EXCEPTIONS.map(lowered).join('') + STAND_IN
const TO = EXCEPTIONS.map(fold).join('') + DOTTED_I
const REPLACED = new Set([...FROM, ...TO, DOTTED_I, 'i'])

/** SQL that folds the case of the string in `expression` exactly as `domain/case-folding` does. */
export function foldedSql(expression: string): string {
  return `translate(lower(replace(${expression}, '${DOTTED_I}', '${STAND_IN}')), '${FROM}', '${TO}')`
}

/** Whether `contains(lower(text), folded)` is exact for a folded needle: none of its letters has a form that lower() misses. */
function isPlainNeedle(folded: string): boolean {
  for (const char of folded) if (REPLACED.has(char)) return false
  return true
}

/** A string in SQL: a column, or a value taken out of JSON. */
export interface StringExpression {
  readonly sql: string
  /** Column with the folded string where `lower` of `sql` is not it. */
  readonly foldColumn: string | null
  /** Free fields: spellings of one number are equal. */
  readonly comparesNumbers: boolean
  /** An item of a list, inside a lambda. */
  readonly isItem?: boolean
}

/**
 * The cast is cheaper than the pattern and lets most strings through to FALSE; it takes `1_0` and `inf`, the pattern not, and
 * makes `1e400` infinite, which is not a number.
 */
function ifNumber(text: string, holds: (number: string) => string): string {
  const number = `TRY_CAST(${text} AS DOUBLE)`
  const isNumber = `(isfinite(${number}) AND regexp_full_match(${text}, '${NUMBER_PATTERN}'))`
  // Not by AND, of which the engine chooses the order.
  const isMet = `CASE WHEN ${holds(number)} THEN ${isNumber} ELSE FALSE END`
  return `CASE WHEN ${mayBeNumberSql(text)} THEN ${isMet} ELSE FALSE END`
}

function compareNumber(text: string, op: string, number: number, params: Params): string {
  return ifNumber(text, value => `${value} ${op} CAST(${params.add(number)} AS DOUBLE)`)
}

function equals(text: StringExpression, value: string, params: Params): string {
  const same = `${text.sql} = ${params.add(value)}`
  const number = text.comparesNumbers ? exactNumber(value) : null
  if (number === null) return same
  return `(${same} OR ${compareNumber(text.sql, '=', number, params)})`
}

function isOneOf(text: StringExpression, values: readonly string[], params: Params): string {
  if (values.length === 0 || (!text.comparesNumbers && !text.isItem)) return oneOfSql(text.sql, values, params)
  const isListed = `list_contains(${params.addList(values)}, ${text.sql})`
  if (!text.comparesNumbers) return isListed
  const numbers = values.map(exactNumber).filter(number => number !== null)
  if (numbers.length === 0) return isListed
  const list = params.addList(numbers)
  return `(${isListed} OR ${ifNumber(text.sql, number => `list_contains(${list}, ${number})`)})`
}

function bound(text: string, op: string, value: string, params: Params): string {
  const number = parseNumericText(value)
  if (number === null) return `${text} ${op} ${params.add(value)}`
  return compareNumber(text, op, number, params)
}

function inRange(text: string, range: RangeCondition, params: Params): string {
  const bounds = boundsOf(range).map(({ op, value }) => bound(text, op, value, params))
  return `(${[`${text} IS NOT NULL`, ...bounds].join(' AND ')})`
}

function folded(text: StringExpression): string {
  return text.foldColumn === null ? foldedSql(text.sql) : `coalesce(${text.foldColumn}, lower(${text.sql}))`
}

/** Looks for cheap spellings of a selective piece first and folds only the strings that have one. */
function containsText(text: StringExpression, value: string, params: Params): string {
  const needle = fold(value)
  const spellings = probeSpellings(needle)
  if (spellings.length > 0 && isWholeNeedle(needle, spellings)) return hasAnySql(text.sql, spellings, params)
  const haystack = isPlainNeedle(needle) ? `lower(${text.sql})` : folded(text)
  const isInside = `contains(${haystack}, ${params.add(needle)})`
  if (spellings.length === 0) return isInside
  // CASE keeps the order; of AND the engine would choose its own.
  return `CASE WHEN ${hasAnySql(text.sql, spellings, params)} THEN ${isInside} ELSE FALSE END`
}

function matches(text: StringExpression, pattern: string, isFolded: boolean, params: Params): string {
  const [value, options] = isFolded ? [folded(text), 'si'] : [text.sql, 's']
  // `s`: a dot also matches a line break, as in Lucene; with `i` RE2 folds the pattern, escapes left alone.
  return `regexp_full_match(${value}, ${params.add(pattern)}, '${options}')`
}

/** SQL of a condition on a string; NULL counts as false. */
export function textCondition(text: StringExpression, condition: Condition, params: Params): string {
  switch (condition.kind) {
    case 'eq':
      return equals(text, condition.value, params)
    case 'in':
      return isOneOf(text, condition.values, params)
    case 'text':
      return isOneOf({ ...text, comparesNumbers: false }, condition.values, params)
    case 'exists':
      return `${text.sql} <> ''`
    case 'range':
      return inRange(text.sql, condition, params)
    case 'contains':
      return containsText(text, condition.value, params)
    case 'prefix':
      return `starts_with(${text.sql}, ${params.add(condition.value)})`
    case 'regex':
      return matches(text, condition.pattern, condition.fold, params)
    default:
      return unreachable(condition)
  }
}
