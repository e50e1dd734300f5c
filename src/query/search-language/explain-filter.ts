import { unreachable } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'

/** Values of one condition that are named, and characters of one value and of the whole explanation. */
const MAX_VALUES = 5
const MAX_VALUE_CHARS = 100
const MAX_CHARS = 2_000

const BOUNDS = [
  ['gt', 'greater than'],
  ['gte', 'at least'],
  ['lt', 'less than'],
  ['lte', 'at most']
] as const

function quoted(value: string): string {
  return JSON.stringify(value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value)
}

function listed(values: readonly string[]): string {
  const named = values.slice(0, MAX_VALUES).map(quoted)
  const more = values.length - named.length
  return more > 0 ? `${named.join(', ')} or ${more} more` : named.join(' or ')
}

function bounds(filter: Extract<Filter, { kind: 'range' }>): string {
  return BOUNDS.flatMap(([name, words]) => (filter[name] === undefined ? [] : [`${words} ${filter[name]}`])).join(' and ')
}

/** A condition with its negation in place: `level is not "debug"`. */
function explain(filter: Filter, isNegated: boolean): string {
  const not = isNegated ? ' not' : ''
  const does = isNegated ? 'does not ' : ''
  const s = isNegated ? '' : 's'
  switch (filter.kind) {
    case 'eq':
      return `${filter.field.name} is${not} ${quoted(filter.value)}`
    case 'in':
    case 'text':
      return `${filter.field.name} is${not} ${listed(filter.values)}`
    case 'exists':
      return `${filter.field.name} is ${isNegated ? 'absent' : 'present'}`
    case 'range':
      return `${filter.field.name} is${not} ${bounds(filter)}`
    case 'contains':
      return `${filter.field.name} ${does}contain${s} ${quoted(filter.value)}`
    case 'prefix':
      return `${filter.field.name} ${does}begin${s} with ${quoted(filter.value)}`
    case 'regex':
      return `${filter.field.name} ${does}match${isNegated ? '' : 'es'} ${quoted(filter.pattern)}`
    case 'and':
    case 'or':
      return combined(filter, isNegated)
    case 'not':
      return explain(filter.of, !isNegated)
    default:
      return unreachable(filter)
  }
}

/** De Morgan: the negation of a conjunction is the disjunction of the negations. */
function combined({ kind, of }: Extract<Filter, { kind: 'and' | 'or' }>, isNegated: boolean): string {
  if (of.length === 0) return (kind === 'and') === isNegated ? 'nothing' : 'everything'
  const parts = of.map(part => {
    const text = explain(part, isNegated)
    return part.kind === 'and' || part.kind === 'or' ? `(${text})` : text
  })
  return parts.join((kind === 'and') === isNegated ? ' or ' : ' and ')
}

/** A filter in words, for the person who wrote the query; long ones end in an ellipsis. */
export function explainFilter(filter: Filter): string {
  const text = explain(filter, false)
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}
