import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import type { DocumentKind } from '../document/field-names.js'
import { valueTerm } from '../document/free-field-terms.js'
import type { FacetRequest } from '../../../domain/search.js'
import { fieldTarget } from './field-target.js'
import { containsLucene, escapeLucene } from './lucene-regex.js'
import type { Query } from './query.js'
import { hasValue, type ValueTerms } from './term-condition.js'

/** Searches that the engine itself selects terms by; for longer ones they are selected from those with most records. */
const MAX_INCLUDED_CHARACTERS = 32

type Listing = Pick<FacetRequest, 'prefix' | 'contains'>

/** How records are grouped by the values of a field. */
export interface GroupTerms {
  readonly field: string
  /** Regex of the terms that belong to the field and the requested prefix; null takes all but the empty string. */
  readonly include: string | null
  /** The engine keeps numbers. */
  readonly isNumber: boolean
  /** A record has one value at most, so that sums of counts are counts of records. */
  readonly isSingle: boolean
  /** Records that have a value. */
  readonly present: Query
  /** The value of a term. */
  readonly valueOf: (term: string) => string
  /** All terms of a value. */
  readonly termsOf: (value: string) => readonly string[]
}

/** Groups by values, or by those that a facet lists. Throws `query_unsupported` for fields that have no groups. */
export function groupTerms(field: Field, kind: DocumentKind, listing: Listing = {}): GroupTerms {
  const target = fieldTarget(field, kind, true)
  if (target.kind === 'time')
    throw new GatewayError('query_unsupported', 'timestamp has no groups; use a histogram', { field: 'timestamp' })
  if (target.kind === 'terms' && target.trigrams !== null)
    throw new GatewayError('unsupported_by_store', `this store does not count the values of ${field.name}`, { field: field.name })
  if (target.kind === 'terms') return ofTerms(target.terms, listing)
  return {
    field: target.number.field,
    include: null,
    isNumber: true,
    isSingle: true,
    present: { exists: { field: target.number.field } },
    valueOf: String,
    termsOf: value => [value]
  }
}

/** Regex of the values that are listed, and of others where the text is long: repetitive ones take the engine their square. */
function listedRegex({ prefix, contains }: Listing): string {
  if (prefix) return `${escapeLucene(prefix)}.*`
  return contains && contains.length <= MAX_INCLUDED_CHARACTERS ? containsLucene(contains) : '.+'
}

function ofTerms(terms: ValueTerms, listing: Listing): GroupTerms {
  const { field, prefixes, prefixRegex, common, isMany } = terms
  const isOwn = common === null
  const rest = listedRegex(listing)
  return {
    field,
    include: isOwn && rest === '.+' ? null : `${prefixRegex}${rest}`,
    isNumber: false,
    isSingle: !isMany,
    present: hasValue(terms),
    valueOf: term => term.slice(prefixes[0]!.text.length),
    termsOf: value => prefixes.map(({ text }) => valueTerm(text, value))
  }
}

/** The values of the field with their counts, those with most records first. */
export function termsAggregation(
  { field, include, isNumber }: GroupTerms,
  size: number,
  shardSize: number
): Readonly<Record<string, unknown>> {
  const kept = isNumber ? {} : include === null ? { exclude: [''] } : { include }
  return { field, size, shard_size: shardSize, order: [{ _count: 'desc' }, { _key: 'asc' }], ...kept }
}
