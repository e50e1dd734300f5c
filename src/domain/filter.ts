import { groupedBy } from './grouped-by.js'

/**
 * A field of a record. `known` names a well-known field of the signal (`LOG_FIELDS`, `RUM_FIELDS`, ...); `free` is a
 * dotted path looked up in `log_fields` and `tags` (either may contain it), of spans in the attributes of events and links, too;
 * the others name one of these places.
 */
export interface Field {
  readonly in: 'known' | 'free' | 'log_fields' | 'tags' | 'events' | 'links'
  readonly name: string
}

/**
 * What a record must satisfy: a closed union, compiled per engine by a pure function. Logic is two-valued: a condition
 * on a field that the record lacks is false, so its `not` is true. A many-valued field satisfies a condition when any
 * of its values does.
 * - `eq`, `in`: the exact text (case counts). On fields that are not well-known a value that reads as a number (of up to
 *   15 digits; more would share a double) also equals any other spelling of that number.
 * - `text`: as `in`, but not other spellings of a number: release 1.10 is not 1.1.
 * - `exists`: the field is present, not null and not an empty text.
 * - `range`: a numeric bound compares with numbers and strings that are numbers; any other bound compares strings by code
 *   point; on `timestamp` bounds are Unix nanoseconds as digits.
 * - `contains`: substring, case-insensitive (`domain/case-folding`). - `prefix`: case counts.
 * - `regex`: the *whole* value matches (RE2 syntax, the subset of `query/search-language/regex-subset`, which has already
 *   been applied; a dot matches every character, line ends too); with `fold`, value and pattern are case-folded first.
 * - `ingest_id` of logs, which no caller can name, takes `range` alone, with bounds from `firstUlidAt`: the order of arrival.
 * - `and` of nothing matches everything, `or` of nothing matches nothing.
 */
export type Filter =
  | { readonly kind: 'eq'; readonly field: Field; readonly value: string }
  | { readonly kind: 'in'; readonly field: Field; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly field: Field; readonly values: readonly string[] }
  | { readonly kind: 'exists'; readonly field: Field }
  | {
      readonly kind: 'range'
      readonly field: Field
      readonly gt?: string
      readonly gte?: string
      readonly lt?: string
      readonly lte?: string
    }
  | { readonly kind: 'contains'; readonly field: Field; readonly value: string }
  | { readonly kind: 'prefix'; readonly field: Field; readonly value: string }
  | { readonly kind: 'regex'; readonly field: Field; readonly pattern: string; readonly fold: boolean }
  | { readonly kind: 'and'; readonly of: readonly Filter[] }
  | { readonly kind: 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }

/** Matches every record. */
export const MATCH_ALL: Filter = { kind: 'and', of: [] }

type ValueFilter = Extract<Filter, { kind: 'eq' | 'in' | 'text' }>

function isValueFilter(filter: Filter): filter is ValueFilter {
  return filter.kind === 'eq' || filter.kind === 'in' || filter.kind === 'text'
}

/** The values that a condition on values takes. */
export function valuesOfCondition(condition: ValueFilter): readonly string[] {
  return condition.kind === 'eq' ? [condition.value] : condition.values
}

function anyValueOf(group: readonly ValueFilter[]): Filter {
  const [first] = group
  if (group.length === 1) return first!
  const { field, kind } = first!
  const values = [...new Set(group.flatMap(valuesOfCondition))]
  if (kind === 'text') return { kind, field, values }
  return values.length === 1 ? { kind: 'eq', field, value: values[0]! } : { kind: 'in', field, values }
}

/** All conditions on values of one field as one, those on strings apart; they come first, in the order of their fields. */
function uniteValues(parts: readonly Filter[]): readonly Filter[] {
  const byField = groupedBy(parts.filter(isValueFilter), ({ kind, field }) => `${kind === 'text'} ${field.in} ${field.name}`)
  return [...[...byField.values()].map(anyValueOf), ...parts.filter(part => !isValueFilter(part))]
}

/** Neither a nor b is not any of them. */
function uniteRefusals(parts: readonly Filter[]): readonly Filter[] {
  const refused: Filter[] = []
  const others: Filter[] = []
  for (const part of parts) {
    if (part.kind === 'not' && isValueFilter(part.of)) refused.push(part.of)
    else others.push(part)
  }
  return [...others, ...uniteValues(refused).map(of => ({ kind: 'not', of }) as const)]
}

/**
 * The conjunction of filters, flattened; a single filter is returned as it is. Several exclusions of values of one field become
 * one condition: on every engine that costs less than a condition for each value.
 */
export function allOf(filters: readonly Filter[]): Filter {
  const parts = uniteRefusals(filters.flatMap(filter => (filter.kind === 'and' ? filter.of : [filter])))
  return parts.length === 1 ? parts[0]! : { kind: 'and', of: parts }
}

/** The disjunction of filters, flattened; a single filter is returned as it is. Values of one field become one `in`. */
export function anyOf(filters: readonly Filter[]): Filter {
  const parts = uniteValues(filters.flatMap(filter => (filter.kind === 'or' ? filter.of : [filter])))
  return parts.length === 1 ? parts[0]! : { kind: 'or', of: parts }
}
