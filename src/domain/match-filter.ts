import { fold } from './case-folding.js'
import { type Bound, boundsOf, type Condition } from './condition.js'
import { unreachable } from './errors.js'
import type { Field, Filter } from './filter.js'
import { exactNumber, parseNumericText } from './number-text.js'
import { compareStrings } from './string-order.js'

type RegexCondition = Extract<Filter, { kind: 'regex' }>

/** A field's values in a record, as strings; how they compare. */
export interface FieldValues {
  readonly strings: readonly string[]
  /** `time` and `number` compare as numbers, `text` exactly, `free` as text unless both sides read as numbers. */
  readonly compares: 'text' | 'free' | 'number' | 'time'
}

type Predicate = (text: string) => boolean

/** What a matcher is made with: how a row has a field, and what decides regular expressions. */
export interface MatcherParts<Row> {
  readonly valuesOf: (row: Row, field: Field) => FieldValues
  readonly regexOf: (condition: RegexCondition) => Predicate
}

function isOneOf(values: readonly string[], compares: FieldValues['compares']): Predicate {
  const strings = new Set(values)
  if (compares === 'text' || compares === 'time') return text => strings.has(text)
  const numbers = new Set(values.map(compares === 'number' ? parseNumericText : exactNumber))
  numbers.delete(null)
  return text => strings.has(text) || numbers.has(parseNumericText(text))
}

function orderOf(text: string, bound: string, compares: FieldValues['compares']): number | null {
  if (compares === 'time') return Number(BigInt(text) - BigInt(bound))
  const requested = parseNumericText(bound)
  if (requested === null) return compareStrings(text, bound)
  const number = parseNumericText(text)
  return number === null ? null : number - requested
}

function containsBound(text: string, { op, value }: Bound, compares: FieldValues['compares']): boolean {
  const order = orderOf(text, value, compares)
  if (order === null) return false
  switch (op) {
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    default:
      return unreachable(op)
  }
}

function predicateOf(
  condition: Condition,
  compares: FieldValues['compares'],
  regexOf: MatcherParts<never>['regexOf']
): Predicate {
  switch (condition.kind) {
    case 'eq':
      return isOneOf([condition.value], compares)
    case 'in':
      return isOneOf(condition.values, compares)
    case 'text':
      return isOneOf(condition.values, 'text')
    case 'exists':
      return text => text !== ''
    case 'range': {
      const bounds = boundsOf(condition)
      return text => bounds.every(bound => containsBound(text, bound, compares))
    }
    case 'contains': {
      const needle = fold(condition.value)
      return text => fold(text).includes(needle)
    }
    case 'prefix':
      return text => text.startsWith(condition.value)
    case 'regex':
      return regexOf(condition)
    default:
      return unreachable(condition)
  }
}

/** Decides a filter on a record itself, by the rules of `Filter`. */
export function matcherOf<Row>(filter: Filter, parts: MatcherParts<Row>): (row: Row) => boolean {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const all = filter.of.map(part => matcherOf(part, parts))
    return filter.kind === 'and' ? row => all.every(part => part(row)) : row => all.some(part => part(row))
  }
  if (filter.kind === 'not') {
    const inner = matcherOf(filter.of, parts)
    return row => !inner(row)
  }
  const predicates = new Map<FieldValues['compares'], Predicate>()
  return row => {
    const { strings, compares } = parts.valuesOf(row, filter.field)
    let predicate = predicates.get(compares)
    if (!predicate) predicates.set(compares, (predicate = predicateOf(filter, compares, parts.regexOf)))
    return strings.some(predicate)
  }
}
