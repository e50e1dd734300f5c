import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import { CUT, KNOWN_FIELDS, NUMBERS, type DocumentKind, type KnownField } from '../document/field-names.js'
import { PLACES, slotField, termPrefix, termPrefixEnd, type Place } from '../document/free-field-terms.js'
import { escapeLucene } from './lucene-regex.js'
import type { IndexedNumberField } from './number-field.js'
import type { ValueTerms } from './term-condition.js'

/** Where the values of a field are stored. */
export type FieldTarget =
  | { readonly kind: 'time' }
  | { readonly kind: 'number'; readonly number: IndexedNumberField }
  | { readonly kind: 'terms'; readonly terms: ValueTerms; readonly trigrams: string | null }

/** Order matters: as characters. */
const PLACES_OF: Readonly<Record<Exclude<Field['in'], 'known'>, readonly Place[]>> = {
  free: [PLACES.both, PLACES.log_fields, PLACES.tags],
  log_fields: [PLACES.both, PLACES.log_fields],
  tags: [PLACES.both, PLACES.tags],
  events: [PLACES.events],
  links: [PLACES.links]
}
/** Plain names of spans reach the attributes of events and links, too. */
const ALL_PLACES: readonly Place[] = [PLACES.both, PLACES.events, PLACES.log_fields, PLACES.links, PLACES.tags]

function knownTerms({ field, ofExceptions }: KnownField): ValueTerms {
  return {
    field,
    prefixes: [{ text: '', end: null }],
    common: null,
    prefixRegex: '',
    cut: { term: { [CUT]: field } },
    isMany: ofExceptions !== undefined,
    numbers: null
  }
}

function freeTerms(name: string, places: readonly Place[], hasAllPlaces: boolean): ValueTerms {
  const prefixes = places.map(each => ({ text: termPrefix(name, each), end: termPrefixEnd(name, each) }))
  const strings = prefixes.map(({ text }) => text)
  const stem = strings[0]!.slice(0, -1)
  return {
    field: slotField(name),
    prefixes,
    common: hasAllPlaces ? [stem] : strings,
    prefixRegex: `${escapeLucene(stem)}[${places.join('')}]`,
    cut: { terms: { [CUT]: strings } },
    isMany: true,
    numbers: NUMBERS
  }
}

function freeTarget({ in: place, name }: Field, kind: DocumentKind, isGrouped: boolean): FieldTarget {
  const isEverywhere = place === 'free' && kind === 'spans' && !isGrouped
  const places = isEverywhere ? ALL_PLACES : PLACES_OF[place as Exclude<Field['in'], 'known'>]
  const hasAllPlaces = isEverywhere || (place === 'free' && kind !== 'spans')
  return { kind: 'terms', terms: freeTerms(name, places, hasAllPlaces), trigrams: null }
}

/**
 * Finds where a field is stored. Names of the engine come from the tables of the documents, never from the caller. Records are
 * grouped by their own values, not by those of their events and links.
 */
export function fieldTarget(field: Field, kind: DocumentKind, isGrouped = false): FieldTarget {
  if (field.in !== 'known') return freeTarget(field, kind, isGrouped)
  const known = KNOWN_FIELDS[kind].get(field.name)
  if (!known) throw new GatewayError('query_unsupported', `the field ${field.name} is not supported here`, { field: field.name })
  if (known.type === 'time') return { kind: 'time' }
  if (known.type === 'number') return { kind: 'number', number: { field: known.field, whole: known.numeric?.whole ?? null } }
  return { kind: 'terms', terms: knownTerms(known), trigrams: known.trigrams ?? null }
}
