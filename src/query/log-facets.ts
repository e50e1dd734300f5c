import { GatewayError } from '../domain/errors.js'
import { allOf, type Field, type Filter, valuesOfCondition } from '../domain/filter.js'
import type { FacetRequest, FacetResult, SpreadRequest } from '../domain/search.js'
import { boundedCount } from './bounds.js'
import { MAX_VALUE_CHARS } from './conditions.js'
import type { FacetCounts, FacetQuery, SpreadQuery } from './log-query.js'
import { fieldOf, type Vocabulary } from './vocabulary.js'

function mentionsOnly(filter: Filter, field: Field): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.length > 0 && filter.of.every(part => mentionsOnly(part, field))
    case 'not':
      return mentionsOnly(filter.of, field)
    default:
      return filter.field.in === field.in && filter.field.name === field.name
  }
}

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.of.flatMap(conjuncts) : [filter]
}

/**
 * The filter under which a facet of `field` counts: every top-level AND condition that mentions only that field is left
 * out, so that choosing one value does not make the others vanish. Nothing inside OR and NOT is touched ("Queries" in docs/conventions.md):
 * such a condition goes as a whole or stays as a whole.
 */
export function withoutField(filter: Filter, field: Field): Filter {
  const kept = conjuncts(filter).filter(part => !mentionsOnly(part, field))
  return kept.length === 1 ? kept[0]! : { kind: 'and', of: kept }
}

/** The values that a condition takes, of which any will do. */
function valuesOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'eq':
    case 'in':
    case 'text':
      return valuesOfCondition(filter)
    case 'or':
      return filter.of.flatMap(valuesOf)
    default:
      return []
  }
}

/** The values of `field` that the top-level AND conditions of the filter choose. */
export function selectedValues(filter: Filter, field: Field): ReadonlySet<string> {
  const selected = new Set<string>()
  for (const part of conjuncts(filter)) {
    if (mentionsOnly(part, field)) for (const value of valuesOf(part)) selected.add(value)
  }
  return selected
}

/** Whether the top-level AND conditions of the filter bound the numbers of `field`. */
export function isBounded(filter: Filter, field: Field): boolean {
  return conjuncts(filter).some(part => part.kind === 'range' && mentionsOnly(part, field))
}

/** Facets and spreads of one request. */
export const MAX_FACETS = 20
/** Values of one facet. */
export const MAX_FACET_VALUES = 1_000
const DEFAULT_FACET_VALUES = 10

/** Refuses to group records by attributes of what they list: a record would be counted for each event and link. */
export function checkGrouped(field: Field, name: string): void {
  if (field.in === 'events' || field.in === 'links')
    throw new GatewayError('invalid_field', `${name} has no facet: filter by it, or facet by an attribute of the span`, {
      field: 'facets'
    })
}

function facetField(name: string, vocabulary: Vocabulary): Field {
  const field = fieldOf(vocabulary, name)
  if (field.in === 'known' && name === 'timestamp')
    throw new GatewayError('invalid_field', 'timestamp has no facet; use a histogram', { field: 'facets' })
  if (field.in === 'known' && vocabulary.quantities?.has(field.name) === true)
    throw new GatewayError('invalid_field', `${name} has no facet: it is a quantity`, { field: 'facets' })
  checkGrouped(field, name)
  return field
}

/** The request to a store for a facet of a list under `filter`. Throws `invalid_field`. */
export function facetRequest(facet: FacetQuery, filter: Filter, vocabulary: Vocabulary): FacetRequest {
  const field = facetField(facet.field, vocabulary)
  const limit = boundedCount(facet.limit, 'limit', { least: 1, most: MAX_FACET_VALUES, otherwise: DEFAULT_FACET_VALUES })
  const own = facet.excludeSelf === false ? filter : withoutField(filter, field)
  const { prefix, contains, lastSeen } = facet
  const request = { field, limit, ...(prefix !== undefined && { prefix }), ...(lastSeen && { lastSeen }) }
  return contains ? { ...request, contains, filter: containing(own, field, contains) } : { ...request, filter: own }
}

/** Of the records, those with a value that contains a text: a store then counts few values, all of them. */
function containing(filter: Filter, field: Field, text: string): Filter {
  if (text.length > MAX_VALUE_CHARS)
    throw new GatewayError('invalid_field', `contains must not exceed ${MAX_VALUE_CHARS} characters`, { field: 'contains' })
  return allOf([filter, { kind: 'contains', field, value: text }])
}

/** The request to a store for the numbers of a field of a list under `filter`. */
export function spreadRequest({ field: name, cuts }: SpreadQuery, filter: Filter, vocabulary: Vocabulary): SpreadRequest {
  const field = fieldOf(vocabulary, name)
  return { field, filter: withoutField(filter, field), cuts }
}

/** Refuses more facets and spreads than the limit of one query. */
export function checkFacetCount(facets: readonly FacetQuery[], spreads: readonly SpreadQuery[] = []): void {
  if (facets.length + spreads.length > MAX_FACETS)
    throw new GatewayError('invalid_field', `a query must not request more than ${MAX_FACETS} facets`, { field: 'facets' })
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** What all listed values read as. */
function valueType(values: readonly { readonly value: string }[]): FacetCounts['type'] {
  if (values.length === 0) return 'string'
  if (values.every(({ value }) => NUMBER.test(value))) return 'number'
  return values.every(({ value }) => value === 'true' || value === 'false') ? 'boolean' : 'string'
}

/** A store's facet as the result has it. */
export function facetCounts(name: string, filter: Filter, result: FacetResult, vocabulary: Vocabulary): FacetCounts {
  const selected = selectedValues(filter, fieldOf(vocabulary, name))
  return {
    field: name,
    type: valueType(result.values),
    distinct: result.distinct,
    values: result.values.map(value => ({ ...value, selected: selected.has(value.value) })),
    other: result.other,
    missing: result.missing
  }
}
