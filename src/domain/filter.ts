/**
 * A field of a record. `known` names a well-known field of the signal (`LOG_FIELDS`, `RUM_FIELDS`, ...); `free` is a
 * dotted path looked up in `log_fields` and `tags` (either may hold it); `log_fields` and `tags` name one of them.
 */
export interface Field {
  readonly in: 'known' | 'free' | 'log_fields' | 'tags'
  readonly name: string
}

/**
 * What a record must satisfy: a closed union, compiled per engine by a pure function. Logic is two-valued: a condition
 * on a field that the record lacks is false, so its `not` is true. A many-valued field satisfies a condition when any
 * of its values does.
 * - `eq`, `in`: the exact text (case counts). On fields that are not well-known a value that reads as a number (of up to
 *   15 digits; more would share a double) also equals any other spelling of that number.
 * - `exists`: the field is present, not null and not an empty text.
 * - `range`: a numeric bound compares with numbers and texts that are numbers; any other bound compares texts by code
 *   point; on `timestamp` bounds are Unix nanoseconds as digits.
 * - `contains`: substring, letter case ignored (`domain/case-folding`). - `prefix`: case counts.
 * - `regex`: the *whole* value matches (RE2 syntax, the subset of `query/search-language/regex-subset`, which has already
 *   been applied; a dot matches every character, line ends too); with `fold`, value and pattern are case-folded first.
 * - `and` of nothing matches everything, `or` of nothing matches nothing.
 */
export type Filter =
  | { readonly kind: 'eq'; readonly field: Field; readonly value: string }
  | { readonly kind: 'in'; readonly field: Field; readonly values: readonly string[] }
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
export const EVERYTHING: Filter = { kind: 'and', of: [] }

/** The conjunction of filters, flattened; a single member stands alone. */
export function allOf(filters: readonly Filter[]): Filter {
  const parts = filters.flatMap(filter => (filter.kind === 'and' ? filter.of : [filter]))
  return parts.length === 1 ? parts[0]! : { kind: 'and', of: parts }
}
