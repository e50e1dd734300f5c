import { RE2JS } from 're2js'
import { fold } from '../../../domain/case-folding.js'
import { unreachable } from '../../../domain/errors.js'
import type { Field, Filter } from '../../../domain/filter.js'
import { compareStrings } from '../../../domain/string-order.js'
import { exactNumber, parseNumericText } from '../../shared/number-text.js'
import { boundsOf, type Bound, type Condition } from './condition.js'

/** A field's values in a record, as strings; how they compare. */
export interface FieldValues {
  readonly strings: readonly string[]
  /** `time` and `number` compare as numbers, `text` exactly, `free` as text unless both sides read as numbers. */
  readonly compares: 'text' | 'free' | 'number' | 'time'
}

type Predicate = (text: string) => boolean

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

function regexPredicate(pattern: string, isFolded: boolean): Predicate {
  const regex = RE2JS.compile(pattern, isFolded ? RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE : RE2JS.DOTALL)
  return text => regex.matches(isFolded ? fold(text) : text)
}

function predicateOf(condition: Condition, compares: FieldValues['compares']): Predicate {
  switch (condition.kind) {
    case 'eq':
      return isOneOf([condition.value], compares)
    case 'in':
      return isOneOf(condition.values, compares)
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
      return regexPredicate(condition.pattern, condition.fold)
    default:
      return unreachable(condition)
  }
}

/** Decides a filter on a record itself (`domain/filter`), for what the engine alone cannot decide. */
export function matcherOf<Row>(filter: Filter, valuesOf: (row: Row, field: Field) => FieldValues): (row: Row) => boolean {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const parts = filter.of.map(part => matcherOf(part, valuesOf))
    return filter.kind === 'and' ? row => parts.every(part => part(row)) : row => parts.some(part => part(row))
  }
  if (filter.kind === 'not') {
    const inner = matcherOf(filter.of, valuesOf)
    return row => !inner(row)
  }
  const predicates = new Map<FieldValues['compares'], Predicate>()
  return row => {
    const { strings, compares } = valuesOf(row, filter.field)
    let predicate = predicates.get(compares)
    if (!predicate) predicates.set(compares, (predicate = predicateOf(filter, compares)))
    return strings.some(predicate)
  }
}
